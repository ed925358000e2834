#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of -o report.html shows the figures of `stats --format json`. Names are text, and nothing
# is fetched. Flame graphs for other tools add up to the same sums.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
here=$top_srcdir/tests/page
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

command -v python3 >/dev/null 2>&1 || skip_all "no python3"

# check FILE SENTENCE: makes its page and compares.
check()
{
	"$analyzer" "$1" -o "$temp/page.html" 2>"$temp/err" &&
		python3 "$here/page.py" check "$analyzer" "$1" "$temp/page.html" >"$temp/out" 2>&1
	is "$(cut -c1-300 "$temp/err" "$temp/out" | head -n 20)" "$3" "$2"
}

python3 "$here/page.py" trace "$temp/trace.json"
check "$temp/trace.json" "a page of a trace has the figures of --format json, and names that try to get out are text" "tables 23, cells many"
cp "$temp/page.html" "$temp/hostile.html"
"$analyzer" "$temp/trace.json" -o "$temp/again.html"
cmp "$temp/page.html" "$temp/again.html"
ok $? "the same input gives the same page"
is "$(LC_ALL=C grep -c "$(printf '\342\200[\250-\256]')" "$temp/page.html")" 0 "no byte in it turns the direction of writing"
is "$(python3 - "$temp/page.html" <<'EOF'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
links = set(re.findall(r'<a class=to href="#([^"]*)">', text))
print(len(links) > 3, sorted(link for link in links if f' id="{link}"' not in text))
EOF
)" "True []" "findings have links to the tables in it, without a script, too"
"$analyzer" "$temp/trace.json" -o "$temp/page.html.gz"
gzip -dc "$temp/page.html.gz" | cmp - "$temp/again.html"
ok $? "a page can be packed"

# check_diff SENTENCE FILE...: does the same for the page of a comparison.
check_diff()
{
	sentence=$1
	shift
	"$analyzer" diff "$@" -o "$temp/diff.html" 2>"$temp/err" &&
		python3 "$here/page.py" diff "$analyzer" "$temp/diff.html" "$@" >"$temp/out" 2>&1
	is "$(cut -c1-300 "$temp/err" "$temp/out" | head -n 20)" "tables 2, cells many" "$sentence"
}

sed -e 's/"dur": 80,/"dur": 95,/' -e 's/"dur": 60,/"dur": 66,/' "$temp/trace.json" >"$temp/slower.json"
sed 's/"plain"/"fancy"/' "$temp/trace.json" >"$temp/other.json"
check_diff "a page of two runs has the figures of diff -f json, and names are text" "$temp/trace.json" "$temp/slower.json"
cp "$temp/diff.html" "$temp/hostile-diff.html"
"$analyzer" diff "$temp/trace.json" "$temp/slower.json" -f html | cmp - "$temp/diff.html"
ok $? "with -f html it goes to standard output"
check_diff "a page of three runs, too" "$temp/trace.json" "$temp/slower.json" "$temp/other.json"
"$analyzer" diff "$temp/trace.json" "$temp/trace.json" -o "$temp/same.html"
is "$(grep -c 'Nothing changed' "$temp/same.html")" 1 "a page of a run and itself says that nothing changed"

"$analyzer" "$temp/trace.json" --steps 1-2 -o "$temp/steps.html"
is "$(python3 - "$temp/steps.html" <<'EOF'
import json, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
data = {name: json.loads(body) for name, body in re.findall(r'id="data-(\w+)">(.*?)</script>', text, re.S)}
print([row["step"] for row in data["reports"]["reports"]["overview"]], [step[0] for step in data["timeline"]["steps"]],
      sum(row["calls"] for row in data["reports"]["reports"]["kernels"]), data["timeline"]["items"])
EOF
)" "[1, 2] ['1', '2'] 18 74" "with --steps a page has what belongs to these"

