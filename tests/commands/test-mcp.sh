#!/bin/sh
# SPDX-License-Identifier: MIT
# analyzer mcp: both kinds of clients get the commands' answers. Each invalid request gets an error,
# and no file outside of the roots is read. RANGES_TEST_MESSAGES: the number of damaged messages.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which is the client, is missing"
unset RANGES_WIDTH
mkdir "$temp/in" "$temp/in/sub" "$temp/out"
cp "$top_srcdir/tests/data/format-1/plain.bin" "$temp/in/sub/plain.bin"
cp "$top_srcdir/tests/data/format-1/plain.bin" "$temp/out/secret.bin"
ln -s ../out/secret.bin "$temp/in/link.bin"
ln -s ../out "$temp/in/folder"
mkfifo "$temp/in/fifo.bin"
mkdir "$temp/in/runs" "$temp/in/linked" "$temp/in/odd"
for run in 1 2; do cp "$top_srcdir/tests/data/format-1/plain.bin" "$temp/in/runs/$run.bin"; done
mkdir "$temp/in/beside"
echo '{"tool": "HTA", "rows": [["name", "dur"]]}' >"$temp/in/beside/expected.json"
gzip -c "$temp/in/beside/expected.json" >"$temp/in/beside/expected.json.gz"
echo '[{"trace": "a"}]' >"$temp/in/beside/labels.json"
echo '{"schemaVersion": 1, "traceEvents": []}' >"$temp/in/beside/trace.json"
gzip -c "$temp/in/beside/trace.json" >"$temp/in/beside/packed.json.gz"
echo '[{"ph":"X","name":"a","ts":1,"dur":1,"pid":1,"tid":1}]' >"$temp/in/beside/array.json"
# Steps: the first one warms up, and the last one is slow. There are two ranks, and their summary.
mkdir "$temp/in/steps" "$temp/in/sums"
for name in warm other; do
	python3 - "$name" >"$temp/in/steps/$name.json" <<'END'
import json, sys
at, rows = 0, [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]
for step, length in enumerate([900] + [100] * 8 + [260 if sys.argv[1] == "warm" else 240]):
    rows.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": at, "dur": length})
    at += length
print(json.dumps({"traceEvents": rows}))
END
done
"$analyzer" summarize "$temp/in/steps" -o "$temp/in/sums/steps.sum" 2>/dev/null
ln -s ../../out/secret.bin "$temp/in/linked/1.bin"
mkfifo "$temp/in/odd/1.bin"

cat >"$temp/client.py" <<'END'
import json, os, random, re, subprocess, sys
analyzer, root, outside, source = sys.argv[1:5]
server = subprocess.Popen([analyzer, "mcp", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
count = 0
def check(holds, name, got=None):
    print("%s - %s" % ("ok" if holds else "not ok", name))
    if not holds:
        print("# got:", str(got)[:300])
def send(line):
    server.stdin.write(line + b"\n")
    server.stdin.flush()
def ask_line(line):
    send(line)
    return json.loads(server.stdout.readline())
def ask(method, params=None, **more):
    global count
    count += 1
    message = {"jsonrpc": "2.0", "id": count, "method": method, **more}
    if params is not None:
        message["params"] = params
    got = ask_line(json.dumps(message).encode())
    if got.get("jsonrpc") != "2.0" or got.get("id") != count or ("result" in got) == ("error" in got):
        raise SystemExit("no answer to the request: %s" % got)
    return got
def call(tool, meta=None, **arguments):
    params = {"name": tool, "arguments": arguments}
    if meta:
        params["_meta"] = meta
    return ask("tools/call", params)
def said(got):
    (content,) = got["result"]["content"]
    assert content["type"] == "text"
    return content["text"]
# Answers name arguments where commands name options, by this table. This also works across line
# ends.
table = re.search(r"\} phrases\[\] = \{(.*?)\n\};", open(source).read(), re.S)[1]
table = [(re.sub(r'"\s*"', "", a), re.sub(r'"\s*"', "", b)) for a, b in
    re.findall(r'\{ "((?:[^"]|"\s*")*)",\s*"((?:[^"]|"\s*")*)" \}', table)]
both = re.compile("|".join(r"\s+".join(map(re.escape, a.split(" "))) for a, b in table))
def in_our_words(text):
    return both.sub(lambda found: dict(table)[" ".join(found[0].split())] if " ".join(found[0].split()) in dict(table)
        else next(b for a, b in table if a.split() == found[0].split()), text)
def same(text, *words):
    wanted = subprocess.run([analyzer, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "RANGES_WIDTH": "120"}).stdout.decode()
    return text.split("\nthe same:")[0].split() == in_our_words(wanted).split()

# With a session.
got = ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {"deep": {"deeper": {"deepest": {"end": [1]}}}},
    "clientInfo": {"name": "test", "version": "1"}})["result"]
