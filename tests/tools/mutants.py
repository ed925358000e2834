#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in the sources, one at a time, and says which of them the tests find.

usage: tests/tools/mutants.py [-n COUNT] [-f FIRST] [-s SEED] [-m PATTERN] [-a FILE[:LINE]]... [-q] [-w WORK] [-l]

Works on a copy of the sources in WORK, with a build of its own there, never on this tree. Faults
are drawn over all folders alike: a comparison that is off by one or turned round, "and" for "or", a
lost "not", a constant one too large or too small, a statement left out, an error not told. A fault
that gives the same object code does not count, and another one is drawn. Each fault is built
incrementally. The tests that fit its file run, the quick ones first, until one fails ("killed") or
none does ("survived").

  -n COUNT  how many faults (20)
  -f FIRST  begins with the FIRSTth of those that -l lists (1): several copies share a campaign
  -s SEED   which ones: the same number and sources, the same faults (1)
  -m PATTERN  only in files whose path has this regular expression
  -a FILE[:LINE]  all faults of a file, or of a line, instead of random ones; -x NUMBER: only the NUMBERth
  -w WORK   the copy; kept, and used again by the next run (made in TMPDIR and removed if not given)
  -l        lists the faults, and tries none
  -t TESTS  the tests to run instead of those that fit, separated by blanks
  -q        quick: unit tests, and the first of the scripts that fit; try what survives again with -a, without -q

