# SPDX-License-Identifier: MIT
# Traces of captures and traces of replays. Makes such pairs, and finds by other means than the
# analyzer's where kernels of graphs were captured.
#
#	graph-pairs.py make FOLDER                          pairs that differ in one thing each
#	graph-pairs.py check ANALYZER REPLAY CAPTURE...     all paths, and 100 kernels that are drawn
import collections
import csv
import gzip
import io
import json
import os
import random
import subprocess
import sys

GPU = ("kernel", "gpu_memcpy", "gpu_memset")
API = ("cuda_runtime", "cuda_driver")


# ---- Pairs of our own ----


class Trace:
    def __init__(self, rank=None):
        self.events = []
        self.now = 1000
        self.correlation = 0
        self.rank = rank

    def add(self, category, name, start, duration, tid=1, pid=1, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start,
                            "dur": duration, "args": args})

    def tick(self, by=1):
        self.now += by
        return self.now

    def call(self, name, tid=1, **args):
        self.correlation += 1
        self.add("cuda_runtime", name, self.tick(), 1, tid, correlation=self.correlation, **args)
        self.tick(2)

    def write(self, path):
        top = {"schemaVersion": 1, "traceEvents": self.events}
        if self.rank is not None:
            top["distributedInfo"] = {"backend": "nccl", "rank": self.rank, "world_size": 2}
        with open(path, "w") as out:
            out.write(json.dumps(top))


# A model: a list of layers, each a list of kernels. "copy" and "set" are no kernels.
def capture(trace, model, label, named=True, other_thread=None, nodes=None):
    first = trace.tick()
    trace.call("cudaStreamBeginCapture")
    for layer, kernels in model:
        start = trace.tick()
        for kernel in kernels:
            tid = other_thread if other_thread and kernel.startswith("backward") else 1
            inner = trace.tick()
            args = {"kernel": kernel} if named and kernel not in ("copy", "set") else {}
            if nodes is not None:
                args["graph node id"] = nodes + len([e for e in trace.events if "graph node id" in e["args"]])
            name = {"copy": "cudaMemcpyAsync", "set": "cudaMemsetAsync"}.get(kernel, "cudaLaunchKernel")
            trace.call(name, tid, **args)
            trace.add("cpu_op", "op::" + kernel, inner, trace.tick() - inner, tid,
                      **{"Input Dims": [[4, 4], [4, 4]], "External id": 7})
        trace.add("python_function", "nn.Module: " + layer, start, trace.tick() - start, 1, **{"Python module id": 0})
    trace.call("cudaStreamEndCapture")
    trace.call("cudaGraphInstantiate")
    trace.add("user_annotation", label, first, trace.tick() - first)


def replay(trace, kernels, step, stream=7, nodes=None, graph=None, late=None, side=()):
    start = trace.tick()
    trace.call("cudaGraphLaunch")
    now = trace.now
    main = stream
    for i, kernel in enumerate(kernels):
        stream = main + 1 if i in side else main
        args = {"correlation": trace.correlation, "stream": stream, "device": 0, "context": 1}
        if nodes is not None:
            args["graph node id"] = nodes + i
            args["graph id"] = graph
        category = {"copy": "gpu_memcpy", "set": "gpu_memset"}.get(kernel, "kernel")
        name = {"copy": "Memcpy DtoD (Device -> Device)", "set": "Memset (Device)"}.get(kernel, kernel)
        at = now + 10 * i if late is None or i not in late else now + 10 * i + 25
        trace.add(category, name, at, 3 + i % 5, stream, 0, **args)
    trace.tick(10 * len(kernels) + 40)
    trace.add("user_annotation", step, start, trace.tick() - start)


def flat(model):
    return [kernel for _, kernels in model for kernel in kernels]


def layers(count, variant=""):
    return [(f"Layer_{i}", ["norm", "gemm" + variant, "copy", "gemm" + variant, "set", f"own_{i}"]) for i in range(count)]


