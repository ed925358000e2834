#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of Perfetto as other programs write them: pftrace-input.py KIND >FILE

foreign   one of an SDK: a clock of its own that counts from packet to packet, in us; texts in place and by
          number, numbers that begin again; nested annotations, a counter, flows, work of a GPU, ftrace
unpack    the packets of the trace on standard input, unpacked
"""
import struct
import sys
import zlib


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def real(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def packet(*parts, sequence=7):
    return data(1, b"".join(parts) + number(10, sequence))


def event(time, *parts):
    return packet(number(8, time), data(11, b"".join(parts)))


def clock(ident, time, *parts):
    return data(1, number(1, ident) + number(2, time) + b"".join(parts))


def foreign():
    out = packet(data(6, clock(6, 5000000) + clock(1, 1700000000005000000) +
                      clock(64, 100, number(3, 1), number(4, 1000))),
                 data(59, number(58, 64) + data(11, number(11, 12))), number(13, 1))
    out += packet(data(60, number(1, 11) + data(3, number(1, 77) + data(6, "prog"))))
    out += packet(data(60, number(1, 12) + number(5, 11) + data(4, number(1, 77) + number(2, 78) + data(5, "worker"))))
    out += packet(data(60, number(1, 13) + number(5, 11) + data(2, "mem MB") + data(8, data(6, "MB"))))
    out += packet(data(12, data(2, number(1, 1) + data(2, "inner")) + data(1, number(1, 1) + data(2, "cat"))))
    inner = data(4, data(10, "shape") + data(12, number(4, 2)) + data(12, number(4, 3)))
    inner += data(4, data(10, "facts") + data(11, data(10, "on") + number(2, 1)) + data(11, data(10, "part") + real(5, 0.5)))
    out += event(10, number(9, 1), data(23, "outer"), data(22, "cat"))
    out += event(5, number(9, 1), number(10, 1), number(3, 1), inner, varint(47 << 3 | 1) + struct.pack("<Q", 99))
    out += event(20, number(9, 2))
    out += event(2, number(9, 3), data(23, "mark"))
    out += event(0, number(9, 4), number(11, 13), number(30, 640))
    out += event(3, number(9, 2))
    # Its numbers begin again: 1 is another name now.
    out += packet(number(13, 1), data(12, data(2, number(1, 1) + data(2, "later"))))
    out += event(10, number(9, 1), number(10, 1), varint(48 << 3 | 1) + struct.pack("<Q", 99))
    out += event(7, number(9, 2))
    out += packet(data(12, data(24, number(1, 1) + data(2, "queue 0")) + data(24, number(1, 2) + data(2, "Compute"))),
                  sequence=8)
    out += packet(number(8, 5200000), data(53, number(1, 1) + number(2, 500) + number(11, 0) + number(13, 1) +
                                           number(14, 2) + data(17, "my_kernel")), sequence=8)
    return out + packet(data(1, number(1, 0) + data(2, b"") * 3), sequence=9)


def fields(message):
    at = 0
    while at < len(message):
        key, shift = 0, 0
        values = []
        for _ in range(2):
            value, shift = 0, 0
            while True:
                byte = message[at]
                at += 1
                value |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            values.append(value)
        key, length = values
        yield key >> 3, message[at:at + length]
        at += length


def unpack():
    out = b""
    for _, body in fields(sys.stdin.buffer.read()):
        for field, packed in fields(body):
            assert field == 50
            out += zlib.decompress(packed)
    return out


sys.stdout.buffer.write(foreign() if sys.argv[1] == "foreign" else unpack())