Prints a line for each fault, then how many were killed. Exit: 0, or 1 if one survived."""

import argparse
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEST_LIMIT_S = 600  # for one test without a fault
MEMORY_BYTES = 8 << 30  # for one program: a fault may make its use boundless
OWN_LIMITS = ("tests/analyzer/test-bombs.sh",)  # an outer limit would replace its own

# The tests that fit a path: first match counts. Unit tests and tests of the command line come first, by
# hand in the order of cost.
CLI = "tests/commands/test-cli.sh"
UNITS = {
    "format/": "tests/unit/format/test-",
    "analyzer/": "tests/unit/analyzer/test-",
    "libranges/": "tests/unit/libranges/test-",
}
SCRIPTS = [
    (r"^format/", "tests/unit/analyzer/test-verify-index tests/fuzz/fuzz-reader " + CLI +
     " tests/unit/format/test-format-python.sh tests/capture/test-old-logs.sh"
     " tests/analyzer/test-bombs.sh tests/capture/test-recover.sh tests/capture/test-run.sh tests/capture/test-counts"),
    (r"^libranges/cupti/", "tests/cupti/test-cupti.sh tests/cupti/test-cupti-faults.sh"
     " tests/cupti/test-kernel-sections.sh tests/cupti/test-cupti-matrix.sh tests/capture/test-run.sh"
     " tests/cupti/test-cupti-graphs.sh tests/cupti/test-cupti-shared.sh tests/cupti/test-cupti-hostile.sh"),
    (r"^libranges/launcher/", "tests/capture/test-run.sh tests/capture/test-recover.sh"
     " tests/capture/test-recover-harm.sh tests/commands/test-ranges-man.sh tests/commands/test-help.sh"
     " tests/capture/test-endings tests/capture/test-losses.sh tests/capture/test-ways.sh"),
    (r"^libranges/chain/", "tests/capture/test-chain.sh tests/capture/test-ways.sh"
     " tests/capture/test-extensions.sh"),
    (r"^libranges/", "tests/capture/test-run.sh tests/nvtx/test-nvtx-all.sh tests/capture/test-extensions.sh"
     " tests/capture/test-filter.sh tests/capture/test-names.sh tests/capture/test-abuse.sh"
     " tests/capture/test-endings tests/capture/test-counts tests/capture/test-losses.sh"
     " tests/capture/test-recover.sh tests/capture/test-recover-harm.sh tests/capture/test-ways.sh"
     " tests/capture/test-dropin.sh tests/capture/test-static.sh tests/capture/test-units.sh"
     " tests/capture/test-kill tests/capture/test-chain.sh"),
    (r"^analyzer/compat/", CLI + " tests/compat/test-compat-made.sh tests/compat/test-compat-hta.sh"
     " tests/compat/test-compat-tb.sh tests/compat/test-compat-torch.sh"),
    (r"^analyzer/(advice|check)/", CLI + " tests/analyzer/test-advice.sh tests/batch/test-check.sh"
     " tests/analyzer/test-advice-traces.sh"),
    (r"^analyzer/(batch|mpi|clock|diff)/", CLI + " tests/batch/test-batch.sh tests/batch/test-diff.sh"
     " tests/batch/test-ranks.sh tests/batch/test-mpi.sh tests/batch/test-timeline.sh"
     " tests/batch/test-diff-causes.sh tests/batch/test-diff-runs.sh tests/batch/test-diff-unlike.sh"
     " tests/batch/test-diff-counts.sh tests/compat/test-compat-tb-diff.sh"),
    (r"^analyzer/pftrace/", CLI + " tests/perfetto/test-pftrace.sh tests/unit/analyzer/test-pftrace-stream"),
    (r"^analyzer/link/", CLI + " tests/cupti/test-kernel-sections.sh tests/cupti/test-cupti.sh"
     " tests/analyzer/test-analyzer-pairs.sh tests/kineto/test-kineto.sh"),
    (r"^analyzer/(read-nsys|write-sqlite)/", "tests/nsys/test-nsys.sh tests/nsys/test-write.sh " + CLI),
    (r"^analyzer/page/", "tests/page/test-page.sh " + CLI),
    (r"^analyzer/(read-json|rows)/", CLI + " tests/kineto/test-kineto.sh tests/kineto/test-kineto-odd.sh"
     " tests/kineto/test-kineto-exact.sh tests/kineto/test-round-trip.sh tests/kineto/test-stacks.sh"
     " tests/kineto/test-tensor.sh tests/compat/test-compat-made.sh"),
    (r"^analyzer/(steps)/", CLI + " tests/analyzer/test-steps.sh tests/analyzer/test-steps-only.sh"
     " tests/analyzer/test-step-calls.sh tests/compat/test-compat-made.sh"),
    (r"^analyzer/timeline/", CLI + " tests/kineto/test-round-trip.sh tests/batch/test-timeline.sh"
     " tests/perfetto/test-perfetto-json.sh"),
    (r"^analyzer/payload/", CLI + " tests/analyzer/test-nvtx-dump.sh tests/capture/test-extensions.sh"
     " tests/fuzz/fuzz-payload"),
    (r"^analyzer/", CLI + " tests/commands/test-screens.sh tests/analyzer/test-nvtx-dump.sh"
     " tests/commands/test-help.sh tests/commands/test-terminal.sh tests/analyzer/test-memory.sh"
     " tests/analyzer/test-heaps.sh tests/analyzer/test-projection.sh tests/analyzer/test-rates.sh"
     " tests/analyzer/test-critical-path.sh tests/analyzer/test-gpu-sums.sh"
     " tests/analyzer/test-analyzer-pairs.sh tests/analyzer/test-analyzer-damage.sh"
     " tests/occupancy/test-occupancy.sh tests/compat/test-compat-made.sh tests/batch/test-batch.sh"
     " tests/analyzer/test-steps.sh tests/analyzer/test-properties.sh tests/analyzer/test-stream.sh"
     " tests/kineto/test-graph-capture.sh"),
]

# The replacements, one at a time. clang-format puts blanks around binary operators.
CHANGES = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
    (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "), (r"!(?=[a-z(])", ""), (r" \+ 1\b", ""),
    (r" - 1\b", ""), (r" \+= ", " -= "), (r" -= ", " += "), (r" \+ (?!1\b)", " - "), (r" - (?!1\b)", " + "),
    (r"\+\+;", "--;"), (r"return true;", "return false;"), (r"return false;", "return true;"),
    (r"return -[A-Z_]+;", "return 0;"), (r" = 0;", " = 1;"), (r" = true;", " = false;"),
    (r" = false;", " = true;"), (r"\bmin\(", "max("), (r" \* ", " / "), (r" & ~", " | "),
]
STATEMENT = re.compile(r"^\t+(?!return|goto|const |struct |static |case |free|close|fclose|\w+_t |bool |int |long "
                       r"|char |double )[a-z][^{}=]*(\+=|-=|\|=|=)?[^{}]*;$")


class Mutant:
    """One fault: a line of a file and its replacement."""

    def __init__(self, path, line, old, new):
        self.path, self.line, self.old, self.new = path, line, old, new

    def __str__(self):
        return f"{self.path}:{self.line + 1}: {self.old.strip()}  ->  {self.new.strip()}"


def blank_out(text):
    """The same text with comments, strings and the preprocessor's lines blank, to search in."""
    hide = lambda match: re.sub(r"[^\n]", "\0", match.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])+\'|^#(\\\n|[^\n])*', hide, text,
                  flags=re.S | re.M)