check(got["protocolVersion"] == "2025-11-25" and got["serverInfo"]["name"] == "analyzer" and got["serverInfo"]["version"]
    and got["capabilities"] == {"tools": {}}, "initialize gets the revision, the server and what it can", got)
check(ask("initialize", {"protocolVersion": "2031-01-01"})["result"]["protocolVersion"] == "2025-11-25", "of an unknown one ours")
send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
tools = ask("tools/list")["result"]["tools"]
check([tool["name"] for tool in tools] == ["list", "why", "summary", "report", "search", "diff", "check", "explain"], "notifications get no answer, tools/list the tools", tools)
good = all(tool["description"] and tool["annotations"]["readOnlyHint"] and tool["inputSchema"]["type"] == "object"
    and not tool["inputSchema"]["additionalProperties"] and set(tool["inputSchema"].get("required", [])) <= set(tool["inputSchema"]["properties"])
    for tool in tools)
check(good, "each with a schema that says what it must have", tools)
check("resultType" not in ask("ping")["result"], "ping")

# Tools give the same answers as commands.
path = os.path.realpath(root) + "/sub/plain.bin"
got = call("list")["result"]
beside = re.findall(r"/beside/(\S+)", got["content"][0]["text"])
check(beside == ["array.json", "packed.json.gz", "trace.json"], "list: JSON that is no trace is no file", beside)
check(not got["isError"] and path in said({"result": got}) and "Where does the time go?" in said({"result": got}), "list: files and questions", got)
check("secret" not in said({"result": got}) and "link" not in said({"result": got}), "but no links", got)
for tool, arguments, words in (("why", {}, ["why", "--brief=4000"]), ("summary", {}, ["--brief=4000"]),
        ("search", {"name": "Range 4", "from": "0.1ms", "to": "200us", "thread": "4242", "sort": "start", "limit": 5},
            ["search", "--brief=4000", "--name=Range 4", "--thread=4242", "--from=0.1ms", "--to=200us", "--sort=start", "--limit=5"]),
        ("search", {}, ["search", "--brief=4000"]),
        ("check", {"rules": "range[range 1].calls == 0 # it is there\n\nlost == 0\r\n"},
            ["check", "--brief=4000", "--rule=range[range 1].calls == 0", "--rule=lost == 0"]),
        ("why", {"bytes": 2000}, ["why", "--brief=2000"]), ("report", {"report": "ranges", "limit": 3, "sort": "max"},
            ["stats", "--brief=4000", "-r", "ranges", "--limit=3", "--sort=max"]),
        ("report", {"report": "ranges", "limit": 3, "sort": "Self CPU"},
            ["stats", "--brief=4000", "-r", "ranges", "--limit=3", "--sort=Self CPU"])):
    got = call(tool, file="sub/plain.bin", **arguments)
    check(not got["result"]["isError"] and same(said(got), *words, path), "%s %s" % (tool, arguments), got)
check(said(got).rstrip().split("\n")[-1].startswith("the same: analyzer stats --brief=4000 --report=ranges "), "with the command", said(got)[-200:])
for tool, words in (("why", ["why"]), ("summary", []), ("report", ["stats", "-r", "ranges"]), ("search", ["search"])):
    more = {"report": "ranges"} if tool == "report" else {}
    for sizes, width in (({"width": 60}, "60"), ({"width": 0}, "0"), ({"full_names": True}, "0"), ({"full_names": False}, "120")):
        got = call(tool, file="sub/plain.bin", **sizes, **more)
        check(not got["result"]["isError"] and same(said(got), *words, "--brief=4000", "-w", width, path), "%s %s" % (tool, sizes), got)
got = call("report", file="sub/plain.bin", report="ranges", width=60, full_names=True)
check(got["result"]["isError"] and "not both" in said(got), "not a width and whole names", got)
sized = [tool["name"] for tool in tools if tool["inputSchema"]["properties"].get("width", {}).get("type") == "integer"
    and tool["inputSchema"]["properties"].get("full_names", {}).get("type") == "boolean"]
