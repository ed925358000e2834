// SPDX-License-Identifier: MIT
// Single calls of a row: their durations over time, and the slowest of them.
"use strict";

const PART_COUNT = 1;
const PART_SUM = 2;
const PART_MAX = 3;

// The flat list of parts as rows: [part, calls, sum, longest].
function takeParts(flat) {
	const parts = [];
	for (let i = 0; i < flat.length; i += 4) {
		parts.push(flat.slice(i, i + 4));
	}
	return parts;
}

// The mean of the calls that begin in some of the parts; null: there are none.
function meanOf(parts, from, to) {
	const some = parts.filter(([part]) => part >= from && part < to);
	const calls = some.reduce((sum, part) => sum + part[PART_COUNT], 0);
	return calls === 0 ? null : some.reduce((sum, part) => sum + part[PART_SUM], 0) / calls;
}

// Did it get slower?
function compareEnds(source, parts) {
	const first = meanOf(parts, 0, source.parts / 3);
	const last = meanOf(parts, source.parts * 2 / 3, source.parts);
	if (first === null || last === null || first === 0) {
		return "";
	}
	const change = (last / first - 1) * 100;
	return "Mean in the first third of the time " + time(Math.round(first)) + ", in the last " + time(Math.round(last)) +
		" (" + (change < 0 ? "\u2212" : "+") + Math.abs(change).toFixed(1) + "%).";
}

function drawOver(source, parts) {
	const most = Math.max(1, ...parts.map((part) => part[PART_MAX]));
	const at = (part) => source.end_ns / source.parts * part;
	const svg = draw("svg", { class: "over", viewBox: "0 0 " + source.parts * 10 + " 90", preserveAspectRatio: "none", role: "img",
		"aria-label": "durations over time: the mean and the longest of calls that begin in each " + source.parts + "th of the capture" });
	for (const part of parts) {
		const mean = part[PART_SUM] / part[PART_COUNT];
		const bar = (value, kind) => draw("rect", { class: kind, x: part[0] * 10 + 1, width: 8, y: 90 - value / most * 88, height: value / most * 88 });
		const group = draw("g", {}, bar(part[PART_MAX], "longest"), bar(mean, "mean"));
		group.append(draw("title", {}, count(part[PART_COUNT]) + (part[PART_COUNT] === 1 ? " call" : " calls") + " from " + time(Math.round(at(part[0]))) + " to " + time(Math.round(at(part[0] + 1))) +
			": mean " + time(Math.round(mean)) + ", longest " + time(part[PART_MAX])));
		svg.append(group);
	}
	return [svg, make("div", { class: "axis" }, make("span", {}, "0"), make("span", {}, "mean and longest call over time, at most " + time(most)),
		make("span", {}, time(source.end_ns)))];
}

function listSlow(slow) {
	const list = make("ol", { class: "slow" });
	for (let i = 0; i < slow.length; i += 2) {
		const [start, dur] = [slow[i], slow[i + 1]];
		const text = time(dur) + " at " + time(start);
		list.append(make("li", {}, data.timeline ? make("a", { href: "#timeline", click: () => showTime(start, dur) }, text) : text));
	}
	return [make("p", { class: "note" }, "The slowest:"), list];
}

// @slow: [start, duration, ...]; @flat: see takeParts().
function drawCalls(source, slow, flat) {
	const parts = takeParts(flat);
	const calls = parts.reduce((sum, part) => sum + part[PART_COUNT], 0);
	return [...(calls > 2 ? drawOver(source, parts) : []), ...(calls > 2 ? [make("p", { class: "note" }, compareEnds(source, parts))] : []), ...listSlow(slow)];
}