def faults_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        text = file.read()
    found = []
    inside = False  # in a function, whose brace is alone in the first column
    for number, (shown, line) in enumerate(zip(blank_out(text).split("\n"), text.split("\n"))):
        if shown.startswith(("{", "}")):
            inside = shown.startswith("{")
        if not inside or "assert(" in shown:
            continue
        for pattern, new in CHANGES:
            for match in re.finditer(pattern, shown):
                if " *" in pattern and re.search(r"\b(const|struct|char|void|int)\b", shown):
                    continue
                found.append(Mutant(path, number, line, line[:match.start()] + new + line[match.end():]))
        if STATEMENT.match(shown) and shown.count("(") == shown.count(")"):
            found.append(Mutant(path, number, line, re.match(r"\t*", line).group() + ";"))
    return found


def sources():
    for folder in ("format", "analyzer", "libranges"):
        for root, _, files in os.walk(os.path.join(TOP, folder)):
            for name in files:
                if name.endswith(".c"):
                    yield os.path.relpath(os.path.join(root, name), TOP)


def draw(options):
    """The faults to try. Random ones take each folder in turn, so that small folders get as many."""
    paths = sorted(path for path in sources() if re.search(options.match, path))
    if options.at:
        chosen = []
        for place in options.at:
            path, _, line = place.partition(":")
            chosen += [m for m in faults_of(path) if not line or m.line + 1 == int(line)]
        return [chosen[options.only - 1]] if options.only else chosen
    chance = random.Random(options.seed)
    folders = {}
    for path in paths:
        folders.setdefault(os.path.dirname(path), []).extend(faults_of(path))
    for faults in folders.values():
        chance.shuffle(faults)
    order = [folder for folder in sorted(folders) if folders[folder]]
    chance.shuffle(order)
    chosen = []
    while any(folders.values()):
        chosen += [folders[folder].pop() for folder in order if folders[folder]]
    return chosen[options.first - 1:]


class Copy:
    """The copy of the sources, its build, and the environment of the tests."""

    def __init__(self, work):
        self.top = os.path.join(work, "ranges")
        self.build = os.path.join(self.top, "build")
        self.environment = dict(os.environ, top_srcdir=self.top, top_builddir=self.build, SANITIZERS="no")
        self.environment.setdefault("CC", "gcc")
        self.environment.setdefault("CXX", "g++")
        traces = os.environ.get("RANGES_TEST_TRACES", os.path.join(os.path.dirname(TOP), "shared", "traces"))
        self.environment["RANGES_TEST_TRACES"] = traces
        self.limits_s = {}  # of tests, once they have been seen to pass

    def prepare(self):
        os.makedirs(self.top, exist_ok=True)
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, stdout=subprocess.PIPE, check=True).stdout
        for path in listed.decode().split("\0"):
            source, copy = os.path.join(TOP, path), os.path.join(self.top, path)
            if path and os.path.isfile(source) and not same(source, copy):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(source, copy)
        if not os.path.exists(os.path.join(self.top, "configure")):
            self.must(["./bootstrap"], self.top)
        if not os.path.exists(os.path.join(self.build, "Makefile")):
            os.makedirs(self.build, exist_ok=True)
            self.must(["../configure", "-q", "CFLAGS=-O1"], self.build)
        # This includes the programs that scripts start, because a skipped test finds nothing.
        self.must(["make", "-s", "check", "TESTS="], self.build)

    def must(self, command, folder):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=self.environment, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n" + done.stdout.decode(errors="replace")[-3000:])

    def make(self, targets):
        return subprocess.run(["make", "-s"] + targets, cwd=self.build, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=self.environment, check=False).returncode == 0

    def objects(self, path):
        """The object files of a source, and what libtool keeps beside them."""
        stem = re.escape(os.path.basename(path)[:-2])
        return sorted(os.path.join(root, name)
                      for root, _, files in os.walk(os.path.join(self.build, path.split("/")[0]))
                      for name in files if re.fullmatch(r"(.*[_-])?" + stem + r"\.l?o", name))

    def code(self, path):
        """Checksums of the object files of a source, without line numbers."""
        sums = []
        for name in self.objects(path):
            if name.endswith(".o"):
                bare = os.path.join(self.build, "mutant.o")
                subprocess.run(["strip", "-g", "-o", bare, name], check=True)
                with open(bare, "rb") as file:
                    sums.append((name, hashlib.sha256(file.read()).digest()))
        return sums

    def keep(self, path):
        """The bytes of its object files as they are."""
        kept = {}
        for name in self.objects(path):
            with open(name, "rb") as file:
                kept[name] = file.read()
        return kept

    def write(self, mutant, text):
        path = os.path.join(self.top, mutant.path)
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        lines[mutant.line] = text
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))

    def units(self, path):
        """Unit tests that fit: those with the file's name, and the others of its part."""
        start = UNITS[path.split("/")[0] + "/"]
        stem = os.path.basename(path)[:-2]
        names = sorted(os.path.join(os.path.dirname(start), name[:-2])
                       for name in os.listdir(os.path.join(TOP, os.path.dirname(start)))
                       if name.startswith("test-") and name.endswith(".c"))
        return [name for name in names if stem in name], [name for name in names if stem not in name]

    def tests(self, path, is_quick):
        """First the tests with its name, then one script, which needs no linking, then all."""
        own, others = self.units(path)
        for pattern, names in SCRIPTS:
            if re.search(pattern, path):
                names = names.split()
                return own + names[:1] + others + ([] if is_quick else names[1:])
        return own + others

    def fails(self, test):
        """Whether the test has a fact that does not hold, or takes far longer than without a fault."""
        program = os.path.join(self.top if test.endswith(".sh") else self.build, test)
        if not test.endswith(".sh") and not self.make([test]):
            return True
        with tempfile.TemporaryFile() as out:
            child = subprocess.Popen([program], cwd=self.build, stdin=subprocess.DEVNULL, stdout=out,
                                     stderr=subprocess.DEVNULL, env=self.environment,
                                     start_new_session=True,
                                     preexec_fn=None if test in OWN_LIMITS else limit_memory)
            begun = time.monotonic()
            try:
                status = child.wait(self.limits_s.get(test, TEST_LIMIT_S))
            except subprocess.TimeoutExpired:
                status = -1
            took_s = time.monotonic() - begun
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            out.seek(0)
            text = out.read()
        has_failed = status != 0 or re.search(rb"^not ok (?!.*# TODO)", text, re.M) is not None
        if not has_failed:
            self.limits_s.setdefault(test, 10 * took_s + 60)
        return has_failed


