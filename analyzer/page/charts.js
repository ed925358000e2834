// SPDX-License-Identifier: MIT
// The overview's drawings, findings, and memory over time: all from the reports' data.
"use strict";

const ROLES = [
	["kernel_ns", "Kernel"], ["memcpy_ns", "Memcpy"], ["memset_ns", "Memset"], ["communication_ns", "Communication"],
	["runtime_ns", "Runtime"], ["dataloader_ns", "DataLoader"], ["cpu_exec_ns", "CPU exec"], ["other_ns", "Other"],
];

// @place: the id of the card's source, which is a link if the page has it.
function card(value, label, share, place) {
	const isLink = place !== undefined && document.getElementById(place) !== null;
	const box = make("div", { class: "card" }, make("b", {}, value),
		isLink ? make("a", { href: "#" + place }, label) : make("span", {}, label));
	if (share !== undefined) {
		box.append(make("i", {}, style(make("i"), { "--v": (Math.min(1, share) * 100).toFixed(2) + "%" })));
	}
	return box;
}

function nameRank(row) {
	return (row.run ? clean(row.run) + " " : "") + (row.rank === null ? clean(row.input) : "rank " + row.rank);
}

// The rank with the shortest steps is often the one for which the others wait, so it is no model.
function rankCards() {
	const ranks = (reports.ranks || []).filter((row) => row.step_mean_ns > 0).sort((a, b) => b.step_mean_ns - a.step_mean_ns);
	const cards = [];
	for (const [row, word] of ranks.length > 1 ? [[ranks[0], "longest"], [ranks[ranks.length - 1], "shortest"]] : []) {
		cards.push(card(time(row.step_mean_ns), "mean step of " + nameRank(row) + ", the " + word + " of " + ranks.length + " ranks", undefined, "r-ranks"));
		if (typeof row.gpu_busy_share === "number") {
			cards.push(card(percent(row.gpu_busy_share), "of its GPU span " + nameRank(row) + "'s GPU is busy", row.gpu_busy_share, "r-ranks"));
		}
	}
	const waited = (reports.ranks || []).filter((row) => row.others_wait_ns > 0).sort((a, b) => b.others_wait_ns - a.others_wait_ns);
	const slow = waited.find((row) => row.slower_ns > 0);
	for (const row of slow && slow !== waited[0] ? [slow, waited[0]] : waited.slice(0, 1)) {
		const why = row.slower_ns > 0 ? ", slower by " + time(row.slower_ns) : row.slower_ns === 0 ? ", no slower itself" : "";
		cards.push(card(time(row.others_wait_ns), "the others wait for " + nameRank(row) + why, undefined,
			document.getElementById("r-stragglers") ? "r-stragglers" : "r-ranks"));
	}
	return cards;
}

function drawCards() {
	const cards = [];
	const mean = (reports["step-average"] || [])[0];
	const steps = reports.overview || [];
	if (mean) {
		cards.push(card(time(mean.total_ns), !data.timeline || data.timeline.steps.length === 0 ? "the whole" : steps.length === 1 ? "one step" : "mean of " + mean.steps + " steps", undefined, "r-overview"));
	}
	cards.push(...rankCards());
	const gpus = reports.gpu || [];
	for (const gpu of gpus.slice(0, 2)) {
		const of = gpus.length > 1 ? ", GPU " + gpu.device : "";
		for (const [key, label] of [["gpu_utilization", "of the window kernels run"], ["est_sm_efficiency", "est. SM efficiency"],
			["est_achieved_occupancy", "est. occupancy"]]) {
			if (typeof gpu[key] === "number") {
				cards.push(card(percent(gpu[key]), label + of, gpu[key], "r-gpu"));
			}
		}
	}
	for (const pool of (reports.memory || []).filter((row) => row.device !== null).slice(0, 1)) {
		cards.push(card(bytes(pool.peak_bytes), "peak of memory, GPU " + pool.device, undefined, "r-memory-holders"));
	}
	const findings = reports.advice || [];
	if (mean || gpus.length > 0) {
		cards.push(card(String(findings.length), findings.length === 1 ? "finding" : "findings", undefined, "findings"));
	}
	if (cards.length > 0) {
		view("cards").append(make("div", { class: "cards" }, ...cards));
	}
}

