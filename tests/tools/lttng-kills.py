#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills the same program at random moments, recorded by LTTng-UST and by us, and counts what is missing.

usage: tests/tools/lttng-kills.py [-n KILLS] [-s SEED] [-b BUILD] [WAY...]

The program is tests/capture/pusher: 4 threads push and pop named ranges and keep the number of
calls that have returned in a shared file. For LTTng it is compiled with tests/tools/lttng-nvtx.inc,
which makes each call a tracepoint with the name and a number. Only this program is killed. Our
launcher and LTTng's daemons live on, and do their work for a program that has died. `lttng stop`
waits for the daemons, and babeltrace2 reads the trace.

  -n KILLS  of each way (100)
  -s SEED   of the random moments, between 2 and 60 ms after every thread has made its first call (1)
  -b BUILD  the folder we were built in (build)
  WAY       only these: their names are in the first column

Prints a row per way: calls that had returned, those of them that are not in the log, the number of
these that the log reports as lost, and the number of kills with unreported losses. Exit: 0; 77
without LTTng."""

import argparse
import mmap
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
THREADS = 4
PAIRS = "1000000000"  # more than there is time for
# struct pushing of tests/capture/pushing.h: started, pid, and a line of 64 bytes per thread.
SHARED_BYTES = 64 * (1 + 64)
LIMIT_S = 60  # for a command of LTTng
TOOLS = ("lttng", "lttng-sessiond", "babeltrace2")

BLOCKING = ["--blocking-timeout=inf"]
# Name; options of LTTng's channel, or None for us; whether lttng-crash reads the buffers; our
# options; µs of rest after 64 ranges.
WAYS = [
    ("lttng", [], False, [], 0),
    ("lttng-pid", ["--buffers-pid"], False, [], 0),
    ("lttng-large", ["--subbuf-size=4M", "--num-subbuf=8"], False, [], 0),
    ("lttng-blocking", BLOCKING, False, [], 0),
    ("lttng-blocking-crash", BLOCKING, True, [], 0),
    ("lttng-paced", [], False, [], 1000),
    ("ranges", None, False, [], 0),
    ("ranges-blocking", None, False, ["--buffer", "4M", "--on-full", "block"], 0),
    ("ranges-paced", None, False, [], 1000),
]


class Pusher:
    """The program, and the contents of its shared file."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "calls")
        with open(self.path, "wb") as file:
            file.truncate(SHARED_BYTES)
        with open(self.path, "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), SHARED_BYTES)

    def die(self, command, rest_us, moment_s, environment):
        """Starts it by the command and kills it so long after its threads' first calls."""
        self.shared[:] = bytes(SHARED_BYTES)
        child = subprocess.Popen(command + [self.path, str(THREADS), PAIRS, str(rest_us)], env=environment,
                                 stderr=subprocess.PIPE, text=True)
        while struct.unpack_from("<I", self.shared, 0)[0] != THREADS:
            if child.poll() is not None:
                sys.exit(f"{command[0]} ended early: {child.stderr.read()}")
            time.sleep(0.0002)
        time.sleep(moment_s)
        os.kill(struct.unpack_from("<i", self.shared, 4)[0], signal.SIGKILL)
        return child.communicate()[1]

    def calls(self):
        return [struct.unpack_from("<Q", self.shared, 64 * (1 + thread))[0] for thread in range(THREADS)]


class Lttng:
    """A session per kill. babeltrace2 reads the events from its trace and, with `with_crash`, from the
    buffers that lttng-crash finds."""

    EVENT = re.compile(r"vtid = (\d+) \}, \{ (?:name = \"t(\d+) .*?\", )?number = (\d+)")

    def __init__(self, folder, options, program, with_crash):
        self.options, self.program, self.with_crash = options, program, with_crash
        self.trace, self.buffers, self.crash = (os.path.join(folder, name) for name in ("trace", "shm", "crash"))
        self.environment = dict(os.environ, LTTNG_UST_ALLOW_BLOCKING="1")

    def lttng(self, *words):
        subprocess.run(words, check=True, timeout=LIMIT_S,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def record(self, pusher, rest_us, moment_s):
        for path in (self.trace, self.buffers, self.crash):
            shutil.rmtree(path, ignore_errors=True)
        shm = ["--shm-path=" + self.buffers] if self.with_crash else []
        self.lttng("lttng", "create", "kills", "--output=" + self.trace, *shm)
        self.lttng("lttng", "enable-channel", "-u", "-s", "kills", *self.options, "calls")
        self.lttng("lttng", "enable-event", "-u", "-s", "kills", "-c", "calls", "pusher:*")
        self.lttng("lttng", "add-context", "-u", "-s", "kills", "-c", "calls", "-t", "vtid")
        self.lttng("lttng", "start", "kills")
        pusher.die([self.program], rest_us, moment_s, self.environment)
        if self.with_crash:
            self.lttng("lttng-crash", "--extract=" + self.crash, self.buffers)
        self.lttng("lttng", "stop", "kills")  # waits until the daemons have written everything
        # Otherwise it never returns if the program has left a half-written event (LTTng 2.13).
        self.lttng("lttng", "destroy", "--no-wait", "kills")
        return self.read()

    def read(self):
        numbers, threads, told = {}, {}, 0
        for path in (self.trace, self.crash):
            if not os.path.exists(path):
                continue
            read = subprocess.run(["babeltrace2", path], capture_output=True, text=True, check=False)
            told += sum(int(count) for count in re.findall(r"discarded (\d+) event", read.stderr))
            for line in read.stdout.splitlines():
                vtid, thread, number = self.EVENT.search(line).groups()
                numbers.setdefault(vtid, []).append(int(number))
                if thread:
                    threads[vtid] = int(thread)
        if self.with_crash:  # written events may be in the buffers as well
            numbers = {vtid: set(found) for vtid, found in numbers.items()}
        return {threads[vtid]: found for vtid, found in numbers.items()}, told


class Ranges:
    """`ranges run`. The events are those of `analyzer dump`."""

    EVENT = re.compile(r"^event (\d+) (\d+) \d+ (?:push name=\"t(\d+) |pop)")

    def __init__(self, folder, options, build):
        self.log = os.path.join(folder, "log.bin")
        self.analyzer = os.path.join(build, "analyzer/analyzer")
        self.command = [os.path.join(build, "libranges/ranges"), "run", "-f", "-o", self.log, *options, "--",
                        os.path.join(build, "tests/capture/pusher")]
        self.environment = dict(os.environ, RANGES_SPOOL_DIR=folder)

    def record(self, pusher, rest_us, moment_s):
        said = pusher.die(self.command, rest_us, moment_s, self.environment)
        told = sum(int(count) for count in re.findall(r" (\d+) lost", said))
        read = subprocess.run([self.analyzer, "dump", self.log], stdout=subprocess.PIPE, text=True, check=True)
        numbers, threads = {}, {}
        for line in read.stdout.splitlines():
            event = self.EVENT.match(line)
            if event:
                stream, number, thread = event.groups()
                numbers.setdefault(stream, []).append(int(number))
                if thread:
                    threads[stream] = int(thread)
        return {threads[stream]: found for stream, found in numbers.items()}, told


def judge(calls, found):
    """Return: how many calls had returned and are not there, how many events are there and must not be."""
    missing, wrong = 0, 0
    for thread, count in enumerate(calls):
        numbers = found.get(thread, [])
        distinct = set(numbers)
        missing += count - sum(number < count for number in distinct)
        # One call may have been unfinished.
        wrong += len(numbers) - len(distinct) + sum(number > count for number in distinct)
    return missing, wrong


def try_way(name, recorder, pusher, rest_us, options):
    moments = random.Random(options.seed)
    sums = [0, 0, 0, 0, 0]
    for _ in range(options.kills):
        found, told = recorder.record(pusher, rest_us, 0.002 + 0.058 * moments.random())
        calls = pusher.calls()
        missing, wrong = judge(calls, found)
        # A count that decreased is printed as a number near 2^64. Then all missing events count as
        # reported, in LTTng's favour.
        for place, value in enumerate((sum(calls), missing, min(told, missing), missing > told, wrong)):
            sums[place] += value
    print(f"{name:20}{options.kills:6}{sums[0]:14,}{sums[1]:14,}{sums[2]:14,}{sums[3]:16}{sums[4]:8}", flush=True)


def why_not():
    """Return: why LTTng cannot be tried, or None."""
    for tool in TOOLS:
        if not shutil.which(tool):
            return f"there is no {tool}"
    if subprocess.run(["lttng", "list"], capture_output=True, check=False).returncode == 0:
        return "a session daemon of LTTng runs already"
    return None


def build_pusher(folder):
    """Return: the pusher for LTTng, or None without its headers."""
    program = os.path.join(folder, "pusher")
    done = subprocess.run([os.environ.get("CC", "cc"), "-O2", "-D_GNU_SOURCE", "-DLTTNG_UST_TRACEPOINT_DEFINE",
                           "-DLTTNG_UST_TRACEPOINT_CREATE_PROBES", "-DRANGES_NVTX_H", "-I", TOP,
                           "-I", os.path.join(TOP, "libranges/include"), "-include", "tests/tools/lttng-nvtx.inc",
                           "-o", program, os.path.join(TOP, "tests/capture/pusher.c"), "-llttng-ust", "-lpthread",
                           "-ldl"], capture_output=True, check=False)
    return program if done.returncode == 0 else None


def start_daemon(folder):
    """Return: its process id. It is ready when the command returns."""
    path = os.path.join(folder, "daemon.pid")
    subprocess.run(["lttng-sessiond", "--no-kernel", "-d", "--pidfile=" + path], check=True, timeout=LIMIT_S,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path, encoding="ascii") as file:
        return int(file.read())


def end_daemon(daemon):
    """With its consumers: a session that cannot be destroyed keeps them."""
    os.kill(daemon, signal.SIGTERM)
    time.sleep(2)
    try:
        os.killpg(daemon, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-n", dest="kills", type=int, default=100)
    parser.add_argument("-s", dest="seed", type=int, default=1)
    parser.add_argument("-b", dest="build", default=os.path.join(TOP, "build"))
    parser.add_argument("way", nargs="*")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    chosen = [way for way in WAYS if not options.way or way[0] in options.way]
    with_lttng = any(way[1] is not None for way in chosen)
    why = why_not() if with_lttng else None
    with tempfile.TemporaryDirectory() as folder:
        program = build_pusher(folder) if with_lttng and not why else None
        if with_lttng and not program:
            print("skipped: " + (why or "liblttng-ust-dev is not installed"))
            return 77
        pusher, daemon = Pusher(folder), start_daemon(folder) if with_lttng else None
        print("way                  kills         calls       missing     of it told  kills untold   wrong")
        try:
            for name, channel, with_crash, words, rest_us in chosen:
                recorder = (Ranges(folder, words, options.build) if channel is None
                            else Lttng(folder, channel, program, with_crash))
                try_way(name, recorder, pusher, rest_us, options)
        finally:
            if daemon:
                end_daemon(daemon)
    return 0


sys.exit(main())