def make(folder):
    def put(name, captured, replayed):
        captured.write(os.path.join(folder, name + ".capture.json"))
        replayed.write(os.path.join(folder, name + ".replay.json"))

    # Two graphs, one for each batch size, replayed in turn.
    captured, replayed = Trace(), Trace()
    captured.add("user_annotation", "ProfilerStep#9", 1, 100000)
    capture(captured, layers(3), "capture_2")
    capture(captured, layers(4), "capture_4")
    for i in range(6):
        replay(replayed, flat(layers(4 if i % 3 == 0 else 3)), f"decode {i}")
    put("batches", captured, replayed)
    # One of the two traces lacks kernels. If two equal ones follow each other, nobody knows which
    # is missing.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(20), "capture")
    few = flat(layers(20))
    del few[3], few[60]
    replay(replayed, few, "decode")
    put("missing", captured, replayed)
    captured, replayed = Trace(), Trace()
    model = layers(20)
    model[4][1][2:2] = ["gemm"]
    capture(captured, model, "capture")
    replay(replayed, flat(layers(20)), "decode")
    put("twice", captured, replayed)
    # CUDA's calls do not name the kernels that they launch.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture_2", named=False)
    capture(captured, layers(4), "capture_4", named=False)
    for i in range(4):
        replay(replayed, flat(layers(3 + i % 2)), f"decode {i}")
    put("nameless", captured, replayed)
    # Two captures of the same kernels in other layers; and in the same.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture")
    capture(captured, [("Other_" + name, kernels) for name, kernels in layers(3)], "capture")
    replay(replayed, flat(layers(3)), "decode")
    put("several", captured, replayed)
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture")
    capture(captured, layers(3), "capture")
    replay(replayed, flat(layers(3)), "decode")
    put("alike", captured, replayed)
    # Node ids on both sides, in an order that time does not have.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture", nodes=5 << 32)
    replay(replayed, flat(layers(3)), "decode", nodes=5 << 32, graph=9, late={4, 9})
    put("nodes", captured, replayed)
    # Node ids of the replay alone give the order of kernels on several streams.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture")
    replay(replayed, flat(layers(3)), "decode", nodes=8 << 32, graph=9, late={4, 9})
    put("order", captured, replayed)
    # Or the node ids have an order of their own.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture")
    replay(replayed, flat(layers(3)), "decode", nodes=8 << 32, graph=9)
    for event in replayed.events:
        if "graph node id" in event["args"]:
            event["args"]["graph node id"] ^= 3
    put("renumbered", captured, replayed)
    # Several streams: their kernels may have had another order.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture")
    replay(replayed, flat(layers(3)), "decode", late={4, 9}, side={5, 9, 11, 17})
    put("streams", captured, replayed)
    # A backward pass launches from a thread of its own.
    captured, replayed = Trace(), Trace()
    model = layers(2) + [("Loss", ["loss", "backward_1", "backward_0"])]
    capture(captured, model, "capture", other_thread=2)
    replay(replayed, flat(model), "step")
    put("threads", captured, replayed)
    # A replay without any capture.
    captured, replayed = Trace(), Trace()
    capture(captured, layers(3), "capture")
    replay(replayed, ["stranger"] * 9, "decode")
    put("unknown", captured, replayed)
    # Both in one trace.
    both = Trace()
    capture(both, layers(3), "capture")
    for i in range(3):
        replay(both, flat(layers(3)), f"decode {i}")
    both.write(os.path.join(folder, "both.json"))
    # The captures of two ranks: each has its own.
    for rank in (0, 1):
        captured, replayed = Trace(rank), Trace(rank)
        capture(captured, layers(2), f"capture of rank {rank}")
        replay(replayed, flat(layers(2)), "decode")
        os.makedirs(os.path.join(folder, "ranks"), exist_ok=True)
        captured.write(os.path.join(folder, "ranks", f"capture{rank}.json"))
        replayed.write(os.path.join(folder, f"replay{rank}.json"))


# ---- The expected result for a pair ----


def load(path):
    with open(path, "rb") as file:
        raw = file.read()
    top = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    return [e for e in (top["traceEvents"] if isinstance(top, dict) else top) if e.get("ph") == "X"]


def ns(event, key):
    whole, _, rest = str(event[key]).partition(".")
    return int(whole) * 1000 + int((rest + "000")[:3]) if "e" not in str(event[key]) else round(event[key] * 1000)


def is_range_of_capture(event):
    if event["cat"] == "python_function":
        return event["args"].get("Python module id") is not None
    return event["cat"] in ("cpu_op", "user_annotation") and not event["name"].startswith("ProfilerStep#")