def limit_memory():
    # With RLIMIT_DATA the analyzer would start no threads.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def same(source, copy):
    try:
        with open(source, "rb") as one, open(copy, "rb") as other:
            return one.read() == other.read()
    except OSError:
        return False


def try_mutant(copy, mutant, tests):
    """Return: "none" if it changes nothing or does not compile, the test that found it, or None."""
    before = copy.code(mutant.path)
    sound = copy.keep(mutant.path)
    copy.write(mutant, mutant.new)
    try:
        if not copy.make(["all"]) or copy.code(mutant.path) == before:
            return "none"
        return next((test for test in tests if copy.fails(test)), None)
    finally:
        # The correct objects are restored, newer than the source. Programs are linked again with
        # the next fault.
        copy.write(mutant, mutant.old)
        for name, content in sound.items():
            with open(name, "wb") as file:
                file.write(content)


def campaign(options, work):
    copy = Copy(work)
    copy.prepare()
    killed, survived, sound = 0, 0, {}
    for mutant in draw(options):
        if killed + survived == options.count and not options.at:
            break
        tests = options.tests.split() if options.tests else copy.tests(mutant.path, options.quick)
        while True:
            found = try_mutant(copy, mutant, [test for test in tests if sound.get(test, True)])
            if found in ("none", None) or found in sound:
                break
            # A test that fails without a fault says nothing.
            copy.make(["all"])
            sound[found] = not copy.fails(found)
            if sound[found]:
                break
            print(f"{found} fails without a fault: left out", flush=True)
        if found == "none":
            continue
        killed += found is not None
        survived += found is None
        print(f"killed    {mutant}  ({found})" if found else f"survived  {mutant}", flush=True)
    copy.make(["all"])
    print(f"{killed} killed, {survived} survived")
    return survived


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-n", dest="count", type=int, default=20)
    parser.add_argument("-f", dest="first", type=int, default=1)
    parser.add_argument("-s", dest="seed", type=int, default=1)
    parser.add_argument("-m", dest="match", default="")
    parser.add_argument("-a", dest="at", action="append", default=[])
    parser.add_argument("-x", dest="only", type=int, default=0)
    parser.add_argument("-w", dest="work")
    parser.add_argument("-t", dest="tests")
    parser.add_argument("-q", dest="quick", action="store_true")
    parser.add_argument("-l", dest="list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for number, mutant in enumerate(draw(options)):
            if options.at or number < options.count:
                print(f"{number + options.first}  {mutant}")
        return 0
    if options.work:
        return 1 if campaign(options, options.work) else 0
    with tempfile.TemporaryDirectory() as work:
        return 1 if campaign(options, work) else 0


sys.exit(main())
