# SPDX-License-Identifier: MIT
"""Runs analyzer on terminals of several widths: no line may be wider, and every figure that is shown is one of
those that are shown where there is room for all.

usage: check-screens.py ANALYZER FILE...; prints what is wrong, a line each.
"""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
import unicodedata

WIDTHS = (80, 120, 200)
WIDE = 60000
FIGURE = re.compile(r"-?[0-9][0-9.,]*(ns|us|ms|s|%|B|kB|MB|GB|TB)?\Z")


def show(width, words):
    """What a terminal of so many columns gets."""
    child, terminal = pty.fork()
    if child == 0:
        os.close(2)
        os.open(os.devnull, os.O_WRONLY)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
        os.execvp(words[0], words)
    shown = b""
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:
        pass
    os.close(terminal)
    os.waitpid(child, 0)
    return shown.replace(b"\r", b"").decode()


def measure(line):
    """Columns of a line."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def figures(text):
    """Words that are figures."""
    return {word for word in text.split() if FIGURE.match(word)}


def main():
    analyzer, files = sys.argv[1], sys.argv[2:]
    reports = ("all", "launch", "memory-curve")
    for file in files:
        calls = [[analyzer, file]] + [[analyzer, "stats", file, "-l", "20", "-r", report] for report in reports]
        for words in calls:
            whole = figures(show(WIDE, words))
            for width in WIDTHS:
                text = show(width, words)
                call = " ".join([os.path.basename(file)] + words[3:])
                if not text:
                    print(f"{call}: nothing on {width} columns")
                for line in text.splitlines():
                    if measure(line) > width:
                        print(f"{call}: {measure(line)} columns on {width}: {line}")
                for word in sorted(figures(text) - whole):
                    print(f"{call}: {word} is only on {width} columns")


main()