check(sized == ["why", "summary", "report", "search", "diff"], "which is in their schemas", sized)
folder = os.path.realpath(root) + "/runs"
for name, paths in (("runs", [folder]), ("runs/*.bin", [folder + "/1.bin", folder + "/2.bin"])):
    got = call("why", file=name)
    check(not got["result"]["isError"] and same(said(got), "why", "--brief=4000", *paths), "why of several ranks", got)
check(call("why", file=path)["result"]["isError"] is False, "a path as list names it")

got = call("explain", word="self_cpu_ns")
check(not got["result"]["isError"] and same(said(got), "help", "self_cpu_ns"), "explain of a column", got)
check("Its condition:\n      the host is late" in said(call("explain", word="sync_calls")), "of a finding")
check("Reads one file" in said(call("explain", word="gaps")), "of a report")
folder = os.path.realpath(root) + "/runs"
got = call("diff", before="sub/plain.bin", after="runs")
check(not got["result"]["isError"] and same(said(got), "diff", "--brief=4000", path, folder), "diff of a file and a folder", got)
got = call("report", file="runs", report="ranks")
check(not got["result"]["isError"] and same(said(got), "stats", "--brief=4000", "-r", "ranks", folder), "a report of a folder", got)
for name in ("runs/*.bin", folder + "/[12].b*"):
    got = call("report", file=name, report="ranks")
    check(not got["result"]["isError"] and same(said(got), "stats", "--brief=4000", "-r", "ranks", folder + "/1.bin", folder + "/2.bin"), "of " + name, got)
for name in ("linked/*.bin", "odd/*", "../out/*", "folder/*", os.path.dirname(outside) + "/*", "*", "/*", "runs/.*"):
    got = call("report", file=name, report="ranks")
    check(got["result"]["isError"] and "no such file" in said(got), "no files %r" % name, got)
got = call("check", file="runs", rules='range[range 1].p50 <= "%s" * 1.5\nlost == 0' % path)
check("'--rule=range[range 1].p50 <= " in said(got) and not got["result"]["isError"], "a rule with another file of ours", got)

for tool, arguments in (("why", {}), ("summary", {}), ("report", {"report": "overview"}), ("check", {"rules": "step.calls > 0"})):
    got = call(tool, file="sub/plain.bin", step_range="range #", **arguments)
    check("'--step-range=range #'" in said(got) and not got["result"]["isError"], "%s takes the name of steps" % tool, got)

# No answer or error names an option, because these tools have none.
check(len(table) > 50 and len(set(a for a, b in table)) == len(table), "the table of phrases is read", len(table))
for tool, arguments in (("why", {}), ("why", {"width": 40}), ("why", {"step": "99"}), ("why", {"file": "runs"}), ("summary", {}), ("summary", {"width": 50}),
        ("report", {"report": "ranges"}), ("report", {"report": "ranges", "width": 30}), ("report", {"report": "rangez"}), ("report", {"report": "nothing"}),
        ("report", {"report": "ranges", "sort": "nothing"}), ("report", {"report": "overview", "step": "99"}),
        ("report", {"report": "overview", "step": "x"}), ("report", {"report": "overview", "step_range": "nothing"}), ("report", {"report": "ranges", "limit": "x"}),
        ("report", {"report": "ranges", "bytes": 10}), ("report", {"report": "ranges", "attribute": "nothing"}), ("report", {"report": "stragglers"}),
        ("report", {"report": "gaps", "file": "runs"}), ("report", {"report": "overview", "step": "5", "file": "runs"}), ("report", {"report": "advice"}),
        ("report", {"report": "footer"}), ("report", {"report": "op-memory,memory-curve"}), ("search", {}), ("search", {"from": "5s", "to": "1s"}),
        ("search", {"from": "x"}), ("search", {"to": "x"}), ("search", {"sort": "name"}), ("search", {"unit": "h"}), ("search", {"limit": "x"}),
        ("search", {"thread": "nothing"}), ("search", {"name": "nothing"}), ("check", {"rules": "step.calls > 0"}), ("check", {"rules": "x"}),
        ("check", {"rules": "range[nothing].calls > 3"}), ("check", {"rules": "lost == 0", "step": "99"}),
        ("why", {"file": "steps/warm.json"}), ("why", {"file": "steps"}), ("why", {"file": "sums/steps.sum"})):
    text = said(call(tool, **{"file": "sub/plain.bin", **arguments})).split("\nthe same:")[0].replace("example --steps=3", "")
    left = re.findall(r"(?<![\w-])--[a-z][a-z-]*|analyzer [a-z-]+|(?<!\w)-[rfl] [a-z]+", text)
    left = [word for word in left if word not in ("analyzer mcp", "--gpu-metrics", "--cuda") and "names" not in word]
    check(left == [], "no options in %s %s" % (tool, arguments), (left, text[:200]))