def is_range_of_replay(event):
    return event["cat"] in ("cpu_op", "user_annotation")


def around(ranges, call):
    """The ranges that were open at a call, the outermost first, without ranges that cross others."""
    at = ns(call, "ts")
    found = []
    for event in ranges[call["pid"], call["tid"]]:
        if ns(event, "ts") > at:
            break
        if at < ns(event, "ts") + ns(event, "dur"):
            end = ns(event, "ts") + ns(event, "dur")
            if not found or end <= ns(found[-1], "ts") + ns(found[-1], "dur"):
                found.append(event)
    return found


def by_thread(events, is_range):
    ranges = collections.defaultdict(list)
    for event in events:
        if is_range(event):
            ranges[event["pid"], event["tid"]].append(event)
    for of_thread in ranges.values():
        of_thread.sort(key=lambda e: (ns(e, "ts"), -ns(e, "dur")))
    return ranges


def symbol(name):
    for word, short in (("Memset", "set"), ("fillBuffer", "set"), ("Memcpy", "copy"), ("copyBuffer", "copy")):
        if word in name:
            return short
    return name


def find_captures(path):
    """The operations launched in each capture, with their paths."""
    events = load(path)
    ran = {e["args"].get("correlation") for e in events if e["cat"] in GPU}
    ranges = by_thread(events, is_range_of_capture)
    calls = sorted((e for e in events if e["cat"] in API), key=lambda e: ns(e, "ts"))
    opened = {}
    captures = []
    for call in calls:
        if "StreamBeginCapture" in call["name"]:
            opened[call["tid"]] = ([], [], call)
        elif "StreamEndCapture" in call["name"] and call["tid"] in opened:
            captures.append(opened.pop(call["tid"]))
        elif any(word in call["name"] for word in ("Launch", "Memcpy", "Memset")) and "Graph" not in call["name"]:
            mine = opened.get(call["tid"]) or (list(opened.values())[0] if len(opened) == 1 else None)
            if mine and call["args"].get("correlation") not in ran:
                mine[0].append(symbol(call["args"].get("kernel", call["name"])))
                mine[1].append(tuple((e["name"], ns(e, "ts") < ns(mine[2], "ts")) for e in around(ranges, call)))
    return captures


def embed(short, long):
    """The unambiguous places of the shorter list's items in the longer one: those at which the leftmost
    and the rightmost matching agree."""
    def leftmost(a, b):
        places, j = [], 0
        for name in a:
            while j < len(b) and b[j] != name:
                j += 1
            if j == len(b):
                return None
            places.append(j)
            j += 1
        return places
    left = leftmost(short, long)
    if left is None:
        return None
    right = [len(long) - 1 - j for j in reversed(leftmost(short[::-1], long[::-1]))]
    return [(i, j, k) for i, (j, k) in enumerate(zip(left, right))]


def split(names, sequence, paths, streams):
    """Matches by order among operations of one name on one stream, or of one path."""
    result = []
    for i, name in enumerate(names):
        own = [path for other, path in zip(sequence, paths) if other == name]
        sure = len({s for other, s in zip(names, streams) if other == name}) == 1 or len(set(own)) == 1
        result.append(own[names[:i].count(name)] if sure else None)
    return result


def match(names, captures, streams=None):
    """The path of each operation, None if nothing or several things fit; or an empty result."""
    nameless = all(name in ("set", "copy") or "Launch" in name for sequence, _, _ in captures for name in sequence)
    if nameless:
        names = [name if name in ("set", "copy") else "cudaLaunchKernel" for name in names]
    equal = [] if streams else [paths for sequence, paths, _ in captures if sequence == names]
    if equal:
        return equal[0] if all(paths == equal[0] for paths in equal) else [None] * len(names)
    for sequence, paths, _ in captures:
        if streams and sorted(sequence) == sorted(names):
            return split(names, sequence, paths, streams)
    for sequence, paths, _ in captures:
        if nameless or streams or abs(len(sequence) - len(names)) > 64:
            continue
        if len(sequence) > len(names):
            found = embed(names, sequence)
            if found:
                return [paths[j] if paths[j] == paths[k] else None for _, j, k in found]
        else:
            found = embed(sequence, names)
            if found:
                result = [None] * len(names)
                for i, j, k in found:
                    if j == k:
                        result[j] = paths[i]
                return result
    return [None] * len(names)


