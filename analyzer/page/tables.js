// SPDX-License-Identifier: MIT
// Tables: order, filter, bars, and the details of a row. Rows are those of the data, in its order.
"use strict";

const FEW = 12; // rows that are shown before people ask for all

function isShare(key) {
	return /_share$|^share$|utilization|efficiency|occupancy$|^tensor_core_time$/.test(key);
}

// Shares are of 1. A table without shares compares its first time with the largest; a comparison, the change.
function addBars(table, keys, rows, data) {
	let bars = keys.map((key, i) => [key, i, 1]).filter(([key]) => isShare(key));
	if (bars.length === 0 && rows.length > 2 && keys.includes("name")) {
		const isDiff = keys.some((key) => /^change_ns$| - A$/.test(key));
		const at = isDiff ? keys.indexOf("change_ns") : keys.findIndex((key) => /_ns$/.test(key) && !/start|first|last/.test(key));
		const most = at < 0 ? 0 : Math.max(...data.map((row) => row[keys[at]] || 0));
		bars = most > 0 ? [[keys[at], at, most]] : [];
	}
	for (const [key, column, whole] of bars) {
		rows.forEach((row, i) => {
			const value = data[i][key];
			if (typeof value === "number" && value > 0) {
				row.cells[column].classList.add("bar");
				style(row.cells[column], { "--v": Math.min(100, value / whole * 100).toFixed(2) + "%" });
			}
		});
	}
}

// Durations of a row: page-parts.h defines the begin of bucket b.
function histogram(shape) {
	const begin = (b) => b < 4 ? b : (4 + b % 4) * 2 ** (Math.floor(b / 4) - 1);
	const first = shape[1];
	const last = shape[shape.length - 2];
	const counts = new Map();
	for (let i = 1; i < shape.length; i += 2) {
		counts.set(shape[i], shape[i + 1]);
	}
	const most = Math.max(...counts.values());
	const bars = make("div", { class: "hist", role: "img", "aria-label": "histogram of durations, from " +
		time(begin(first)) + " to " + time(begin(last + 1)) });
	for (let b = first; b <= last; b++) {
		const here = counts.get(b) || 0;
		bars.append(style(make("span", { title: count(here) + " from " + time(begin(b)) + " to below " + time(begin(b + 1)) }),
			{ height: (here === 0 ? 0 : Math.max(2, here / most * 100)) + "%" }));
	}
	return [bars, make("div", { class: "axis" }, make("span", {}, time(begin(first))),
		make("span", {}, "durations, logarithmic"), make("span", {}, time(begin(last + 1))))];
}

// Tables that can show a row on request, by the name of their report.
const tables = new Map();

function makeDetail(name, values, columns, shape, calls) {
	const cell = make("td", { colspan: columns }, make("div", { class: "full" }, clean(name)));
	if (shape !== undefined) {
		cell.append(...histogram(shape));
	}
	if (calls !== undefined) {
		cell.append(...drawCalls(...calls));
	}
	const rest = Object.entries(values).filter(([, value]) => typeof value === "number" || value === null);
	cell.append(make("p", { class: "note" }, rest.map(([key, value]) => key + " " + (value === null ? "-" : value)).join(" \u00b7 ")));
	return make("tr", { class: "detail" }, cell);
}

// A name becomes a button that shows the row's detail below it.
function addDetails(name, rows, keys, data, shapes, calls) {
	const column = keys.findIndex((key) => key === "name" || key === "range" || key === "category");
	if (column < 0) {
		return;
	}
	rows.forEach((row, i) => {
		const cell = row.cells[column];
		const button = make("button", { class: "open", type: "button", "aria-expanded": "false" }, ...cell.childNodes);
		button.title = shorten(cell.textContent, 400);
		button.addEventListener("click", () => {
			const isOpen = button.getAttribute("aria-expanded") === "true";
			button.setAttribute("aria-expanded", String(!isOpen));
			if (isOpen) {
				row.nextElementSibling.remove();
			} else {
				row.after(makeDetail(data[i][keys[column]] || "", data[i], keys.length, shapes.get(i), calls.get(i)));
			}
			changed();
		});
		cell.replaceChildren(button);
	});
}

