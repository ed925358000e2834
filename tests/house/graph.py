#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The graph of all units (a .c file and its header): which unit includes or calls which.

usage: graph.py BUILD [FOLDERS]     in the top folder of the sources

FOLDERS lists the folders from the bottom up. A unit may use the folders before its own, its own
folder, and format/. nm reads calls from the objects below BUILD. Prints these lines:
  unit COUNT · arrow COUNT            the numbers of units and arrows that were read
  back UNIT -> UNIT: WHY              an arrow to a folder that is higher
  circle COUNT: UNIT...               more than three units of which each needs all others
  unlisted FOLDER                     a folder that the list lacks
"""
import glob
import os
import re
import subprocess
import sys

TOPS = ("format", "libranges", "analyzer")


def unit_of(path):
    return path[: -len(".c")]


def find_files():
    for top in TOPS:
        for folder, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.join(folder, name)


def object_of(build, unit):
    """Automake may put a target's name before the file's."""
    folder, stem = os.path.split(unit)
    for pattern in (f"{build}/{folder}/.libs/{stem}.o", f"{build}/{folder}/{stem}.o",
                    f"{build}/{folder}/.libs/*_la-{stem}.o", f"{build}/{folder}/*_ranges-{stem}.o"):
        for path in glob.glob(pattern):
            return path
    return None


def read_symbols(paths):
    """What each object defines and uses."""
    symbols = {path: (set(), set()) for path in paths}
    said = subprocess.run(["nm", "-A", *paths], capture_output=True, text=True, check=True).stdout if paths else ""
    for line in said.splitlines():
        path, rest = line.split(":", 1)
        words = rest.split()
        if len(words) == 3 and words[1] in "TDBRVW":
            symbols[path][0].add(words[2])
        elif len(words) == 2 and words[0] == "U":
            symbols[path][1].add(words[1])
    return symbols


def read_graph(build):
    files = set(find_files())
    arrows = {unit_of(path): {} for path in files}
    home, uses, objects = {}, {}, {}
    for path in sorted(files):
        with open(path, encoding="utf-8") as source:
            for header in re.findall(r'^\s*#\s*include\s*"([^"]+)"', source.read(), re.M):
                if header in files and unit_of(header) != unit_of(path):
                    arrows[unit_of(path)].setdefault(unit_of(header), "an include")
        there = object_of(build, unit_of(path)) if path.endswith(".c") else None
        if there:
            objects[there] = unit_of(path)
    for there, (defined, used) in read_symbols(list(objects)).items():
        uses[objects[there]] = used
        for symbol in defined:
            home.setdefault(symbol, objects[there])
    for unit, symbols in uses.items():
        for symbol in sorted(symbols):
            if home.get(symbol, unit) != unit:
                arrows[unit].setdefault(home[symbol], symbol)
    return arrows


def find_circles(arrows):
    """Tarjan's strongly connected components, without recursion."""
    number, low, stack, on_stack, circles = {}, {}, [], set(), []
    for root in sorted(arrows):
        work = [] if root in number else [(root, iter(sorted(arrows[root])))]
        if work:
            number[root] = low[root] = len(number)
            stack.append(root)
            on_stack.add(root)
        while work:
            unit, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(arrows[other]))))
                    break
                if other in on_stack:
                    low[unit] = min(low[unit], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == number[unit]:
                    at = stack.index(unit)
                    circles.append(sorted(stack[at:]))
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
    return circles


def main():
    arrows = read_graph(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as listing:
        folders = [line.split()[0] for line in listing if line.strip() and line[0] != "#"]
    place = {folder: at for at, folder in enumerate(folders)}
    print(f"units {len(arrows)} arrows {sum(map(len, arrows.values()))}")
    for folder in sorted({os.path.dirname(unit) for unit in arrows} - set(place)):
        print("unlisted", folder)
    for unit in sorted(arrows):
        for other, why in sorted(arrows[unit].items()):
            here, there = place.get(os.path.dirname(unit), -1), place.get(os.path.dirname(other), -1)
            if there > here or unit.split("/")[0] != other.split("/")[0] != "format":
                print(f"back {unit} -> {other}: {why}")
    for circle in sorted(find_circles(arrows), key=lambda units: (-len(units), units)):
        if len(circle) > 3:
            print(f"circle {len(circle)}:", *circle)


main()