def expect(replay_path, capture_paths):
    """For each operation of a graph: its row, and the path below its launch."""
    captures = [c for path in capture_paths for c in find_captures(path)]
    events = load(replay_path)
    ranges = by_thread(events, is_range_of_replay)
    launches = {e["args"]["correlation"]: e for e in events if e["cat"] in API and "GraphLaunch" in e["name"]}
    groups = collections.defaultdict(list)
    for event in events:
        if event["cat"] in GPU and event["args"].get("correlation") in launches:
            groups[event["args"]["correlation"]].append(event)
    for correlation, operations in groups.items():
        outer = [e["name"] for e in around(ranges, launches[correlation])]
        for order in (lambda e: (e["args"].get("graph node id", 0), ns(e, "ts"))), (lambda e: ns(e, "ts")):
            operations.sort(key=order)
            streams = [e["args"].get("stream") for e in operations]
            numbered = "graph node id" in operations[0]["args"] and len(set(streams)) > 1
            paths = match([symbol(e["name"]) for e in operations], captures,
                          streams if len(set(streams)) > 1 and not numbered else None)
            if any(paths):
                break
        for event, path in zip(operations, paths):
            # Ranges around the whole capture that are also around the launch appear once.
            inner = None if path is None else [n for n, is_outside in path if not (is_outside and n in outer)]
            yield event, outer, inner


def check(analyzer, replay_path, capture_paths):
    place = capture_paths[0] if len(capture_paths) == 1 else os.path.dirname(capture_paths[0])
    run = lambda *words: subprocess.run([analyzer, *words, replay_path, "--graph-capture", place], check=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    expected = list(expect(replay_path, capture_paths))
    with_layer = sum(1 for _, _, inner in expected if inner)
    modules = sum(1 for _, _, inner in expected if any(n.startswith("nn.Module") for n in inner or []))
    print(f"{len(expected)} operations of graphs, {with_layer} with a range of the capture, {modules} in a module of it")
    wrong = 0
    # 100 random kernels: the innermost range of each.
    got = {}
    for row in csv.DictReader(io.StringIO(run("stats", "-r", "launch", "-f", "csv"))):
        got.setdefault(int(row["correlation"]), []).append(
            (int(row["start_ns"]), int(row["gpu_duration_ns"]), row["range"], row["rule"]))
    of_launch = collections.defaultdict(list)
    for event, _, _ in expected:
        of_launch[event["args"]["correlation"]].append(event)
    for correlation, events in of_launch.items():
        got[correlation].sort()
        events.sort(key=lambda e: (ns(e, "ts"), ns(e, "dur")))
    drawn = random.Random(1).sample(expected, min(100, len(expected)))
    right = 0
    for event, outer, inner in drawn:
        path = outer + (inner or [])
        place_in = of_launch[event["args"]["correlation"]].index(event)
        _, _, name, rule = got[event["args"]["correlation"]][place_in]
        good = name == (path[-1] if path else "") and (rule == "origin") == bool(inner)
        right += good
        if not good:
            print(f"{event['name'][:60]}: {name} by {rule}, not {path}")
    print(f"{right} of {len(drawn)} drawn")
    wrong += right != len(drawn)
    # All kernels, by the sum of each path.
    sums = collections.Counter()
    for event, outer, inner in expected:
        sums[";".join(n.replace(";", ":") for n in outer + (inner or []))] += ns(event, "dur")
    folded = collections.Counter()
    for line in run("-o", "-", "--to", "folded-gpu").splitlines():
        path, _, number = line.rpartition(" ")
        folded[path] = int(number)
    launched = [e for e in load(replay_path) if e["cat"] in GPU]
    others = len(launched) - len(expected)
    for path, number in sums.items():
        if folded[path] < number or (others == 0 and folded[path] != number):
            print(f"{path}: {folded[path]} ns, not {number}")
            wrong += 1
    print(f"{len(sums)} paths")
    return wrong > 0


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        sys.exit(check(sys.argv[2], sys.argv[3], sys.argv[4:]))
