# SPDX-License-Identifier: MIT
"""A terminal for a program to write to.

usage: screen.py [-e] WIDTH HEIGHT COMMAND...    prints what a terminal of this size gets, exits as the command does
    -e    what the command writes to stderr goes where ours does, not to the terminal
"""

import fcntl
import os
import pty
import struct
import sys
import termios


def read_all(terminal):
    """The terminal's input, until the other side is closed."""
    got = b""
    try:
        while chunk := os.read(terminal, 65536):
            got += chunk
    except OSError:
        pass
    return got


def run(words, width, height, prepare=None):
    """A command's output on a terminal, and its exit status. `prepare` runs in the child first."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        if prepare:
            prepare()
        os.execvp(words[0], words)
    got = read_all(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # Linux looks first for text, then whether the other side is closed. If text is written in
    # between, the read fails all the same. Now that the program has ended, all of its text is
    # there.
    got += read_all(terminal)
    os.close(terminal)
    return got.replace(b"\r\n", b"\n"), status


def show(width, words):
    """The output on a terminal of that many columns, without colours and progress."""

    def prepare():
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.environ.update(NO_COLOR="1", RANGES_PAGER="", LC_ALL="C.UTF-8", TZ="UTC")

    return run(words, width, 50, prepare)[0].decode()


def main(words):
    """The command line above. Return: the command's exit status."""
    errors = os.dup(2)
    apart = words[0] == "-e"
    words = words[apart:]
    got, status = run(words[2:], int(words[0]), int(words[1]), (lambda: os.dup2(errors, 2)) if apart else None)
    sys.stdout.buffer.write(got)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
