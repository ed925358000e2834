# SPDX-License-Identifier: MIT
"""Compares a page with `analyzer stats --format json`, and looks for forbidden contents.

page.py trace OUT: writes a trace with steps, GPU work, memory and names that try to break out of the page.
page.py check ANALYZER FILE PAGE: prints what is wrong, a line each, and at the end "tables N, cells N".
page.py diff ANALYZER PAGE A B...: the same of the page of a comparison.
"""
import base64
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys

ROWS = 200
LONG = "long" + "x" * 1000000
NAMES = ["</script><script>alert(1)</script>", "<!-- --><img src=http://example.org/x onerror=alert(1)>", "\"'>&amp;<b>", "\u202eright to left\u2066",
         "line\u2028end", "tab\tnew\nline\x1b[31m", "]]>", "a;b c", LONG]


def write_trace(path):
    events = []

    def add(cat, name, start, dur, tid=1, **args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": 1 if tid else 0, "tid": tid or 7, "ts": start, "dur": dur, "args": args})

    total = 0
    for step in range(5):
        begin = step * 1000
        add("user_annotation", "ProfilerStep#%d" % step, begin, 950)
        for i, name in enumerate(NAMES):
            at = begin + 10 + i * 90
            number = step * 100 + i + 1
            add("cpu_op", name, at, 80)
            add("cpu_op", "aten::inner", at + 5, 60)
            add("cuda_runtime", "cudaLaunchKernel", at + 10, 10 + step, correlation=number)
            add("kernel", "kernel " + name if i % 2 else "plain", at + 40, 30 + i, 0, device=0, stream=7, context=1, correlation=number,
                grid=[10 + i, 1, 1], block=[128, 1, 1], **{"registers per thread": 32, "shared memory": 0, "blocks per SM": 0.5, "warps per SM": 2})
            total += 100
            events.append({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": at + 12, "s": "t",
                           "args": {"Addr": number, "Bytes": 100, "Device Type": 1, "Device Id": 0, "Total Allocated": total, "Total Reserved": 9000}})
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"deviceProperties": [{"id": 0, "name": "GPU <b>", "totalGlobalMem": 1000, "computeMajor": 8, "computeMinor": 0, "numSms": 100,
                                         "warpSize": 32, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048}],
                   "traceEvents": events}, file)


class Page(html.parser.HTMLParser):
    """Tables by report, data, scripts and styles, and every element's name and attributes."""

    def __init__(self):
        super().__init__()
        self.tables, self.data, self.code, self.elements = {}, {}, [], []
        self.table = self.row = self.cell = self.element = None
        self.policy = ""

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        self.element = (tag, attrs)
        if tag == "meta" and "http-equiv" in attrs:
            self.policy = attrs["content"]
        elif tag == "table":
            self.table = {"keys": [], "rows": []}
            self.tables[attrs["data-report"]] = self.table
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th"):
            self.cell = ""
            if tag == "th":
                self.table["keys"].append(attrs["data-key"])

    def handle_endtag(self, tag):
        self.element = None
        if tag == "td":
            self.row.append(self.cell)
        elif tag == "tr" and self.row:
            self.table["rows"].append(self.row)
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, text):
        if self.cell is not None:
            self.cell += text
        elif self.element and self.element[0] == "script" and self.element[1].get("type") == "application/json":
            self.data[self.element[1]["id"]] = text
        elif self.element and self.element[0] in ("script", "style"):
            self.code.append((self.element[0], text))


UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15, "%": 0.01, "": 1}
SCALES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}


def is_number(text, value):
    """True if a cell shows the value, up to the last digit that it has."""
    match = re.fullmatch(r"(-?[\d.]+)(?:e([+-]\d+))? ?([a-zA-Z%/]*)", text)
    if not match:
        return False
    digits, power, unit = match.groups()
    scale = UNITS.get(unit)
    if scale is None:
        prefix = re.sub(r"(FLOP|B)(/s)?$", "", unit)
        scale = SCALES.get(prefix)
    if scale is None:
        return False
    shown = float(digits) * 10 ** int(power or 0) * scale
    last = 10 ** -len(digits.partition(".")[2]) * 10 ** int(power or 0) * scale
    return abs(shown - value) <= last + abs(value) * 1e-5


