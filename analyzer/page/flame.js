// SPDX-License-Identifier: MIT
// The flame graph: ranges by path, the outermost on top. Widths are times on the CPU or on GPUs.
"use strict";

const NODE_NAME = 0;
const NODE_PARENT = 1;
const NODE_CALLS = 2;
const NODE_CPU = 3;
const NODE_GPU = 4;

function drawFlame() {
	const nodes = data.flame || [];
	const place = view("flame");
	const children = nodes.map(() => []);
	const roots = [];
	let column = NODE_CPU;
	let zoomed = -1;
	let sums = [];

	nodes.forEach((node, i) => (node[NODE_PARENT] < 0 ? roots : children[node[NODE_PARENT]]).push(i));
	const total = (which) => nodes.reduce((sum, node) => sum + node[which], 0);
	const columns = [[NODE_CPU, "CPU"], [NODE_GPU, "GPU"]].filter(([which]) => total(which) > 0);
	if (columns.length === 0) {
		removeSection("flame");
		return;
	}

	// Time of a node including its children, which come after it.
	function addUp() {
		sums = nodes.map((node) => node[column]);
		for (let i = nodes.length - 1; i >= 0; i--) {
			if (nodes[i][NODE_PARENT] >= 0) {
				sums[nodes[i][NODE_PARENT]] += sums[i];
			}
		}
	}

	const box = make("div", { class: "flame", role: "tree", "aria-label": "ranges by path" });
	const status = make("p", { class: "status", role: "status" });
	const reset = make("button", { class: "b", type: "button", click: () => zoom(-1) }, "Show all");
	const find = make("input", { type: "search", placeholder: "Highlight", "aria-label": "Highlight ranges", input: () => show() });

	function tell(i) {
		const node = nodes[i];
		return (node[NODE_CALLS] > 0 ? count(node[NODE_CALLS]) + " calls, " : "") + time(sums[i]) + " in it, " + time(node[column]) + " its own";
	}

	function put(i, left, width, depth, isAround) {
		const name = clean(nodes[i][NODE_NAME]);
		const isFound = find.value !== "" && name.toLowerCase().includes(find.value.toLowerCase());
		const button = make("button", { type: "button", class: isAround ? "around" : "", role: "treeitem", "aria-label": shorten(name, 200) + ": " + tell(i),
			click: () => zoom(i), focus: () => { status.textContent = shorten(name, 300) + ": " + tell(i); },
			mousemove: (event) => showTip(event, name, tell(i)), mouseleave: hideTip }, width > 2.5 ? shorten(name, 120) : "");
		box.append(style(button, { left: left + "%", width: width + "%", top: depth * 20 + "px",
			"--c": isFound ? "var(--text)" : "var(--c" + color(name) + ")" }));
	}

	// Without recursion: a list holds the nodes to be drawn.
	function show() {
		const wait = [];
		let deepest = 0;
		let around = [];

		box.replaceChildren();
		for (let at = zoomed; at >= 0; at = nodes[at][NODE_PARENT]) {
			around.unshift(at);
		}
		around.forEach((i, depth) => put(i, 0, 100, depth, i !== zoomed));
		const push = (list, left, width, depth, whole) => {
			let from = left;
			for (const i of [...list].sort((a, b) => sums[b] - sums[a] || a - b)) {
				const part = sums[i] / whole * width;
				if (part >= 0.12) {
					wait.push([i, from, part, depth]);
				}
				from += part;
			}
		};
		if (zoomed >= 0) {
			push(children[zoomed], 0, 100, around.length, sums[zoomed]);
			deepest = around.length;
		} else {
			push(roots, 0, 100, 0, total(column));
		}
		while (wait.length > 0) {
			const [i, left, width, depth] = wait.pop();
			put(i, left, width, depth, false);
			deepest = Math.max(deepest, depth + 1);
			push(children[i], left, width, depth + 1, sums[i]);
		}
		style(box, { height: Math.max(1, deepest) * 20 + "px" });
		reset.hidden = zoomed < 0;
		status.textContent = (column === NODE_CPU ? "self CPU time" : "self GPU time") + " of all ranges: " + time(total(column)) + ". Click or Enter: into a range.";
	}

	function zoom(i) {
		zoomed = i === zoomed ? -1 : i;
		hideTip();
		show();
	}

	const tools = make("div", { class: "tools" }, make("b", {}, "Ranges by path"), reset, find);
	if (columns.length > 1) {
		const buttons = columns.map(([which, label]) => make("button", { class: "b", type: "button", "aria-pressed": String(which === column), click: (event) => {
			column = which;
			zoomed = -1;
			buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === event.currentTarget)));
			addUp();
			show();
		} }, label));
		tools.append(...buttons);
	} else {
		column = columns[0][0];
	}
	place.append(tools, box, status);
	addUp();
	show();
}
