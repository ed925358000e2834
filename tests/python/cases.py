# SPDX-License-Identifier: MIT
"""Programs that test-python.sh records: cases.py CASE."""
import asyncio
import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading

import ranges


def annotations():
    with ranges.annotate("outer"):
        with ranges.annotate("inner", domain="lib", color="red", category="io", payload=7):
            pass
    ranges.push("pushed", payload=2.5)
    ranges.push("pushed in lib", domain="lib")
    ranges.pop()
    ranges.pop("lib")
    ranges.mark("mark", domain="lib", color=0x112233, category=9)
    number = ranges.begin("begun", payload=2**64 - 1)
    ranges.end(number)
    with ranges.record_function("recorded"):
        pass
    ranges.mark("Grüße")


def decorators():
    @ranges.annotate()
    def plain(value):
        return value + 1

    @ranges.annotate("named", domain="lib", payload=-1)
    def recurse(depth):
        return 0 if depth == 0 else recurse(depth - 1)

    @ranges.annotate("generator")
    def generate():
        got = yield 1
        yield got

    assert plain(1) == 2 and plain.__name__ == "plain"
    recurse(2)
    items = generate()
    assert next(items) == 1 and items.send(5) == 5 and list(items) == []
    try:
        with ranges.annotate("fails"):
            raise KeyError("for the test")
    except KeyError:
        pass
    try:
        ranges.annotate("fails, too")(plain)("no number")
    except TypeError:
        pass
    ranges.mark("after")


def payloads():
    class Index:
        def __index__(self):
            return 11

    for value in (0, -5, 2**63 - 1, 2**63, 1.5, True, Index(), 2**70):
        ranges.mark("value", payload=value)


def wrong():
    """None of these calls may fail. A message reports what cannot be recorded."""
    ranges.mark("payload", payload="text")
    ranges.mark("colour", color="no such colour")
    ranges.mark(["a", "list"])
    ranges.mark("zero\0byte")
    ranges.mark("half of a pair \ud800")
    ranges.mark(b"bytes")
    ranges.pop()
    ranges.annotate("never opened").__exit__(None, None, None)


def threads():
    start = threading.Barrier(8)

    @ranges.annotate("shared")
    def work(level):
        if level:
            work(level - 1)

    def run(number):
        start.wait()
        for _ in range(200):
            with ranges.annotate("of %d" % number, domain="threads"):
                work(2)

    runners = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()


def asynchronous():
    """Tasks take turns within their ranges. Each range ends itself, and no other."""
    turns = []

    @ranges.annotate("task")
    async def task(number, count):
        for _ in range(count):
            turns.append(number)
            await asyncio.sleep(0)

    async def block(name):
        with ranges.annotate(name):
            await asyncio.sleep(0)
        async with ranges.annotate(name + " async"):
            await asyncio.sleep(0)

    @ranges.annotate("items")
    async def items(count):
        for number in range(count):
            try:
                yield number
            except KeyError:
                yield -1

    def inner():
        with ranges.annotate("nested"):
            pass

    @contextlib.contextmanager
    def manager():
        with ranges.annotate("manager", nested=True):
            yield

    async def main():
        await asyncio.gather(task(1, 3), task(2, 1), block("a"), block("b"))
        got = items(3)
        assert await got.__anext__() == 0
        assert await got.athrow(KeyError("for the test")) == -1
        await got.aclose()
        assert [number async for number in items(2)] == [0, 1]
        inner()
        with manager():
            pass

    asyncio.run(main())
    assert turns[:2] == [1, 2], turns


def scheduled():
    """argv: wait warmup active repeat skip_first steps."""
    wait, warmup, active, repeat, skip_first, steps = (int(number) for number in sys.argv[2:8])

    def ready(p):
        assert os.fspath(p) == p.path and p.path == p.paths[-1]
        with open(p.path, "rb"):
            pass
        verified = subprocess.run(["analyzer", "verify", p.path], stdout=subprocess.DEVNULL)
        print("ready", os.path.basename(p.path), p.step_num, verified.returncode, flush=True)

    with ranges.profile(
        activities=[ranges.ProfilerActivity.CPU],
        schedule=ranges.schedule(
            wait=wait, warmup=warmup, active=active, repeat=repeat, skip_first=skip_first
        ),
        on_trace_ready=ready,
        record_shapes=True,
    ) as p:
        for number in range(steps):
            with ranges.annotate("load"):
                pass
            with ranges.annotate("train %d" % number):
                if os.environ.get("KILLED_AT") == str(number):
                    os.kill(os.getpid(), signal.SIGKILL)
            p.step()