def shows(text, value):
    if value is None:
        return text == "-"
    if isinstance(value, bool):
        return text == ("yes" if value else "no")
    if isinstance(value, str):
        plain = "".join("\\" if ord(c) < 32 or not c.isprintable() or c == "\ufffd" else c for c in value)
        if text == value or (text in ("CPU", "CUDA")) or is_same_but_hidden(text, plain):
            return True
        return len(text) == 200 and "..." in text and value.startswith(text.split("...")[0][:3])
    return (text in ("CPU", "CUDA") and value in (0, 1)) or is_number(text, value)


def is_same_but_hidden(text, plain):
    """Characters that hide or turn are shown as escapes."""
    return re.sub(r"\\(x[0-9A-F]{2}|u\{[0-9A-F]+\}|[a-z])", r"\\", text, flags=re.I) == plain


def compare_tables(page, data, wanted):
    for name, rows in data["reports"].items():
        expected = wanted["reports"].get(name)
        if expected is None or rows != expected:
            print("data of", name, "are not those of --format json")
    footer = {key: value for key, value in data["footer"].items() if key in wanted["footer"]}
    if footer != {key: wanted["footer"][key] for key in footer} or len(footer) < 10:
        print("the footer is not that of --format json")
    return compare_cells(page, data)


def compare_cells(page, data):
    """Each table of the page with its data."""
    cells = 0
    for name, rows in data["reports"].items():
        table = page.tables.get(name)
        if table is None:
            if name != "memory-curve":
                print("no table", name)
            continue
        if len(table["rows"]) != len(rows):
            print(name, "has", len(table["rows"]), "rows, not", len(rows))
        for texts, row in zip(table["rows"], rows):
            for key, text in zip(table["keys"], texts):
                cells += 1
                if key in ("interval", "by"):
                    shown = row["method"] if key == "by" else "%+.1f %% (%+.1f to %+.1f)" % tuple(row[part] * 100 for part in ("estimate_part", "low_part", "high_part")) \
                        if row["low_part"] is not None else "-"
                    if row["low_part"] is not None and text != shown:
                        print(name, key, repr(text), "is not", repr(shown))
                elif key == "verdict" and text.split(" ")[0].rstrip(":") == row[key]:
                    pass
                elif not shows(text, row[key]):
                    print(name, key, repr(text[:80]), "is not", repr(row[key])[:80])
    for name in page.tables:
        if name not in data["reports"]:
            print("table", name, "has no data")
    return cells


def check_elements(page):
    expected = {"html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "ul", "li", "a", "nav", "main", "section", "div",
                "noscript", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "pre", "code", "script"}
    for tag, attrs in page.elements:
        if tag not in expected:
            print("element", tag)
        for key, value in attrs.items():
            if key in ("src", "style") or key.startswith("on") or (key == "href" and not value.startswith("#")):
                print("attribute", key, "of", tag)
    if [tag for tag, _ in page.code] != ["style", "script"]:
        print("not one style and one script")
    for tag, text in page.code:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        if "%s-src 'sha256-%s'" % (tag, digest) not in page.policy:
            print("the policy does not have the hash of", tag)
    if not page.policy.startswith("default-src 'none'; "):
        print("the policy lets something be fetched")


