// SPDX-License-Identifier: MIT
// The timeline: a canvas with a row for each stream and thread. The data are bounded: in a long
// capture, neighbours that are too short to be visible become one item (page-timeline.c).
"use strict";

// The functions that the rest of the page uses; they do nothing without a timeline.
let showTime = () => {};
let focusTimeline = () => {};
let stepTimeline = () => {};
let nextInTimeline = () => {};
let findInTimeline = () => [];

const LANE = 15; // pixels, less where there are many
const MOST = 3000;

// Arrays of a row, from its flat list.
function unpack(row) {
	const size = row.data.length / 4;
	const out = { lane: new Uint8Array(size), start: new Float64Array(size), dur: new Float64Array(size), which: new Int32Array(size) };
	let at = 0;
	for (let i = 0; i < size; i++) {
		at += row.data[4 * i + 1];
		out.lane[i] = row.data[4 * i];
		out.start[i] = at;
		out.dur[i] = row.data[4 * i + 2];
		out.which[i] = row.data[4 * i + 3];
	}
	return out;
}

const COUNTER = 34; // pixels

// Arrays of a counter, from its flat list. A value holds until the next point.
function unpackCounter(counter) {
	const flat = counter.points;
	const points = [];
	for (let i = 0; i < flat.length; i += 4) {
		points.push({ at: flat[i] + (i > 0 ? points[points.length - 1].at : 0), least: flat[i + 1], most: flat[i + 2], last: flat[i + 3] });
	}
	return { name: clean(counter.name), points, least: Math.min(0, ...points.map((point) => point.least)),
		most: Math.max(...points.map((point) => point.most)) };
}

