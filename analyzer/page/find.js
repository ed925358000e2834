// SPDX-License-Identifier: MIT
// One search over everything: rows of all tables, and items of the timeline; and the keys of the page.
"use strict";

const MOST_OF_TABLE = 6;
const MOST_IN_ALL = 60;

// The items that contain a text: [group, title, action].
function findAll(wanted) {
	const found = [];
	for (const [name, table] of tables) {
		let count = 0;
		for (let i = 0; i < table.rows.length && found.length < MOST_IN_ALL; i++) {
			if (table.rows[i].includes(wanted) && ++count <= MOST_OF_TABLE) {
				found.push([table.title || name, table.titleOf(i), "#r-" + name, () => table.reveal(i)]);
			}
		}
		if (count > MOST_OF_TABLE) {
			found.push([table.title || name, "\u2026 " + (count - MOST_OF_TABLE) + " more", "#r-" + name, null]);
		}
	}
	for (const [title, does] of findInTimeline(wanted).slice(0, MOST_OF_TABLE)) {
		found.push(["Timeline", title, "#timeline", does]);
	}
	return found;
}

function drawFind() {
	const nav = document.querySelector("nav");
	const list = make("div", { class: "found", hidden: true, role: "region", "aria-label": "Found" });
	const input = make("input", { type: "search", placeholder: "Search everything (/)", "aria-label": "Search everything", input: show });
	let links = [];

	function show() {
		const wanted = input.value.trim().toLowerCase();
		const found = wanted.length < 2 ? [] : findAll(wanted);
		let group = "";
		list.replaceChildren();
		links = found.map(([of, title, href, does]) => {
			if (of !== group) {
				group = of;
				list.append(make("b", {}, of));
			}
			const link = make("a", { href, click: () => {
				list.hidden = true;
				if (does !== null) {
					setTimeout(does); // after the browser went to the place
				}
			} }, shorten(clean(title), 120));
			list.append(link);
			return link;
		});
		if (wanted.length >= 2 && found.length === 0) {
			list.append(make("b", {}, "nothing"));
		}
		list.hidden = wanted.length < 2;
	}

	function step(event, by) {
		const at = links.indexOf(document.activeElement);
		const to = links[Math.max(0, at + by)] || null;
		event.preventDefault();
		(at + by < 0 || to === null ? input : to).focus();
	}

	const hide = () => {
		list.hidden = true;
	};
	const keys = (event) => {
		const does = { ArrowDown: () => step(event, 1), ArrowUp: () => step(event, -1), Escape: () => {
			hide();
			input.blur();
		}, Enter: () => event.target === input && links[0]?.click() }[event.key];
		does?.();
	};
	input.addEventListener("keydown", keys);
	list.addEventListener("keydown", keys);
	document.addEventListener("pointerdown", (event) => {
		if (!list.contains(event.target) && event.target !== input) {
			hide();
		}
	});
	nav.append(input);
	nav.after(list);
	return input;
}

const KEYS = [["/", "search everything"], ["j, k", "next, previous section"], ["t", "the timeline; there arrow keys, + and \u2212, 0"],
	["[, ]", "previous, next step of the timeline"], ["n, p", "next, previous item that is highlighted there"], ["?", "these keys"], ["Esc", "close"]];

// Goes to the section before or after the one at the top.
function goSection(by) {
	const sections = [...document.querySelectorAll("main > section")];
	const at = sections.findLastIndex((section) => section.getBoundingClientRect().top < 70);
	const to = sections[Math.max(0, Math.min(sections.length - 1, at + by))];
	if (to) {
		to.scrollIntoView();
	}
}

function listenToKeys() {
	const input = drawFind();
	const help = make("div", { class: "keys", hidden: true, role: "region", "aria-label": "Keys" },
		make("dl", {}, ...KEYS.flatMap(([key, text]) => [make("dt", {}, key), make("dd", {}, text)])));
	document.body.append(help);
	document.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
			return;
		}
		const does = { "/": () => input.select(), j: () => goSection(1), k: () => goSection(-1), t: () => focusTimeline(), "[": () => stepTimeline(-1),
			"]": () => stepTimeline(1), n: () => nextInTimeline(1), p: () => nextInTimeline(-1), "?": () => {
				help.hidden = !help.hidden;
			}, Escape: () => {
				help.hidden = true;
			} }[event.key];
		if (does) {
			event.preventDefault();
			does();
		}
	});
}