for tool, arguments in (("list", {}), ("explain", {"word": "calls"}), ("explain", {"word": "nothing"}), ("diff", {"before": "sub/plain.bin", "after": "runs"}),
        ("diff", {"before": "sub/plain.bin", "after": "runs", "step": "99"}), ("diff", {"before": "sub/plain.bin", "after": "runs", "limit": "x"}),
        ("diff", {"before": "steps/warm.json", "after": "steps/other.json", "bytes": 100000})):
    text = said(call(tool, **arguments)).split("\nthe same:")[0]
    left = re.findall(r"(?<![\w-])--[a-z][a-z-]*|analyzer [a-z-]+|(?<!\w)-[rfl] [a-z]+", text)
    check(left == [], "no options in %s %s" % (tool, arguments), (left, text[:200]))

# A line of the answer is a shell command that prints the same.
for tool, arguments in (("check", {"rules": "range[it's *].calls >= 0"}), ("search", {"name": "it's $(touch /tmp/x) `x`"})):
    text, line = said(call(tool, file="sub/plain.bin", **arguments)).split("\nthe same: ")
    again = subprocess.run(line.replace("analyzer", analyzer, 1), shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "RANGES_WIDTH": "120"}).stdout.decode()
    check(again == text, "the command of %s %s" % (tool, arguments), line)

# Parallel and cancelled calls: nobody writes to a fifo whose name commands accept.
def request(number, tool, **arguments):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}).encode()
def read():
    return json.loads(server.stdout.readline())
for number in range(1000, 1040):
    send(request(number, "why", file="sub/plain.bin"))
send(b'{"jsonrpc":"2.0","id":"between","method":"ping"}')
got = [read() for _ in range(41)]
check(sorted((one["id"] for one in got), key=str) == sorted([*range(1000, 1040), "between"], key=str), "40 calls at once are answered, each once", got[:3])
check(len({said(one) for one in got if one["id"] != "between"}) == 1, "and all say the same")
for number in range(2000, 2050):
    send(request(number, "summary", file="sub/plain.bin"))
for number in range(2001, 2050):
    send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"test"}}' % number)
send(request("last", "why", file="sub/plain.bin"))
answered = set()
while "last" not in answered:
    answered.add(read()["id"])
check(2049 not in answered and 2030 not in answered and len(answered) < 52, "what is cancelled while it waits is not answered", answered)
send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}')
send(b'{"jsonrpc":"2.0","method":"notifications/cancelled"}')
for number in range(3000, 3400):
    send(request(number, "list"))
got = {}
while len(got) < 400:
    one = read()
    if one["id"] in range(3000, 3400):
        got[one["id"]] = one
check(all(one.get("error", {"code": -32000})["code"] == -32000 for one in got.values()), "of 400 calls at once each gets an answer or an error", got)

# Refused requests.
for name in (outside, "../out/secret.bin", "link.bin", "folder/secret.bin", "fifo.bin", "", "nothing.bin", "/dev/null", "/etc/passwd",
        "sub/plain.bin\0x", "--help", "@list"):
    got = call("why", file=name)
    check(got["result"]["isError"] and "no such file" in said(got), "no file %r" % name, got)
for name in ("linked", "odd", "../out", "folder", "@runs", os.path.dirname(outside), "sub/../../out"):
    for got in (call("diff", before="runs", after=name), call("diff", before=name, after="runs"), call("report", file=name, report="ranks"),
            call("check", file=name, rules="lost == 0"), call("check", file="runs", rules='lost <= "%s" * 1' % name)):
        check(got["result"]["isError"] and ("no such file" in said(got) or "as list names it" in said(got)), "no folder %r" % name, got)
