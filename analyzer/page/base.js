// SPDX-License-Identifier: MIT
// Shared by all parts of the page's script: the data, elements, numbers in the form of the tables.
"use strict";

const data = {};
for (const name of ["reports", "timeline", "flame", "shapes", "calls"]) {
	const text = document.getElementById("data-" + name).textContent;
	data[name] = text === "" ? null : JSON.parse(text);
}
const reports = data.reports.reports;

// An element with attributes (a function: a listener) and children (texts or elements).
function make(tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes || {})) {
		if (typeof value === "function") {
			element.addEventListener(key, value);
		} else if (value !== null && value !== undefined && value !== false) {
			element.setAttribute(key, value === true ? "" : value);
		}
	}
	element.append(...children.filter((child) => child !== null && child !== undefined));
	return element;
}

// The same for SVG.
function draw(tag, attributes, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [key, value] of Object.entries(attributes || {})) {
		element.setAttribute(key, value);
	}
	element.append(...children);
	return element;
}

// The policy of the page allows no style attributes in HTML; a script may set them.
function style(element, properties) {
	for (const [key, value] of Object.entries(properties)) {
		element.style.setProperty(key, value);
	}
	return element;
}

// A name from a program. Characters that hide text or change its direction are shown by number.
function clean(name) {
	return String(name).replace(
		/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
		(c) => "\\u{" + c.codePointAt(0).toString(16) + "}");
}

function shorten(text, length) {
	if (text.length <= length) {
		return text;
	}
	const half = Math.floor((length - 1) / 2);
	return text.slice(0, half) + "\u2026" + text.slice(text.length - half);
}

// Times in the form of the tables: 17ns, 1.250us, 3.004ms, 12.500s.
function time(ns) {
	if (ns === null || ns === undefined) {
		return "-";
	}
	const size = Math.abs(ns);
	const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"]];
	for (const [unit, word] of units) {
		if (size >= unit) {
			return (Math.round(ns / unit * 1000) / 1000).toFixed(3) + word;
		}
	}
	return ns + "ns";
}

function bytes(number) {
	for (const [unit, word] of [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
		if (Math.abs(number) >= unit) {
			return (Math.trunc(number / unit * 1000) / 1000).toFixed(3) + word;
		}
	}
	return number + "B";
}

function percent(part) {
	return (part * 100).toFixed(2) + "%";
}

function count(number) {
	return String(number).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

// One of the page's colours for each name.
function color(name) {
	let hash = 0;
	for (let i = 0; i < name.length; i++) {
		hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
	}
	return hash % 7;
}

function view(name) {
	return document.getElementById("view-" + name);
}

// Removes a section without anything to draw; pages of a summary or a comparison have none.
function removeSection(id) {
	const section = document.getElementById(id);
	if (section) {
		document.querySelector("nav a[href='#" + id + "']").remove();
		section.remove();
	}
}

// A line that follows the pointer.
const tip = make("div", { class: "tip", hidden: true, "aria-hidden": "true" });
function showTip(event, title, text) {
	tip.replaceChildren(make("b", {}, shorten(clean(title), 300)), text);
	tip.hidden = false;
	const width = tip.offsetWidth;
	style(tip, {
		left: Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + "px",
		top: Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8) + "px",
	});
}
function hideTip() {
	tip.hidden = true;
}