function stack(row, whole) {
	const bar = make("div", { class: "stack" });
	ROLES.forEach(([key, label], i) => {
		if (row[key] > 0) {
			const text = time(row[key]) + ", " + percent(row[key] / row.total_ns);
			const part = style(make("span", { mousemove: (event) => showTip(event, label, text), mouseleave: hideTip }),
				{ "--c": "var(--c" + i + ")", width: (row[key] / whole * 100) + "%" });
			bar.append(part);
		}
	});
	return bar;
}

// Tables with the same contents as a drawing are folded.
function fold(report, before) {
	const table = document.getElementById("r-" + report);
	if (table !== null) {
		const box = make("details", {}, make("summary", {}, "the same as a table"));
		table.replaceWith(...before, box);
		box.append(table);
	}
}

function drawSteps() {
	const steps = reports.overview || [];
	const mean = (reports["step-average"] || (steps.length === 1 ? steps : []))[0]; // of ranks there is no average
	if (!mean || !(mean.total_ns > 0)) {
		return;
	}
	const legend = make("ul", { class: "legend" }, ...ROLES.map(([key, label], i) => mean[key] > 0 ?
		style(make("li", {}, label + " ", make("b", {}, percent(mean[key] / mean.total_ns)), " " + time(mean[key])),
			{ "--c": "var(--c" + i + ")" }) : null));
	const most = Math.max(...steps.map((step) => step.total_ns));
	const rows = steps.length < 2 ? [] : steps.slice(0, 60).map((step) => make("div", { class: "step" },
		make("span", {}, "step " + clean(step.step)), stack(step, most), make("span", {}, time(step.total_ns))));
	view("steps").append(make("h3", {}, reports.ranks ? "Where the time of a step goes, mean of ranks" : steps.length < 2 ? "Where the time went" : "Where the time of a step goes, on average"),
		stack(mean, mean.total_ns), legend, ...rows);
	const footer = document.getElementById("footer");
	const first = (footer ? footer.textContent : "").split("\n").find((line) => line.startsWith("The first step,"));
	if (first) { // what the summary and `advice` mean by the slowest step is another one then
		view("steps").append(make("p", { class: "note" }, first));
	}
	(document.getElementById("r-step-average") || make("i")).remove();
	fold("overview", []);
	if (steps.length > 60) {
		view("steps").append(make("p", { class: "note" }, "the first 60 of " + steps.length + " steps; all are in the table"));
	}
}

// Of a comparison: the parts of a step's time, a bar for each run. Times stand in the columns that are no change.
function drawParts() {
	const rows = reports.parts || [];
	const nameOf = (row) => row.part === undefined ? row.name : row.part;
	const whole = rows.find((row) => nameOf(row) === "Total");
	if (!whole) {
		return;
	}
	const sides = Object.keys(whole).filter((key) => typeof whole[key] === "number" && /^(before|after|a)_ns$|^[B-I]$/.test(key));
	const runs = sides.map((side) => {
		const run = { total_ns: whole[side] };
		for (const [key, label] of ROLES) {
			const row = rows.find((each) => nameOf(each).toLowerCase() === label.toLowerCase());
			run[key] = row ? row[side] : 0;
		}
		return run;
	});
	const most = Math.max(...runs.map((run) => run.total_ns));
	if (!(most > 0)) {
		return;
	}
	const legend = make("ul", { class: "legend" }, ...ROLES.map(([key, label], i) => runs.some((run) => run[key] > 0) ?
		style(make("li", {}, label + " " + runs.map((run) => time(run[key])).join(" \u2192 ")), { "--c": "var(--c" + i + ")" }) : null));
	view("parts").append(...runs.map((run, i) => make("div", { class: "step" },
		make("span", {}, document.querySelector("#r-parts th[data-key=\"" + sides[i] + "\"]").textContent), stack(run, most), make("span", {}, time(run.total_ns)))), legend);
}