def check_drawings(page, data):
    timeline = json.loads(page.data["data-timeline"])
    flame = json.loads(page.data["data-flame"])
    shapes = json.loads(page.data["data-shapes"])
    items = sum(row["left_out"] + sum(max(1, -name) for name in row["data"][3::4]) for row in timeline["rows"])
    if items != timeline["items"] + sum(row["left_out"] for row in timeline["rows"]) or items == 0:
        print("the timeline has", items, "items, not", timeline["items"])
    if sum(len(row["data"]) // 4 for row in timeline["rows"]) > 24000:
        print("the timeline is larger than it may be")
    if any(name >= len(timeline["names"]) or lane >= row["lanes"] for row in timeline["rows"]
           for lane, name in zip(row["data"][0::4], row["data"][3::4])):
        print("a name or lane of the timeline is not there")
    for name, rows in shapes.items():
        for row, *pairs in rows:
            if sum(pairs[1::2]) != data["reports"][name][row]["calls"]:
                print("the histogram of row", row, "of", name, "has other calls")
    check_calls(json.loads(page.data["data-calls"]), data)
    return sum(node[3] for node in flame), sum(node[4] for node in flame)


def check_calls(calls, data):
    """Parts add up to the row. The slowest call is the longest one, and is in the part that counts
    it."""
    for name, source in calls.items():
        for row, slow, parts in source["rows"]:
            wanted = data["reports"][name][row]
            parts = {parts[i]: parts[i + 1:i + 4] for i in range(0, len(parts), 4)}
            slow = list(zip(slow[0::2], slow[1::2]))
            at = [min(source["parts"] - 1, max(0, int(start / source["end_ns"] * source["parts"]))) for start, _ in slow]
            key = "max_ns" if "max_ns" in wanted else "max"
            if sum(part[0] for part in parts.values()) != wanted["calls"] or len(slow) != min(10, wanted["calls"]):
                print("the calls of row", row, "of", name, "are others")
            if [dur for _, dur in slow] != sorted((dur for _, dur in slow), reverse=True) or slow[0][1] != wanted[key]:
                print("the slowest calls of row", row, "of", name, "are not that")
            if any(parts[part][2] < dur for part, (_, dur) in zip(at, slow)) or max(part[2] for part in parts.values()) != slow[0][1]:
                print("the longest calls over time of row", row, "of", name, "are others")
            if any(not part[2] <= part[1] <= part[0] * part[2] for part in parts.values()):
                print("the means over time of row", row, "of", name, "cannot be")
    if not any(source["rows"] for source in calls.values()):
        print("no row has its calls")


def check_counters(analyzer, path, page):
    """Least, largest and last value of each equal those of the counters for Perfetto, which have every
    value."""
    seen, drawn = {}, []
    for counter in json.loads(page.data["data-timeline"])["counters"]:
        points = counter["points"]
        drawn.append((min(points[1::4]), max(points[2::4]), points[-1]))
        if any(time <= 0 for time in points[4::4]) or len(points) > 4 * 402:
            print("points of", counter["name"], "are out of order or too many")
    trace = json.loads(subprocess.run([analyzer, path, "--to", "perfetto", "-o", "-"], capture_output=True, check=True).stdout)
    for event in trace["traceEvents"]:
        for key, value in event["args"].items() if event["ph"] == "C" else ():
            if key != "reserved":
                seen.setdefault((event["pid"], event["name"], key), []).append(value)
    wanted = [(min(values), max(values), values[-1]) for values in seen.values()]
    if len(drawn) == 24:
        wanted = drawn if len(wanted) >= 24 else wanted
    for one, other in zip(sorted(drawn), sorted(wanted)):
        if any(abs(a - b) > 1e-6 * abs(b) for a, b in zip(one, other)):
            print("a counter has", one, "and not", other)
    if len(drawn) != len(wanted):
        print(len(drawn), "counters, not", len(wanted))


def find_folded(analyzer, path, form):
    lines = subprocess.run([analyzer, path, "--to", form, "-o", "-"], capture_output=True, check=True, text=True).stdout.split("\n")[:-1]
    if any(" " not in line for line in lines):
        print(form, "has a line without a weight")
    return sum(int(line.rsplit(" ", 1)[1]) for line in lines)


def check_flame(analyzer, path, flame, wanted, ranges):
    cpu = sum(row["self_cpu_ns"] or 0 for row in ranges)
    gpu = wanted["footer"]["gpu"]["time_ns"] if wanted["footer"].get("gpu") else 0
    scope = json.loads(subprocess.run([analyzer, path, "--to", "speedscope", "-o", "-"], capture_output=True, check=True).stdout)
    sums = {profile["name"]: sum(profile["weights"]) for profile in scope["profiles"]}
    for profile in scope["profiles"]:
        if profile["endValue"] != sum(profile["weights"]) or len(profile["samples"]) != len(profile["weights"]):
            print("speedscope's", profile["name"], "does not add up")
        if any(frame >= len(scope["shared"]["frames"]) for sample in profile["samples"] for frame in sample):
            print("speedscope's", profile["name"], "has a frame that is not there")
    got = {"flame": flame, "folded": (find_folded(analyzer, path, "folded"), find_folded(analyzer, path, "folded-gpu")),
           "speedscope": (sums["self CPU"], sums.get("self GPU", 0))}
    for name, value in got.items():
        if value != (cpu, gpu):
            print(name, "has", value, "and not", (cpu, gpu))


def stats(analyzer, path, names, *options):
    return json.loads(subprocess.run([analyzer, "stats", path, "-r", names, "--format", "json", *options], capture_output=True, check=True).stdout)


SUMS = ("overview", "ranks", "ranges", "kernels", "memcpy", "api")


def check_ranks(analyzer, path, page, data):
    """Of a folder: sums over ranks, and reports that read several files."""
    names = [[name for name in data["reports"] if name != "advice" and (name in SUMS) == is_sum] for is_sum in (True, False)]
    sums, others = (stats(analyzer, path, ",".join(part), "--limit", str(ROWS)) for part in names)
    if data["footers"] != others["footers"]:
        print("the footers are not those of --format json")
    data["footer"] = wanted = others["footers"][0]
    if "advice" in data["reports"]:
        rank = re.search(r"id=findings-of>Of rank (\d+),", page.whole).group(1)
        file = next(name for name in sorted(os.listdir(path)) if "rank" + rank + "." in name)
        others["reports"].update(stats(analyzer, os.path.join(path, file), "advice", "--limit", str(ROWS))["reports"])
    return compare_tables(page, data, {"reports": {**sums["reports"], **others["reports"]}, "footer": wanted})


def read_page(path):
    page = Page()
    with open(path, encoding="utf-8") as file:
        page.whole = file.read()
        page.feed(page.whole)
    check_elements(page)
    return page


def has_part(comparisons, name):
    return name == "Total" or any(part["part"] == name and (part["before_ns"] or part["after_ns"])
                                  for one in comparisons for part in one["parts"])


def find_wanted(comparisons):
    """The tables of a page, from the JSON of comparisons: rows that changed in any of them, the largest
    change first."""
    if len(comparisons) == 1:
        rows = [row for row in comparisons[0]["rows"] if row["change_ns"] != 0 or row["verdict"] in ("slower", "faster", "new", "gone")]
        return {"parts": [part for part in comparisons[0]["parts"] if has_part(comparisons, part["part"])], "changes": rows[:ROWS]}
    parts, changes = [], {}
    for number, comparison in enumerate(comparisons):
        letter = "BCDEFGHI"[number]
        for part in (part for part in comparison["parts"] if has_part(comparisons, part["part"])):
            if number == 0:
                parts.append({"name": part["part"], "a_ns": part["before_ns"]})
            row = next(each for each in parts if each["name"] == part["part"])
            row.update({letter: part["after_ns"], letter + " - A": part["change_ns"]})
        for row in comparison["rows"]:
            kept = changes.setdefault((row["what"], row["domain"], row["name"]), {})
            kept.update({letter: row["after_ns"], letter + " - A": row["change_ns"]})
    return {"parts": parts, "changes": changes}


def check_diff(analyzer, page_path, *paths):
    page = read_page(page_path)
    data = json.loads(page.data["data-reports"])
    said = json.loads(subprocess.run([analyzer, "diff", "-f", "json", *paths], capture_output=True, check=True).stdout)
    comparisons = said.get("comparisons", [said])
    wanted = find_wanted(comparisons)
    reports = data["reports"]
    if len(comparisons) == 1:
        if reports != wanted:
            print("the data are not those of --format json")
    else:
        if len(reports["parts"]) != len(wanted["parts"]) or any(not want.items() <= row.items()
                                                                for row, want in zip(reports["parts"], wanted["parts"])):
            print("the parts are not those of --format json")
        for row in reports["changes"]:
            if not wanted["changes"][row["what"], row["domain"], row["name"]].items() <= row.items():
                print("a change is not that of --format json:", row)
    if [(one["slower"], one["changed"]) for one in data["comparisons"]] != [(one["slower"], one["changed"]) for one in comparisons]:
        print("other counts than --format json")
    cells = compare_cells(page, data)
    print("tables %d, cells %s" % (len(page.tables), "many" if cells > 50 else cells))


def check(analyzer, path, page_path):
    page = read_page(page_path)
    data = json.loads(page.data["data-reports"])
    if "footers" in data:
        cells = check_ranks(analyzer, path, page, data)
        print("tables %d, cells %s" % (len(page.tables), "many" if cells > 50 else cells))
        return
    names = ",".join(data["reports"])
    wanted = stats(analyzer, path, names, "--limit", str(ROWS))
    for name in ("memory-curve", "ranges"):
        if name in data["reports"]:
            wanted["whole"] = {name: stats(analyzer, path, name, "--set", "memory-points=1000")["reports"][name], **wanted.get("whole", {})}
    if "memory-curve" in data["reports"]:
        wanted["reports"]["memory-curve"] = wanted["whole"]["memory-curve"]
    cells = compare_tables(page, data, wanted)
    check_counters(analyzer, path, page)
    check_flame(analyzer, path, check_drawings(page, data), wanted, wanted["whole"]["ranges"])
    print("tables %d, cells %s" % (len(page.tables), "many" if cells > 50 else cells))


if sys.argv[1] == "trace":
    write_trace(sys.argv[2])
elif sys.argv[1] == "diff":
    check_diff(*sys.argv[2:])
else:
    check(*sys.argv[2:])
