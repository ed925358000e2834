# SPDX-License-Identifier: MIT
"""Finds symbols of the objects that are not named after the file that defines them.

usage: symbols.py SOURCES BUILD      prints "bad FILE: SYMBOL", "writable FILE: SYMBOL" and, last,
                                     "objects N symbols M"; without a fault only the last line
"""
import glob
import os
import re
import subprocess
import sys

LAYERS = {"format": "rlog", "libranges": "rcap", "analyzer": "ra"}
# Names that others prescribe: the injection entry points, our exported API, NVTX's own functions in
# the drop-in library, and main.
PRESCRIBED = r"main|ranges_[a-z0-9_]+|InitializeInjection.*|nvtx[A-Z].*"


def object_of(build, source):
    """The first object built from a source; automake may put a target's name before the file's."""
    folder, stem = os.path.join(build, os.path.dirname(source)), os.path.basename(source)[:-2]
    for pattern in (f".libs/{stem}.o", f".libs/*-{stem}.o", f"{stem}.o", f"*_la-{stem}.o",
                    f"*r-{stem}.o", f"*s-{stem}.o"):
        found = sorted(glob.glob(os.path.join(folder, pattern)))
        if found:
            return found[0]
    return None


def shorter(layer, stem):
    """The stem as a prefix of symbols, and its beginnings, each with one word less."""
    prefixes = []
    words = stem.split("_")
    for count in range(len(words), 0, -1):
        part = "_".join(words[:count])
        prefixes.append(f"{layer}_{part}")
        if part.startswith(("cmd_", "out_")):
            prefixes.append(part)
    return prefixes


def prefixes_of(source):
    """The prefixes that a source's symbols may have.

    The files of one subject (reader.c, reader-scan.c) may share its first words. A file need not
    repeat the words of its folder: compat/hta/streams.c has ra_hta_streams_..., its
    report-streams.c ra_report_hta_streams, reports/launch.c ra_report_launch.
    """
    parts = source.split("/")
    layer = LAYERS[parts[0]]
    stem = parts[-1][:-2].replace("-", "_")
    prefixes = shorter(layer, stem)
    if parts[:2] == ["analyzer", "compat"]:
        if stem.startswith("report_"):
            prefixes += shorter(layer, f"report_{parts[2]}_{stem[len('report_'):]}")
        prefixes += shorter(layer, f"{parts[2]}_{stem}")
    elif parts[:2] == ["analyzer", "commands"]:
        prefixes += shorter(layer, f"cmd_{stem}")
    elif parts[:2] == ["analyzer", "reports"]:
        prefixes += shorter(layer, f"report_{stem}")
    return prefixes


def files(top, suffix):
    for layer in LAYERS:
        for folder, _, names in os.walk(os.path.join(top, layer)):
            for name in names:
                if name.endswith(suffix):
                    yield os.path.relpath(os.path.join(folder, name), top)


def main():
    top, build = sys.argv[1:]
    # Declarations that several files share may have a header without a .c file.
    headers_alone = ["[a-z]+_" + os.path.basename(header)[:-2].replace("-", "_")
                     for header in files(top, ".h")
                     if "/include/" not in header
                     and not os.path.exists(os.path.join(top, header[:-1] + "c"))]
    sources = {}
    for source in sorted(files(top, ".c")):
        found = object_of(build, source)
        if found:
            sources[found] = source
    count = 0
    allowed = {}
    said = subprocess.run(["nm", "-A", "--defined-only", *sources], text=True, check=True,
                          stdout=subprocess.PIPE).stdout if sources else ""
    for line in said.splitlines():
        place, kind, symbol = line.rsplit(None, 2)
        source = sources[place.rsplit(":", 1)[0]]
        if kind.isupper():
            count += 1
            if source not in allowed:
                names = "|".join(prefixes_of(source) + headers_alone)
                allowed[source] = re.compile(rf"(?:{names})(?:_[a-z0-9_]+)?|{PRESCRIBED}")
            if not allowed[source].fullmatch(symbol):
                print(f"bad {source}: {symbol}")
        if source.startswith("format/") and kind in "bBCD":
            print(f"writable {source}: {symbol}")
    print(f"objects {len(sources)} symbols {count}")


if __name__ == "__main__":
    main()