if [ -x "$top_builddir/tests/tools/gen-log" ]; then
	"$top_builddir/tests/tools/gen-log" "$temp/log.bin" --pairs 100000 \
		--odd unmatched,open,losses,spans,marks,attrs,crossing,names,backwards
	check "$temp/log.bin" "a page of a log with all kinds of faults, too" "tables 7, cells many"
	is "$(($(wc -c <"$temp/page.html") < 3000000))" 1 "its size is bounded: 100,000 ranges, less than 3 MB"
	"$top_builddir/tests/tools/gen-log" "$temp/empty.bin" --pairs 0
	"$analyzer" "$temp/empty.bin" -o "$temp/empty.html"
	is "$?$(grep -c '<section' "$temp/empty.html")" 02 "a page of a log without events has threads and the footer, and no empty section"
	is $(($(wc -c <"$temp/empty.html") < 100000)) 1 "what is in every page, scripts and styles, takes less than 100 kB"
else
	skip "pages of logs" "gen-log is not built"
fi
if [ -d "$traces" ]; then
	for name in h100_bert_small dlrm_rank1; do
		tables=$("$analyzer" "$traces/$name.json.gz" -o - --to page | grep -c '<table')
		check "$traces/$name.json.gz" "$name: the page has the figures of --format json" "tables $tables, cells many"
	done
	mkdir "$temp/ranks"
	cp "$traces"/dlrm_rank[0-3].json.gz "$temp/ranks"
	check "$temp/ranks" "a page of a folder has the sums over its ranks, and what they lack" "tables 16, cells many"
	"$analyzer" "$temp/ranks"/*.json.gz -o "$temp/files.html"
	is "$(grep -c '<h1>dlrm_rank0' "$temp/files.html")$(sed -n '/<main>/,/<.main>/p' "$temp/files.html" | cksum)" \
		"1$(sed -n '/<main>/,/<.main>/p' "$temp/page.html" | cksum)" "the same files one by one give the same"
else
	skip "pages of public traces" "no traces: RANGES_TEST_TRACES names their folder"
fi

if command -v node >/dev/null 2>&1; then
	for script in "$top_srcdir"/analyzer/page/*.js; do
		node --check "$script" || echo "$script"
	done >"$temp/bad" 2>&1
	is_empty "$(cat "$temp/bad")" "the scripts are JavaScript"
else
	skip "the scripts are JavaScript" "no node"
fi

# RANGES_TEST_BROWSER names another browser; "none": no browser is started.
chromium=${RANGES_TEST_BROWSER-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ "${chromium:-none}" = none ]; then
	skip "a browser shows the page" "no chromium"
	done_testing
fi

# in_browser PYTHON [OPTION...]: opens the page whose names try to break out of the text. PYTHON
# prints a part of the result `d`.
in_browser()
{
	expression=$1
	page=$2
	shift 2
	python3 "$here/browser.py" "$chromium" "$temp/$page.html" "$@" >"$temp/seen" 2>"$temp/err" || cat "$temp/err"
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print($expression)" "$temp/seen"
}
is "$(in_browser 'd["requests"], d["errors"]' hostile)" "[] []" "a browser fetches nothing for it and finds no fault"
is "$(in_browser 'd["result"]' hostile --run '[document.querySelectorAll("table").length, document.querySelectorAll("main img, iframe, script[src]").length,
	document.querySelectorAll(".card").length > 4, document.querySelectorAll(".flame button").length > 9, document.querySelectorAll("svg").length].join(" ")')" \
	"22 0 true true 1" "scripts draw cards, flame graph and memory; names have made no elements"
is "$(in_browser 'd["result"]' hostile --run '(() => {
	const links = [...document.querySelectorAll("a[href^=\"#\"]")].map((link) => link.hash.slice(1));
	const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
	const unlinked = [...document.querySelectorAll("h2, .report .tools, .findings li")].filter((each) => !each.querySelector("a.link"));
	return [links.filter((id) => !ids.includes(id)).length, ids.length - new Set(ids).size, unlinked.length, links.includes("finding-1"),
		links.includes("r-kernels")].join(" ");
})()')" "0 0 0 true true" "each section, table and finding has a link to it, which leads there"
is "$(in_browser 'd["result"]' hostile --run '(async () => {
	const followed = new Promise((done) => addEventListener("hashchange", done));
	location.hash = "#r-overview";
	await followed;
	return document.getElementById("r-overview").closest("details").open;
})()')" "True" "a link to a table that is folded away opens it"
is "$(in_browser 'd["result"], d["errors"]' hostile --run '(async () => {
	document.querySelector("#r-kernels button.open").click();
	const detail = document.querySelector("#r-kernels .detail");
	const slow = detail.querySelectorAll(".slow a");
	slow[0].click();
	await new Promise((done) => setTimeout(done, 500));
	const state = new URLSearchParams(location.hash.split("?")[1]);
	return [detail.querySelectorAll(".hist").length, detail.querySelectorAll(".over g").length > 4, slow.length, location.hash.split("?")[0],
		state.get("kernels.o"), /^\d+~\d+$/.test(state.get("timeline.mark"))].join(" ");
})()')" "1 true 10 #timeline 0 true []" "a row shows its calls over time and the slowest, which lead into the timeline, and the address tells it"
is "$(in_browser 'd["result"], d["errors"]' hostile --run '(async () => {
	const followed = new Promise((done) => addEventListener("hashchange", done));
	const state = "timeline.at=1000000%7E2000000&timeline.hl=plain&timeline.mark=1100000%7E1200000&kernels.f=plain&kernels.s=%2Bname&ranges.o=1.2";
	location.hash = "#kernels?" + state;
	await followed;
	const same = [...new URLSearchParams(stateText())].sort().join() === [...new URLSearchParams(state)].sort().join();
	const seen = [document.querySelector("#r-kernels input").value, document.querySelectorAll("#r-ranges .detail").length, document.querySelector("#timeline input").value];
	const back = new Promise((done) => addEventListener("hashchange", done, { once: true }));
	location.hash = "#kernels?x.y=1";
	await back;
	return [same, ...seen, document.querySelectorAll(".detail").length, stateText()].join(" ");
})()')" "true plain 2 plain 0  []" "an address restores what was seen: filters, order, open rows, the part of the timeline"
is "$(in_browser 'd["result"], d["errors"]' hostile --run '(async () => {
	const press = (key, on) => on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
	press("/", document.body);
	const input = document.activeElement;
	const isSearch = input === document.querySelector("nav input");
	input.value = "INNER";
	input.dispatchEvent(new Event("input"));
	const groups = [...document.querySelectorAll(".found b")].map((each) => each.textContent);
	const link = [...document.querySelectorAll(".found a")].find((each) => each.getAttribute("href") === "#r-ranges");
	link.click();
	await new Promise((done) => setTimeout(done, 300));
	const opened = document.querySelector("#r-ranges .detail .full").textContent;
	press("?", document.body);
	const help = !document.querySelector(".keys").hidden;
	press("Escape", document.body);
	press("]", document.body);
	press("t", document.body);
	press("x", document.body);
	return [isSearch, groups.includes("Timeline"), groups.includes("Ranges"), opened, help, document.querySelector(".keys").hidden,
		document.activeElement.tagName, document.querySelectorAll("main img").length].join(" ");
})()')" "true true true aten::inner true true CANVAS 0 []" "one search finds rows and what is in the timeline; keys do what the page says"
is "$(in_browser '"</script><script>alert(1)</script>" in d["text"] and "Kernels" in d["text"], d["errors"]' hostile --no-script)" \
	"True []" "without JavaScript the tables are there"
python3 - >"$temp/wide.json" <<'EOF'
import json
events = []
for i, name in enumerate(("B" * 100000, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__")):
    ids = {"correlation": i + 1, "External id": i + 1}
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": i * 100, "dur": 90, "args": ids})
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": i * 100 + 5, "dur": 5, "args": ids})
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": i * 100 + 20, "dur": 60,
                   "args": dict(ids, device=0, stream=7)})
print(json.dumps({"traceEvents": events}))
EOF
"$analyzer" "$temp/wide.json" -o "$temp/wide.html"
is "$(in_browser '"BBBB" in d["result"] and "DataLoader" in d["result"]' wide --run 'document.querySelector(".findings").innerText')" True \
	"findings with long names"
# Parts that are wider than their place scroll there. A telephone's screen shows everything else,
# and a name of 1 MB makes nothing wide or high.
too_wide='[document.documentElement.scrollWidth - innerWidth, [...document.querySelectorAll("main *")].filter((each) =>
	!each.closest(".scroll, .draw, .flame, svg") && each.getBoundingClientRect().right > innerWidth && !each.closest("details:not([open])"))
	.map((each) => each.tagName + " " + each.className)].join(" ")'
for size in 400x900 1400x1000; do
	for page in wide hostile hostile-diff; do
		is "$(in_browser 'd["result"]' $page --size $size --run "$too_wide")" "0 " "on a screen of $size nothing of page $page is wider than that"
	done
done
is "$(in_browser 'd["result"]' wide --run '[...document.querySelectorAll(".findings li")].every((each) => each.offsetHeight < 400)')" True \
	"findings are short, whatever the names in them"
# Paper of the two usual sizes in landscape is 980 and 1046 wide.
for size in 980x700 1046x700; do
	is "$(in_browser 'd["result"]' hostile --media print --size $size --run '[...document.querySelectorAll("table")].filter((each) =>
		each.scrollWidth > 0 && each.getBoundingClientRect().right > innerWidth).map((each) => each.closest("[id]").id).join(" ")')" "" \
		"printed, no table is wider than paper of $size"
done
if [ -x "$top_builddir/tests/tools/gen-log" ]; then
	"$top_builddir/tests/tools/gen-log" "$temp/million.bin" --pairs 500000
	"$analyzer" "$temp/million.bin" -o "$temp/million.html"
	"$top_builddir/tests/tools/gen-log" "$temp/some.bin" --pairs 50000
	"$analyzer" "$temp/some.bin" -o "$temp/some.html"
	is $(($(wc -c <"$temp/some.html") <= 2000000)) 1 "the page of 100,000 events has 2 MB at most"
	# The best of several runs, because the machine may be busy.
	best=100000
	tries=0
	while [ "$best" -ge 2000 ] && [ "$tries" -lt 5 ]; do
		best=$(in_browser 'int(d["load_ms"])' million)
		tries=$((tries + 1))
	done
	diag "a page of a million events opens in $best ms"
	is $((best < 2000)) 1 "the page of a log of a million events opens in less than 2 s"
else
	skip "a page of a million events" "gen-log is not built"
fi
"$analyzer" batch "$temp/trace.json" -o "$temp/batch" >"$temp/out" 2>&1 && mv "$temp/batch/report.html" "$temp/sums.html"
is "$(in_browser 'd["requests"], d["errors"]' sums)" "[] []" "the page of a batch runs to its end"
if [ -d "$temp/ranks" ]; then
	"$analyzer" "$traces"/dlrm_rank[0-7].json.gz -o "$temp/waits.html"
	is "$(in_browser 'd["errors"], d["result"]' waits --run \
		'[...document.querySelectorAll(".card span, .card a")].map((each) => each.textContent).filter((each) => / rank /.test(each)).join("; ")')" \
		"[] mean step of rank 3, the longest of 8 ranks; of its GPU span rank 3's GPU is busy; mean step of rank 7, the shortest of 8 ranks; of its GPU span rank 7's GPU is busy; the others wait for rank 5, slower by 832.000us; the others wait for rank 7, no slower itself" "cards say who waits for whom"
	is "$(grep -o '<p class=note id=findings-of>[^.]*' "$temp/waits.html")" '<p class=note id=findings-of>Of rank 5, which the others wait for' \
		"findings are those of the rank that is slow, not of the one that is late from the start"
	is "$(grep -c 'The others wait for rank 5' "$temp/waits.html") $(grep -o 'The others wait for rank 5 in collectives: [^<]*' "$temp/waits.html" | sed 's/&#39;/'"'"'/g')" \
		"1 $("$analyzer" stats -r ranks -w 0 "$traces"/dlrm_rank[0-7].json.gz | grep -o 'The others wait for rank 5 in collectives: .*')" \
		"… as does the line that stats prints below the table"
else
	skip "cards say who waits for whom" "no traces"
fi
is "$(in_browser 'd["requests"], d["errors"], d["result"]' hostile-diff --run \
	'[...document.querySelectorAll("#view-parts .step")].map((row) => row.firstChild.textContent + " " + row.lastChild.textContent).join(", ")')" \
	"[] [] Before 950.000us, After 950.000us" "of a comparison each run has a bar"
done_testing