def unscheduled():
    with ranges.annotate("before"):
        pass
    with ranges.profile(on_trace_ready=lambda p: print("ready", os.path.basename(p.path))) as p:
        with ranges.annotate("within"):
            pass
    with ranges.annotate("after"):
        pass
    print(len(p.paths), p.events()[0]["name"] if p.paths else None)


def control():
    ranges.step()
    print(ranges.is_recorded(), ranges.stop(), ranges.stop(), ranges.start(), ranges.flush())
    first = ranges.log(1)
    print(os.path.basename(first) if first else None)
    ranges.step(name="epoch")
    ranges.step(number=41)
    ranges.step_end()
    print(ranges.stop(), os.path.basename(ranges.log() or ""))


def unfinished():
    atexit.register(ranges.mark, "exiting")
    for _ in range(2):
        ranges.step()


def kept():
    with ranges.annotate("load"):
        print(ranges.snapshot(), ranges.snapshot("mine.bin"), ranges.snapshot("no/such.bin") == ranges.FAILED)


def reading():
    with ranges.profile() as p:
        for number in range(3):
            with ranges.annotate("load", payload=number):
                pass
        ranges.mark("mark")
    rows = ranges.read(p.path, frame=False)
    print(sorted((row["kind"], row["name"]) for row in rows if row["kind"] != "span"))
    table = ranges.read(p, "ranges", frame=False)
    print([row["calls"] for row in table if row["name"] == "load"])
    averages = p.key_averages(group_by_input_shape=True)
    print([row["calls"] for row in averages if row["name"] == "load"])
    text = p.key_averages().table(sort_by="-calls", row_limit=1)
    print("load" in text, "step" in text, "Self CPU time total" in text)
    p.export_chrome_trace("out.json")
    ranges.tensorboard_trace_handler("board", "worker", use_gzip=True)(p)
    print(os.path.getsize("out.json") > 0, [name.split(".")[0] for name in os.listdir("board")])
    try:
        ranges.read("/dev/null")
    except ranges.AnalyzerError as refused:
        print("refused", str(refused).count("\n"))


def torch_rows():
    """The parts of a profile that scripts use by torch's names."""
    with ranges.profile() as p:
        p.add_metadata("batch", 32)
        for _ in range(2):
            with ranges.record_function("outer"):
                with ranges.record_function("inner"):
                    pass
    averages = p.key_averages()
    rows = {row.key: row for row in averages}
    inner, total = rows["inner"], averages.total_average()
    print(inner.count, inner["calls"], inner.cpu_time_total == inner["cpu_total_ns"] / 1000)
    print(abs(inner.cpu_time * 2 - inner.cpu_time_total) < 0.01, inner.self_cuda_time_total, len(averages) == len(rows))
    print(total.key, total.count, total["self_cpu_ns"] == sum(row["self_cpu_ns"] for row in averages))
    p.export_stacks("out.folded", "self_cpu_time_total")
    with open("out.folded") as file:
        print(sorted(line.rsplit(" ", 1)[0].split(";")[-1] for line in file))
    print([row["name"] for row in p.events() if row["domain"] == "metadata"])
    for wrong in (lambda: inner.flops, lambda: p.export_memory_timeline("x")):
        try:
            wrong()
        except AttributeError as refused:
            print(refused)


def unrecorded():
    """The commonest script with torch.profiler, when nobody records it."""
    with ranges.profile(activities=[ranges.ProfilerActivity.CPU], record_shapes=True) as p:
        with ranges.record_function("work"):
            pass
        p.add_metadata("batch", 32)
    averages = p.key_averages()
    print(averages.table(sort_by="cpu_time_total", row_limit=10), end="")
    print(len(averages), list(averages), averages.total_average().count, p.events())
    p.export_chrome_trace("none.json")
    p.export_stacks("none.folded")
    print(os.path.exists("none.json"), os.path.exists("none.folded"))


def frames():
    with ranges.annotate("load"):
        ranges.flush()
    ranges.stop()
    print(type(ranges.read(ranges.log())).__name__, type(ranges.read(ranges.log(), frame=False)).__name__)


def decided():
    """A schedule takes the same steps as torch.profiler's."""
    take = ranges.schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    print("".join(take(step).name[0] + take(step).name[-1] + " " for step in range(11)))
    take = ranges.schedule(wait=2, warmup=0, active=1, skip_first=1, skip_first_wait=1)
    print("".join(take(step).name[0] for step in range(8)))
    for wrong in (dict(wait=1, warmup=0, active=0), dict(wait=-1, warmup=0, active=1)):
        try:
            ranges.schedule(**wrong)
        except ValueError as refused:
            print(refused)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