for arguments in ({}, {"rules": ""}, {"rules": "nonsense"}, {"rules": "lost == 0\n" * 41}, {"rules": 'lost <= "%s" * 1' % outside}):
    got = call("check", file="runs", **arguments)
    check(got["result"]["isError"] and "\nthe same:" not in said(got), "no rules %s" % str(arguments)[:60], got)
for word in ("", "--help", "--max-memory=1", "-h", "no-such-word", "a b", "x" * 200):
    check(call("explain", word=word)["result"]["isError"], "no word %r" % word[:40])
for tool, arguments, wrong in (("why", {"file": "sub/plain.bin", "nonsense": 1}, "nonsense"), ("search", {"file": "sub/plain.bin", "step": 1}, "step"),
        ("list", {"file": "sub/plain.bin"}, "file"), ("explain", {"word": "gaps", "file": None, "report": "x"}, "report"),
        ("report", {"file": "sub/plain.bin", "report": "ranges", "limit": True}, "limit"), ("summary", {"file": "sub/plain.bin", "bytes": {"a": 1}}, "bytes"),
        ("diff", {"before": "runs", "after": "runs", "file": ["x"]}, "file"), ("check", {"file": "runs", "rules": "lost == 0", "from": "1ms"}, "from")):
    got = call(tool, **arguments)
    properties = [one["inputSchema"]["properties"] for one in tools if one["name"] == tool][0]
    check(got["result"]["isError"] and '"%s"' % wrong in said(got) and all(name in said(got) for name in properties), "%s has no %s" % (tool, arguments), got)
for one in tools: # each argument that a schema has is taken
    known = {"file": "sub/plain.bin", "before": "runs", "after": "runs", "rules": "lost == 0", "report": "ranges", "word": "gaps", "step_range": "s*", "attribute": "sequence",
        "python": True, "unit": "us", "name": "*", "thread": "a", "from": "0ns", "to": "1s", "sort": "dur", "limit": 3, "bytes": 5000, "step": "0-", "width": 0, "full_names": True}
    wanted = {name: known[name] for name in one["inputSchema"]["properties"]}
    if one["name"] == "report":
        wanted["sort"] = "calls"
    got = said(call(one["name"], **wanted))
    check("argument" not in got and "the same:" in got, "%s takes %s" % (one["name"], " ".join(wanted)), got)
check("--attribute=process" in said(call("why", file="sub/plain.bin", attribute="process")) and "--python" in said(call("report", file="sub/plain.bin", report="ranges", python=True))
    and "--python" not in said(call("report", file="sub/plain.bin", report="ranges", python=False)), "what a command has is handed on")
for word in ("TC %", "tc %", "Self CUDA", "overlap.exposed_ns", "verdict"):
    got = call("explain", word=word)
    check(not got["result"]["isError"] and same(said(got), "help", word), "explain %s" % word, got)
for arguments in ({"from": "x"}, {"from": "5"}, {"from": "2s", "to": "1s"}, {"sort": "name"}, {"to": "1e999s"}):
    got = call("search", file="sub/plain.bin", **arguments)
    check(got["result"]["isError"] == (arguments != {"from": "5"}), "search %s" % arguments, got)
for arguments in ({"report": "-o/tmp/x"}, {"report": "ranges", "sort": "a b"}, {"report": "ranges --output=x"}, {"report": "no-report"}, {},
        {"report": "ranges", "bytes": 5}, {"report": "ranges", "step": "99"}):
    got = call("report", file="sub/plain.bin", **arguments)
    check(got["result"]["isError"], "no report of %s" % arguments, got)
check(ask("tools/call", {"name": "shell"})["error"]["code"] == -32602, "no tool of another name")
check(ask("resources/list")["error"]["code"] == -32601, "no method of another name")
for line in (b"x", b"{", b"[]", b"1", b'{"id":1}{"id":2}', b'{"jsonrpc":"2.0","id":1,"method":"ping",}', b'"ping"', b"\xff", b"[" * 5000):
    got = ask_line(line)
    check(got["error"]["code"] == -32700 and got["id"] is None, "no JSON: %r" % line[:40], got)
