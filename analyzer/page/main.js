// SPDX-License-Identifier: MIT
// Puts the page together. The page already has the tables.
"use strict";

// The link to the section that people look at.
function markSections() {
	const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
	const seen = new Set();
	const watch = new IntersectionObserver((entries) => {
		for (const entry of entries) {
			seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
		}
		const here = [...links.keys()].find((id) => seen.has(id));
		for (const [id, link] of links) {
			if (id === here) {
				link.setAttribute("aria-current", "true");
			} else {
				link.removeAttribute("aria-current");
			}
		}
	}, { rootMargin: "-60px 0px -60% 0px" });
	document.querySelectorAll("main > section").forEach((section) => watch.observe(section));
}

// A link may lead into a folded part, and drawings have moved the place that the browser showed.
function showTarget() {
	const target = document.getElementById(placeOf(location.hash));
	if (target !== null) {
		const folded = target.closest("details");
		if (folded !== null) {
			folded.open = true;
		}
		target.scrollIntoView();
	}
}

document.body.append(tip);
for (const part of [drawCards, drawSteps, drawParts, enhanceTables, drawFindings, drawTimeline, drawFlame, drawMemory, markSections, listenToKeys]) {
	part();
}
restoreState();
showTarget();
addEventListener("hashchange", () => {
	restoreState();
	showTarget();
});