// The basis of a verdict: the interval, and above and below it the runs of both sides, if there are several.
const METHODS = {
	pairs: "each call beside the same call of the other runs",
	calls: "how long calls take, whichever they are",
	totals: "the time of runs",
	buckets: "the distributions of durations",
	instructions: "the instructions of its calls",
};

function evidence(row, dots) {
	const sides = dots === undefined ? [] : dots.slice(1);
	const values = [0, row.low_part, row.high_part, ...sides.flat()].filter((value) => typeof value === "number");
	const low = Math.min(...values);
	const wide = Math.max(...values) - low || 1;
	const place = (value) => 3 + (value - low) / wide * 94;
	const picture = draw("svg", { class: "runs", viewBox: "0 0 100 18", role: "img" });
	const words = percent(row.low_part) + " to " + percent(row.high_part) + ", by " + METHODS[row.method];
	picture.append(draw("title", {}, words), draw("line", { class: "none", x1: place(0), x2: place(0), y1: 0, y2: 18 }),
		draw("line", { class: "range", x1: place(row.low_part), x2: place(row.high_part), y1: 9, y2: 9 }));
	sides.forEach((side, i) => side.filter((value) => value !== null).forEach((value) =>
		picture.append(draw("circle", { class: "side" + i, cx: place(value), cy: i === 0 ? 3 : 15, r: 2.2 }))));
	return picture;
}

// For a comparison: a picture in each row's interval.
function addEvidence(rows, keys, values, dots) {
	const column = keys.indexOf("interval");
	const shown = new Map(dots.map((each) => [each[0], each]));
	if (column < 0) {
		return;
	}
	rows.forEach((row, i) => {
		if (typeof values[i].low_part === "number") {
			row.cells[column].append(evidence(values[i], shown.get(i)));
		}
	});
}

// Columns for people are sorted by a number of the data.
const SORT_BY = { interval: "estimate_part", by: "method" };

function compare(a, b) {
	if (typeof a === "string" || typeof b === "string") {
		return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
	}
	return a - b;
}