check(ask_line(b'{"jsonrpc":"2.0","id":7}')["error"]["code"] == -32600, "no method")
check(ask_line(b'{"id":1,"method":"' + b"x" * 2000000 + b'"}')["error"]["code"] == -32600, "a line of 2 MB")
check(ask_line(b'{"jsonrpc":"2.0","id":"' + b"i" * 5000 + b'\\"\\n","method":"ping"}')["id"] == "i" * 5000 + '"\n', "a long id comes back")
check(ask_line(b'{"jsonrpc":"2.0","id":"b","params":{"a":[{"b":{"c":{"d":1}}}]},"method":"ping"}')["result"] == {}, "what is behind arrays is read")

# Without one.
meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"a": {"b": {"c": {}}}},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}
got = ask("server/discover", {"_meta": meta})["result"]
check(got["supportedVersions"] == ["2026-07-28"] and got["resultType"] == "complete" and got["serverInfo"]["name"] == "analyzer", "server/discover", got)
got = ask("tools/list", {"_meta": meta})["result"]
check(got["tools"] == tools and got["resultType"] == "complete" and "ttlMs" in got and "cacheScope" in got, "tools/list of a stateless client", got)
got = call("why", meta, file="sub/plain.bin")
check(got["result"]["resultType"] == "complete" and not got["result"]["isError"], "tools/call of one", got)
got = ask("tools/list", {"_meta": {**meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01"}})["error"]
check(got["code"] == -32022 and got["data"]["supported"] == ["2026-07-28"], "a revision that is not known", got)

# Any input gives an answer or none, and the server goes on.
random.seed(31)
file = {"file": "sub/plain.bin"}
bases = [json.dumps({"jsonrpc": "2.0", "id": 5, "method": method, "params": params}).encode() for method, params in
    [("tools/list", {}), ("initialize", {"protocolVersion": "2025-11-25"}), ("notifications/cancelled", {"requestId": 5})] +
    [("tools/call", {"name": name, "arguments": arguments}) for name, arguments in (("why", file), ("summary", {"file": "../out/secret.bin"}),
        ("report", {**file, "report": "ranges"}), ("search", {**file, "name": "a", "from": "1us"}), ("diff", {"before": "runs", "after": "sub"}),
        ("check", {**file, "rules": "lost == 0"}), ("explain", {"word": "gaps"}), ("list", {}))]]
count = int(os.environ.get("RANGES_TEST_MESSAGES", "1500"))
for number in range(count):
    line = bytearray(random.choice(bases))
    for _ in range(random.randrange(1, 9)):
        at = random.randrange(len(line))
        line[at:at + random.randrange(4)] = bytes(random.randrange(256) for _ in range(random.randrange(3)))
    send(bytes(line).replace(b"\n", b" "))
    if number % 8 == 0:
        send(b'{"jsonrpc":"2.0","id":"here","method":"ping"}')
        while json.loads(server.stdout.readline())["id"] != "here":
            pass
check(server.poll() is None, "%d damaged messages" % count)
send(b'{"jsonrpc":"2.0","id":"the end","method":"tools/call","params":{"name":"why","arguments":{"file":"sub/plain.bin"}}}')
server.stdin.close()
left = server.stdout.read().splitlines()
check(any(json.loads(line)["id"] == "the end" for line in left), "what was asked before the end of the input is answered")
check(server.wait(60) == 0 and server.stderr.read() == b"", "it ends with its input, and says nothing elsewhere")
END
before=$(cd "$temp" && find in out -type f -exec cksum {} + | sort)
timeout "$((300 + ${RANGES_TEST_MESSAGES:-0} / 10))" python3 "$temp/client.py" "$analyzer" "$temp/in" "$temp/out/secret.bin" "$top_srcdir/analyzer/commands/mcp/mcp-words.c" >"$temp/said" 2>"$temp/errors"
status=$?
while read -r line; do
	case $line in
	"ok - "*) pass "${line#ok - }" ;;
	"not ok - "*) fail "${line#not ok - }" ;;
	*) diag "$line" ;;
	esac
done <"$temp/said"
is "$status $(tail -n 3 "$temp/errors")" "0 " "the client came to its end"
is "$(cd "$temp" && find in out -type f -exec cksum {} + | sort)" "$before" "nothing was written"
"$analyzer" mcp </dev/null >/dev/null 2>&1
is $? 2 "without a folder: its usage"
"$analyzer" mcp "$temp/in/sub/plain.bin" </dev/null >/dev/null 2>&1
is $? 2 "a file is no folder"
done_testing