function drawTimeline() {
	const source = data.timeline;
	const place = view("timeline");
	if (!source || source.rows.length === 0) {
		removeSection("timeline");
		return;
	}
	const names = source.names.map(clean);
	const rows = source.rows.map((row) => ({ ...row, ...unpack(row), name: clean(row.name) }));
	let first = Math.min(0, ...rows.map((row) => row.start.length > 0 ? row.start[0] : 0));
	let last = Math.max(source.end_ns, 1);
	for (const row of rows) {
		for (let i = 0; i < row.start.length; i++) {
			last = Math.max(last, row.start[i] + row.dur[i]);
		}
	}
	const lanes = rows.reduce((sum, row) => sum + row.lanes, 0);
	const lane = Math.max(4, Math.min(LANE, Math.floor((MOST - rows.length * 20) / lanes)));
	const head = 24;
	let top = head;
	for (const row of rows) {
		row.top = top + 16;
		top += 16 + row.lanes * lane + 6;
	}
	const counters = source.counters.map(unpackCounter);
	for (const counter of counters) {
		counter.top = top + 16;
		top += 16 + COUNTER + 6;
	}
	const height = top;
	let from = first;
	let to = last;
	let wanted = "";
	let mark = null;
	let colors = null;

	const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": "timeline of " + rows.length +
		" rows; arrow keys move, plus and minus zoom, 0 shows all. The tables have the figures." });
	const context = canvas.getContext("2d");
	const status = make("p", { class: "status", role: "status" });

	function readColors() {
		const css = getComputedStyle(document.documentElement);
		const get = (name) => css.getPropertyValue(name).trim();
		colors = { text: get("--text"), soft: get("--soft"), line: get("--line"), card: get("--card"), back: get("--back"), bar: get("--bar"),
			of: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => get("--c" + i)) };
	}

	// A round number of ns for some ten lines.
	function findTick(span) {
		let tick = 10 ** Math.floor(Math.log10(Math.max(1, span / 8)));
		while (span / tick > 10) {
			tick *= span / tick > 20 ? 5 : 2;
		}
		return Math.max(1, tick);
	}

	function drawAxis(width, x) {
		const tick = findTick(to - from);
		context.font = "11px system-ui, sans-serif";
		context.textBaseline = "middle";
		source.steps.forEach(([name, start, end], i) => {
			if (end < from || start > to) {
				return;
			}
			const left = Math.max(0, x(start));
			const right = Math.min(width, x(end));
			context.fillStyle = colors.back;
			if (i % 2 === 0) {
				context.fillRect(left, head, right - left, height - head);
			}
			if (right - left > 50) {
				context.fillStyle = colors.soft;
				context.fillText("step " + shorten(clean(name), 20), left + 4, 18, right - left - 6);
			}
		});
		for (let at = Math.ceil(from / tick) * tick; at <= to; at += tick) {
			context.fillStyle = colors.line;
			context.fillRect(Math.round(x(at)), 0, 1, height);
			context.fillStyle = colors.soft;
			context.fillText(label(at, tick), x(at) + 3, 6);
		}
	}

	// With enough digits that neighbours differ.
	function label(ns, tick) {
		for (const [unit, word] of [[1e9, "s"], [1e6, "ms"], [1e3, "us"]]) {
			if (Math.max(Math.abs(from), Math.abs(to)) >= unit) {
				return (ns / unit).toFixed(Math.max(0, Math.ceil(Math.log10(unit / tick)))) + word;
			}
		}
		return ns + "ns";
	}

	function drawRow(row, x, width) {
		context.fillStyle = colors.soft;
		context.fillText(shorten(row.name, 90) + (row.left_out > 0 ? " (" + row.left_out + " deeper ones not shown)" : ""), 6, row.top - 7);
		context.textBaseline = "middle";
		for (let i = 0; i < row.start.length; i++) {
			const end = row.start[i] + row.dur[i];
			if (end < from || row.start[i] > to) {
				continue;
			}
			const left = Math.max(-2, x(row.start[i]));
			const size = Math.max(0.6, Math.min(width + 2, x(end)) - left);
			const y = row.top + row.lane[i] * lane;
			const which = row.which[i];
			const isFound = wanted === "" || (which >= 0 && names[which].toLowerCase().includes(wanted));
			context.globalAlpha = isFound ? 1 : 0.15;
			context.fillStyle = which < 0 ? colors.of[7] : colors.of[color(names[which])];
			context.fillRect(left, y, size, lane - 1);
			if (size > 34 && lane > 9) {
				const text = which < 0 ? count(-which) + " short" : names[which];
				context.fillStyle = "#10141b";
				context.fillText(shorten(text, Math.max(3, Math.floor(size / 5.6))), left + 3, y + lane / 2, size - 5);
			}
		}
		context.globalAlpha = 1;
	}

	function drawCounter(counter, x, width) {
		const { points, least, most } = counter;
		const y = (value) => counter.top + COUNTER - (value - least) / (most - least || 1) * COUNTER;
		context.fillStyle = colors.soft;
		context.fillText(shorten(counter.name, 90) + ", at most " + nice(counter, most), 6, counter.top - 7);
		context.fillStyle = colors.of[color(counter.name)];
		points.forEach((point, i) => {
			const left = Math.max(0, Math.floor(x(point.at)));
			const right = i + 1 < points.length ? Math.min(width, Math.floor(x(points[i + 1].at))) : width;
			if (right < 0 || left > width) {
				return;
			}
			context.globalAlpha = 0.8;
			context.fillRect(left, y(Math.max(point.last, 0)), Math.max(right - left, 0.5), Math.abs(y(point.last) - y(0)));
			context.globalAlpha = 1;
			context.fillRect(left, y(point.most), 1, Math.max(1, y(point.least) - y(point.most)));
		});
	}

	const nice = (counter, value) => / bytes$/.test(counter.name) ? bytes(value) : count(Number(value.toPrecision(6)));

	// The values of a counter below the pointer.
	function findValue(event) {
		const box = canvas.getBoundingClientRect();
		const counter = counters.find((each) => event.clientY - box.top >= each.top && event.clientY - box.top < each.top + COUNTER);
		const at = timeAt(event);
		const points = counter ? counter.points.filter((point) => point.at <= at) : [];
		if (points.length === 0) {
			return null;
		}
		const { least, most, last } = points[points.length - 1];
		return [counter.name, nice(counter, last) + (least === most ? "" : ", here from " + nice(counter, least) + " to " + nice(counter, most))];
	}

	function show() {
		const ratio = devicePixelRatio || 1;
		const width = canvas.clientWidth;
		if (width === 0) {
			return;
		}
		const x = (ns) => (ns - from) / (to - from) * width;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.fillStyle = colors.card;
		context.fillRect(0, 0, width, height);
		drawAxis(width, x);
		rows.forEach((row) => drawRow(row, x, width));
		counters.forEach((counter) => drawCounter(counter, x, width));
		if (mark !== null && mark[1] >= from && mark[0] <= to) {
			context.strokeStyle = colors.text;
			context.lineWidth = 2;
			context.strokeRect(x(mark[0]), head, Math.max(2, x(mark[1]) - x(mark[0])), height - head - 2);
		}
	}

	let isAsked = false;
	function ask() {
		if (!isAsked) {
			isAsked = true;
			requestAnimationFrame(() => {
				isAsked = false;
				show();
			});
		}
	}

	function move(start, end) {
		const span = Math.min(Math.max(end - start, 20), last - first);
		from = Math.min(Math.max(start, first), last - span);
		to = from + span;
		status.textContent = "from " + time(Math.round(from)) + " to " + time(Math.round(to)) + ", " + time(Math.round(to - from)) + " of " + time(last - first);
		ask();
		changed();
	}

	function zoom(factor, at) {
		const middle = at === undefined ? (from + to) / 2 : at;
		move(middle - (middle - from) * factor, middle + (to - middle) * factor);
	}

	const timeAt = (event) => from + (event.clientX - canvas.getBoundingClientRect().left) / canvas.clientWidth * (to - from);

	function findItem(event) {
		const box = canvas.getBoundingClientRect();
		const y = event.clientY - box.top;
		const slack = (to - from) / box.width;
		const at = timeAt(event);
		for (const row of rows) {
			const inLane = Math.floor((y - row.top) / lane);
			if (inLane < 0 || inLane >= row.lanes) {
				continue;
			}
			for (let i = 0; i < row.start.length; i++) {
				if (row.lane[i] === inLane && row.start[i] - slack <= at && at <= row.start[i] + row.dur[i] + slack) {
					return [row, i];
				}
			}
		}
		return null;
	}

	function describe(row, i) {
		const which = row.which[i];
		const title = which < 0 ? count(-which) + " that are shorter than " + time(source.merged_below_ns) : names[which];
		return [title, (which < 0 ? "within " : "") + time(row.dur[i]) + ", from " + time(row.start[i]) + ", " + row.name];
	}

	let drag = null;
	canvas.addEventListener("pointerdown", (event) => {
		drag = { x: event.clientX, from, to, moved: false };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (drag !== null) {
			const shift = (drag.x - event.clientX) / canvas.clientWidth * (drag.to - drag.from);
			drag.moved = drag.moved || Math.abs(event.clientX - drag.x) > 3;
			move(drag.from + shift, drag.to + shift);
			return;
		}
		const item = findItem(event);
		const tipped = item === null ? findValue(event) : describe(...item);
		if (tipped === null) {
			hideTip();
		} else {
			showTip(event, ...tipped);
		}
	});
	canvas.addEventListener("pointerup", (event) => {
		const item = drag !== null && !drag.moved ? findItem(event) : null;
		drag = null;
		if (item !== null) {
			const [row, i] = item;
			mark = [row.start[i], row.start[i] + row.dur[i]];
			status.textContent = describe(row, i).join(": ");
			ask();
			changed();
		}
	});
	canvas.addEventListener("pointerleave", hideTip);
	canvas.addEventListener("dblclick", (event) => {
		const item = findItem(event);
		if (item !== null) {
			const [row, i] = item;
			move(row.start[i] - row.dur[i] * 0.1, row.start[i] + row.dur[i] * 1.1);
		}
	});
	// The wheel scrolls the page unless Ctrl is held, or the timeline was clicked into.
	canvas.addEventListener("wheel", (event) => {
		if (event.ctrlKey || event.metaKey || document.activeElement === canvas) {
			event.preventDefault();
			zoom(1.2 ** (event.deltaY / 60), timeAt(event));
		}
	}, { passive: false });
	canvas.addEventListener("keydown", (event) => {
		const span = to - from;
		const does = { ArrowLeft: () => move(from - span / 8, to - span / 8), ArrowRight: () => move(from + span / 8, to + span / 8),
			"+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1.6), 0: () => move(first, last) }[event.key];
		if (does) {
			event.preventDefault();
			does();
		}
	});

	showTime = (start, span) => {
		mark = [start, start + span];
		move(start - span, start + span * 2);
	};

	focusTimeline = () => {
		canvas.scrollIntoView({ block: "nearest" });
		canvas.focus();
	};

	const showStep = (step) => move(step[1] - (step[2] - step[1]) * 0.05, step[2] + (step[2] - step[1]) * 0.05);

	// The step before or after the one in the middle.
	stepTimeline = (by) => {
		const at = source.steps.findLastIndex((step) => step[1] <= (from + to) / 2);
		const step = source.steps[Math.max(0, Math.min(source.steps.length - 1, at + by))];
		if (step) {
			showStep(step);
			focusTimeline();
		}
	};

	// Items whose name has a text, by their begin.
	function findItems(text) {
		const is = names.map((name) => name.toLowerCase().includes(text));
		const found = [];
		for (const row of rows) {
			for (let i = 0; i < row.start.length; i++) {
				if (row.which[i] >= 0 && is[row.which[i]]) {
					found.push([row, i]);
				}
			}
		}
		return found.sort(([a, i], [b, k]) => a.start[i] - b.start[k]);
	}

	function showItem([row, i]) {
		showTime(row.start[i], row.dur[i]);
		status.textContent = describe(row, i).join(": ");
	}

	nextInTimeline = (by) => {
		const found = wanted === "" ? [] : findItems(wanted);
		const now = mark === null ? from : mark[0];
		const next = by > 0 ? found.find(([row, i]) => row.start[i] > now) : found.findLast(([row, i]) => row.start[i] < now);
		if (next) {
			showItem(next);
			focusTimeline();
		}
	};

	// Names that contain a text, each with an action that shows its longest item.
	findInTimeline = (text) => names.filter((name) => name.toLowerCase().includes(text)).slice(0, 20).map((name) => [name, () => {
		wanted = highlight.value = name.toLowerCase();
		const longest = findItems(wanted).reduce((most, [row, i]) => most === null || row.dur[i] > most[0].dur[most[1]] ? [row, i] : most, null);
		if (longest !== null) {
			showItem(longest);
		}
		focusTimeline();
	}]);

	const button = (text, label, does) => make("button", { class: "b", type: "button", "aria-label": label, click: does }, text);
	const tools = make("div", { class: "tools" }, make("b", {}, "Streams and threads"),
		button("+", "zoom in", () => zoom(0.5)), button("\u2212", "zoom out", () => zoom(2)), button("All", "show all", () => move(first, last)));
	if (source.steps.length > 1) {
		tools.append(make("select", { "aria-label": "Go to step", change: (event) => {
			const step = source.steps[event.target.value];
			if (step) {
				showStep(step);
			} else {
				move(first, last);
			}
		} }, make("option", { value: "" }, "all steps"), ...source.steps.map(([name], i) => make("option", { value: i }, "step " + clean(name)))));
	}
	const highlight = make("input", { type: "search", placeholder: "Highlight", "aria-label": "Highlight items by name", input: (event) => {
		wanted = event.target.value.toLowerCase();
		ask();
		changed();
	} });
	tools.append(highlight);
	keepState("timeline", () => ({ at: from === first && to === last ? "" : Math.round(from) + "~" + Math.round(to), hl: highlight.value,
		mark: mark === null ? "" : mark.join("~") }), (state) => {
		const numbers = (text) => (text || "").split("~").map(Number);
		const [start, end] = numbers(state.at);
		const [left, right] = numbers(state.mark);
		highlight.value = state.hl || "";
		wanted = highlight.value.toLowerCase();
		mark = right >= left ? [left, right] : null;
		move(...(end > start ? [start, end] : [first, last]));
	});
	place.append(tools, make("div", { class: "draw" }, style(canvas, { height: height + "px" })), status,
		make("p", { class: "note" }, "Drag to move; wheel with Ctrl, or after a click, to zoom; double-click an item to see it in full; arrow keys, + and \u2212. " +
			(source.merged_below_ns > 0 ? "Of " + count(source.items) + " items, neighbours shorter than " + time(source.merged_below_ns) + " are drawn as one, in grey. " : "") +
			(source.has_more_counters ? "More counters than the first " + counters.length + " are not shown. " : "") +
			(source.rows_left_out > 0 ? source.rows_left_out + " rows are not shown. " : "") +
			"Everything: analyzer " + clean(data.reports.input) + " -o trace.json.gz, and open that in ", make("a", { href: "https://ui.perfetto.dev", rel: "noreferrer" }, "ui.perfetto.dev"), "."));
	readColors();
	move(first, last);
	new ResizeObserver(ask).observe(canvas);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
		readColors();
		ask();
	});
}