function enhance(table) {
	const name = table.dataset.report;
	const rowsOf = reports[name];
	const heads = [...table.tHead.rows[0].cells];
	const keys = heads.map((head) => head.dataset.key);
	const body = table.tBodies[0];
	const rows = [...body.rows];
	const shapes = new Map(((data.shapes || {})[name] || []).map((shape) => [shape[0], shape]));
	const source = (data.calls || {})[name] || { rows: [] };
	const calls = new Map(source.rows.map(([row, ...parts]) => [row, [source, ...parts]]));
	const words = rows.map((row) => [...row.cells].filter((cell) => cell.classList.contains("t"))
		.map((cell) => cell.textContent.toLowerCase()).join("\n"));
	let order = rows.map((_, i) => i);
	let isAll = rows.length <= FEW + 3;
	let wanted = "";

	addBars(table, keys, rows, rowsOf);
	addDetails(name, rows, keys, rowsOf, shapes, calls);
	addEvidence(rows, keys, rowsOf, (data.reports.dots || {})[name] || []);

	const shown = make("small", { role: "status" });
	const more = make("button", { class: "b", type: "button", click: () => {
		isAll = !isAll;
		show();
		changed();
	} });
	const filter = make("input", { type: "search", placeholder: "Filter", input: (event) => {
		wanted = event.target.value.toLowerCase();
		show();
		changed();
	} });

	function show() {
		const found = order.filter((i) => words[i].includes(wanted));
		const few = isAll || wanted !== "" ? found : found.slice(0, FEW);
		for (const button of body.querySelectorAll("button[aria-expanded=true]")) {
			button.setAttribute("aria-expanded", "false");
		}
		body.replaceChildren(...few.map((i) => rows[i]));
		shown.textContent = few.length < rows.length ? few.length + " of " + rows.length + " rows" : "";
		more.textContent = isAll ? "Show fewer" : "Show all " + rows.length;
		more.hidden = wanted !== "" || rows.length <= FEW + 3;
	}

	function sortBy(column, sign) {
		const key = SORT_BY[keys[column]] || keys[column];
		heads.forEach((head) => head.removeAttribute("aria-sort"));
		heads[column].setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
		order.sort((a, b) => {
			const left = rowsOf[a][key];
			const right = rowsOf[b][key];
			if (left === null || right === null) {
				return (left === null) - (right === null);
			}
			return sign * compare(left, right) || a - b;
		});
		show();
	}

	// Numbers begin with the largest, texts with the first.
	function turn(column) {
		const isDown = heads[column].getAttribute("aria-sort") === "descending";
		const isText = heads[column].classList.contains("t");
		sortBy(column, isDown || (isText && !heads[column].hasAttribute("aria-sort")) ? 1 : -1);
		changed();
	}

	const openOf = (i) => rows[i].querySelector("button.open");

	// Shows a row wherever it is, with its details.
	function reveal(i) {
		const folded = box.closest("details");
		if (folded !== null) {
			folded.open = true;
		}
		if (wanted !== "" && !words[i].includes(wanted)) {
			filter.value = wanted = "";
		}
		isAll = isAll || order.indexOf(i) >= FEW;
		show();
		if (openOf(i) !== null) {
			openOf(i).click();
			openOf(i).focus({ preventScroll: true });
		}
		rows[i].scrollIntoView({ block: "center" });
	}

	tables.set(name, { rows: words, titleOf: (i) => (rows[i].querySelector("td.t") || rows[i].cells[0]).textContent, title: table.caption.textContent, reveal });
	keepState(name, () => {
		const column = heads.findIndex((head) => head.hasAttribute("aria-sort"));
		const open = rows.map((row, i) => i).filter((i) => openOf(i) !== null && openOf(i).getAttribute("aria-expanded") === "true");
		return { f: filter.value, s: column < 0 ? "" : (heads[column].getAttribute("aria-sort") === "ascending" ? "+" : "-") + keys[column],
			a: isAll && rows.length > FEW + 3 ? "1" : "", o: open.join(".") };
	}, (state) => {
		filter.value = state.f || "";
		wanted = filter.value.toLowerCase();
		isAll = rows.length <= FEW + 3 || state.a === "1";
		const column = keys.indexOf((state.s || "").slice(1));
		order = rows.map((_, i) => i);
		heads.forEach((head) => head.removeAttribute("aria-sort"));
		if (column >= 0) {
			sortBy(column, state.s[0] === "+" ? 1 : -1);
		}
		show();
		for (const i of (state.o || "").split(".").filter((each) => each !== "" && rows[each] !== undefined)) {
			openOf(i)?.click();
		}
	});

	const title = table.caption.textContent;
	const section = table.closest("section").querySelector("h2").textContent;
	const place = "#" + table.closest(".report").id;
	const tools = make("div", { class: "tools" }, make("b", {}, title === section ? "" : title,
		make("a", { class: "link", href: place, "aria-label": "link to this table" })), shown, more);
	if (rows.length > 4) {
		filter.setAttribute("aria-label", "Filter " + title);
		tools.append(filter);
		heads.forEach((head, column) => {
			head.replaceChildren(make("button", { type: "button", click: () => turn(column) }, head.textContent));
		});
	}
	const box = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title });
	table.replaceWith(tools, box);
	box.append(table);
	show();
}

// Paper has no buttons, so the visible rows are printed.
function enhanceTables() {
	document.querySelectorAll("table[data-report]").forEach(enhance);
}