function drawFindings() {
	const findings = reports.advice || [];
	if (findings.length === 0) {
		return;
	}
	const list = make("ol", { class: "findings" }, ...findings.map((row, i) => {
		const place = "finding-" + (i + 1);
		const links = make("div", { class: "links" });
		if (typeof row.start_ns === "number" && row.longest_ns > 0 && data.timeline) {
			links.append(make("a", { href: "#timeline", click: () => showTime(row.start_ns, row.longest_ns) },
				"worst place: " + (row.step === null ? "" : "step " + clean(row.step) + ", ") + "at " + time(row.start_ns) + ", " + time(row.longest_ns)));
		}
		for (const name of row.reports.split(", ")) { // not all are in the page
			if (document.getElementById("r-" + name)) {
				links.append(make("a", { href: "#r-" + name }, "table " + name));
			}
		}
		return make("li", { id: place }, make("div", { class: "share" }, row.share > 0 ? percent(row.share) : "!", make("small", {}, row.total_ns === null ? "" : time(row.total_ns))),
			make("b", {}, clean(row.rule).replace(/_/g, " "), make("a", { class: "link", href: "#" + place, "aria-label": "link to this finding" })), make("p", {}, clean(row.finding + (row.evidence === null ? "" : ": " + row.evidence) + ". " + row.remedy + ".")), links);
	}));
	fold("advice", [list]);
}

const LEFT = 76; // where curves begin, behind the axis

// The curve of a device: a value holds until the next.
function drawCurve(device, rows) {
	const width = 1000;
	const height = 180;
	const end = Math.max(...rows.map((row) => row.time_ns));
	const start = Math.min(0, ...rows.map((row) => row.time_ns));
	const most = Math.max(1, ...rows.map((row) => row.allocated_bytes));
	const least = Math.min(0, ...rows.map((row) => row.allocated_bytes));
	const x = (ns) => (LEFT + (ns - start) / Math.max(1, end - start) * (width - LEFT - 10)).toFixed(1);
	const y = (value) => (height - 22 - (value - least) / (most - least) * (height - 40)).toFixed(1);
	let path = "";
	rows.forEach((row, i) => {
		path += i === 0 ? "M" + x(row.time_ns) + " " + y(row.allocated_bytes) : "H" + x(row.time_ns) + "V" + y(row.allocated_bytes);
	});
	const peak = rows.find((row) => row.allocated_bytes === most) || rows[0];
	const svg = draw("svg", { viewBox: "0 0 " + width + " " + height, role: "img",
		"aria-label": "allocated memory of " + device + " over time, peak " + bytes(peak.allocated_bytes) + " at " + time(peak.time_ns) });
	for (const part of [0, 0.5, 1]) {
		const value = least + (most - least) * part;
		svg.append(draw("line", { class: "grid", x1: LEFT, x2: width - 10, y1: y(value), y2: y(value) }),
			draw("text", { x: LEFT - 6, y: y(value), "text-anchor": "end", dy: "4" }, bytes(Math.round(value))));
	}
	svg.append(draw("path", { class: "area", d: path + "V" + y(least) + "H" + x(rows[0].time_ns) + "Z" }), draw("path", { class: "line", d: path }),
		draw("circle", { class: "peak", cx: x(peak.time_ns), cy: y(peak.allocated_bytes), r: 4 }),
		draw("text", { x: LEFT, y: height - 5 }, time(start)), draw("text", { x: width - 10, y: height - 5, "text-anchor": "end" }, time(end)));
	return [make("h3", {}, device + ": peak " + bytes(peak.allocated_bytes) + " at " + time(peak.time_ns)), svg,
		make("p", { class: "note" }, peak.range ? "in " + clean(peak.range) : "")];
}

function drawMemory() {
	const devices = new Map();
	for (const row of reports["memory-curve"] || []) {
		devices.set(row.device, [...devices.get(row.device) || [], row]);
	}
	for (const [device, rows] of devices) {
		view("memory-curve").append(...drawCurve(clean(device), rows));
	}
}
