// SPDX-License-Identifier: MIT
// What people see is in the address: #PLACE?STATE, so that a link shows the same to others. A state is a
// list of parts: "kernels.f=gemm&kernels.s=-sum_ns&timeline.at=100-2000".
"use strict";

const keepers = new Map();
let isRestoring = false;
let saving = 0;

// A part of the page: get() gives an object of texts, empty ones are the default; set() takes it.
function keepState(name, get, set) {
	keepers.set(name, { get, set });
}

function placeOf(hash) {
	return hash.slice(1).split("?")[0];
}

function stateText() {
	const text = new URLSearchParams();
	for (const [name, keeper] of keepers) {
		for (const [key, value] of Object.entries(keeper.get())) {
			if (value !== "") {
				text.set(name + "." + key, value);
			}
		}
	}
	return String(text);
}

function saveState() {
	const text = stateText();
	const place = placeOf(location.hash);
	if (text !== "" || location.hash.includes("?")) {
		history.replaceState(null, "", "#" + place + (text === "" ? "" : "?" + text));
	}
}

// The view has changed. Browsers allow only some changes of the address per second.
function changed() {
	if (!isRestoring) {
		clearTimeout(saving);
		saving = setTimeout(saveState, 250);
	}
}

// Takes the state in the address; a place alone changes nothing. Return: whether there was a state.
function restoreState() {
	const at = location.hash.indexOf("?");
	if (at < 0) {
		changed();
		return false;
	}
	const states = new Map();
	for (const [key, value] of new URLSearchParams(location.hash.slice(at + 1))) {
		const dot = key.lastIndexOf(".");
		const name = key.slice(0, dot);
		states.set(name, { ...states.get(name), [key.slice(dot + 1)]: value });
	}
	isRestoring = true;
	for (const [name, keeper] of keepers) {
		keeper.set(states.get(name) || {});
	}
	isRestoring = false;
	return true;
}
