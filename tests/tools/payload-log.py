#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints text for text-log.py: events with payloads of every kind, laid out by ctypes as C has them."""
import ctypes as c
import struct

FIRST = 1 << 24
POINTER, FROM_BASE, FROM_HERE = 2, 4, 8
FIXED, ZERO, LENGTH, LENGTH_PAYLOAD = 1 << 4, 2 << 4, 3 << 4, 4 << 4
DEEP_COPY, HIDE, MESSAGE, TIMESTAMP = 1 << 8, 1 << 9, 1 << 10, 1 << 11
STATIC, DYNAMIC, UNION, UNION_INTERNAL = 1, 2, 3, 4
CHAR, SHORT, INT, UINT, LONG, LONGLONG = 1, 3, 5, 6, 7, 9
I8, U8, I16, U16, I32, U32, I64, U64 = range(11, 19)
FLOAT, DOUBLE, LONGDOUBLE, SIZE, ADDRESS, WCHAR, CHAR8, CHAR16, CHAR32 = range(19, 28)
BYTE, INT128, UINT128, F16, F32, F64, F128, BF16, TF32 = 32, 33, 34, 42, 43, 44, 45, 50, 52
CATEGORY, COLOR, SCOPE, PID32, TID64 = 68, 69, 70, 71, 74
TEXT, UTF8, UTF16, UTF32, REGISTERED, SELECTOR, REFERENCED, RAW = 75, 76, 77, 78, 80, 100, 1022, 1023

ids = {}
ordinal = 0


def literal(value):
    """A Python literal without spaces."""
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(literal, value)) + "]"
    return repr(value).replace(" ", "\\x20")


def schema(name, entries, kind=STATIC, size=0, align=0, flags=0):
    """An entry is (type, name, flags, detail, offset); what is left out is 0."""
    ids[name] = FIRST + len(ids)
    rows = []
    for entry in entries:
        kind_of, label, *rest = entry
        rest += [0] * (3 - len(rest))
        rows.append([rest[0], kind_of, label, None, rest[1], rest[2], None])
    print('def payload_schema id=%d domain="d" name="%s" detail=%s'
          % (ids[name], name, literal([kind, flags, size, align, rows])))
    return ids[name]


def enum(name, values, size=4):
    ids[name] = FIRST + len(ids)
    print('def payload_enum id=%d domain="d" name="%s" detail=%s'
          % (ids[name], name, literal([size, [list(value) for value in values]])))
    return ids[name]


def event(payloads, op="mark", words='name="m"'):
    global ordinal
    data = "" if payloads is None else " data=" + literal(payloads)
    print('event 1 %d %d %s %s domain="d"%s' % (ordinal, 1000 + ordinal * 10, op, words, data))
    ordinal += 1


def one(type_id, value, *pieces, address=0):
    value = bytes(value)
    return [type_id, len(value), address, value, *pieces]


def fields(*members):
    return type("Fields", (c.Structure,), {"_fields_": list(members)})


print("capture pid=7 clock=\"monotonic\"")
print('def domain id=1 name="d"\ndef stream id=1 tid=7')
print('def category id=5 domain="d" name="io"')
print('def registered_string id=4660 domain="d" name="registered"')
print('def scope id=%d domain="d" name="gpu/queue" detail=[1]' % FIRST)

# Numbers of every kind, at the places of a C struct.
Numbers = fields(("a", c.c_char), ("b", c.c_short), ("c", c.c_int8), ("d", c.c_int), ("e", c.c_long),
                 ("f", c.c_uint8), ("g", c.c_uint64), ("h", c.c_float), ("i", c.c_double),
                 ("j", c.c_size_t), ("k", c.c_void_p))
event([one(schema("numbers", [(CHAR, "a"), (SHORT, "b"), (I8, "c"), (INT, "d"), (LONG, "e"), (U8, "f"),
                              (U64, "g"), (FLOAT, "h"), (DOUBLE, "i"), (SIZE, "j"), (ADDRESS, "k")],
                  size=c.sizeof(Numbers)),
           Numbers(b"a", -2, -3, -4, -5, 6, 2**64 - 7, 0.5, -0.1, 10, 0xdead0000))])
# Unusual numbers: half, bfloat, 128 bits, the rest of NVTX's own.
wide = struct.pack("<HHfIIQ", 0x3555, 0x3F80, 1.5, 5, 0x80FF8000, FIRST)
wide += struct.pack("<IIQQ", 77, 0, 99, 21) + (-5).to_bytes(16, "little", signed=True) + b"\xff" * 16
wide += bytes.fromhex("00000000000000c0ff3f000000000000") + bytes.fromhex("0000000000000000000000000080ff3f")
event([one(schema("wide", [(F16, "half"), (BF16, "bf"), (TF32, "tf"), (CATEGORY, "category"),
                           (COLOR, "color"), (SCOPE, "scope"), (PID32, "pid"), (TID64, "tid", 0, 0, 32),
                           (SCOPE, "where"), (INT128, "i128"), (UINT128, "u128"), (LONGDOUBLE, "ld"),
                           (F128, "quad")]), wide)])
# Enums: names, bits, what is left; an enum without a size is an int.
operator = enum("operator", [("SUM", 0, False), ("MAX", 2, False), ("MIN", 2**64 - 1, False)])
bits = enum("bits", [("READ", 1, True), ("WRITE", 2, True), ("ALL", 7, False)], 1)
unsized = enum("unsized", [("one", 1, False)], 0)
event([one(schema("enums", [(operator, "op"), (operator, "negative"), (operator, "unknown"), (bits, "rw"),
                            (bits, "odd"), (bits, "all"), (bits, "none"), (unsized, "int")]),
           struct.pack("<iiiBBBBi", 2, -1, 9, 3, 9, 7, 0, 1)), one(operator, struct.pack("<i", 0))])
# Nested schemas, arrays of them, pack alignment, explicit offsets, entries without names.
Pair = fields(("x", c.c_int8), ("y", c.c_double))
pair = schema("pair", [(I8, "x"), (DOUBLE, "y")], size=c.sizeof(Pair))
Outer = fields(("head", c.c_int16), ("pair", Pair), ("pairs", Pair * 2), ("tail", c.c_int8))
outer = Outer(1, Pair(2, 2.5), (Pair * 2)(Pair(3, 3.5), Pair(4, 4.5)), 5)
event([one(schema("outer", [(I16, "head"), (pair, "pair"), (pair, "pairs", FIXED, 2), (I8, None)]), outer)])


class Packed(c.Structure):
    _pack_ = 2
    _fields_ = [("a", c.c_int8), ("b", c.c_double), ("c", c.c_int8), ("d", c.c_int32)]


event([one(schema("packed", [(I8, "a"), (DOUBLE, "b"), (I8, "c"), (I32, "d")], align=2),
           Packed(1, 2.0, 3, 4)),
       one(schema("offsets", [(I32, "late", 0, 0, 8), (I32, "behind"), (I32, "early", HIDE, 0, 4)]),
           struct.pack("<iiii", 0, 1, 2, 3))])
# Arrays of every kind.
event([one(schema("fixed", [(FLOAT, "f", FIXED, 3), (CHAR, "c", FIXED, 8), (BYTE, "b", FIXED, 2),
                            (U16, "u", FIXED, 0), (CHAR16, "w", FIXED, 3), (WCHAR, "one")]),
           struct.pack("<fff8s2s3HI", 1, 2, 3, b"text", b"\x01\x02", 0x41, 0x20AC, 0, 0x1F600))])
event([one(schema("zero", [(I32, "z", ZERO), (TEXT, "t", ZERO), (TEXT, "list", ZERO, 4), (U8, "end")],
                  DYNAMIC),
           struct.pack("<iii", 7, 8, 0) + b"zero\0" + b"one\0four\0\0\0\0" + b"\x09")])
event([one(schema("length", [(U32, "n"), (FLOAT, "values", LENGTH, 0), (U8, "m"), (UTF8, "text", LENGTH, 2),
                             (U16, "dims", FIXED, 2), (I8, "matrix", LENGTH, 4), (U16, "last")], DYNAMIC),
           struct.pack("<IffB", 2, 0.5, 1.5, 3) + b"abc" + struct.pack("<HH6bH", 2, 3, 1, 2, 3, 4, 5, 6, 9))])
event([one(SIZE, struct.pack("<QQ", 2, 2)),
       one(schema("shape", [(I16, "data", LENGTH_PAYLOAD, 0)], DYNAMIC), struct.pack("<4h", 1, 2, 3, 4))])
# Texts in all encodings.
event([one(schema("texts", [(TEXT, "eight", 0, 8), (UTF16, "wide", 0, 4), (UTF32, "wider", 0, 3),
                            (REGISTERED, "known"), (REGISTERED, "unknown"), (REGISTERED, "none")]),
           b"padded\0\0" + "aé😀".encode("utf-16-le") + "ß∑\0".encode("utf-32-le")
           + struct.pack("<4xQQQ", 4660, 4661, 0))])
event([one(UTF8, b"alone"), one(UTF16, "wide".encode("utf-16-le")), one(INT, struct.pack("<i", -7)),
       one(DOUBLE, struct.pack("<dd", 1, 2)), one(RAW, b"\x00\xff"), one(COLOR, struct.pack("<I", 0xFF00FF00)),
       one(REFERENCED, b"unseen", address=0x9000)])
# Pointers: to copied memory, into another payload, into nothing.
node = FIRST + len(ids)
schema("node", [(I32, "value"), (node, "next", POINTER | DEEP_COPY)], flags=2)
event([one(schema("pointers", [(TEXT, "text", DEEP_COPY), (INT, "number", POINTER), (DOUBLE, "lost", POINTER),
                               (DOUBLE, "null", POINTER), (I16, "array", POINTER | FIXED, 3),
                               (U32, "n"), (I8, "counted", POINTER | LENGTH, 5),
                               (TEXT, "cut", POINTER, 99)], flags=2),
           struct.pack("<QQQQQIxxxxQQ", 0x1000, 0x9004, 0x3000, 0, 0x2000, 2, 0x2001, 0x1000),
           0x1000, b"pointed to\0", 0x2000, struct.pack("<4h", 1, 2, 3, 4)),
       one(REFERENCED, struct.pack("<ii", 1, 2), address=0x9000)])
event([one(node, struct.pack("<ixxxxQ", 1, 0x2000), 0x2000, struct.pack("<ixxxxQ", 2, 0x3000),
           0x3000, struct.pack("<ixxxxQ", 3, 0))])
# After a piece of memory there is nothing, unless another begins there. An empty piece has only its
# place.
edge = schema("edge", [(TEXT, "behind", DEEP_COPY), (TEXT, "next", DEEP_COPY), (TEXT, "empty", DEEP_COPY),
                       (TEXT, "past", DEEP_COPY)])
event([one(edge, struct.pack("<QQQQ", 0x2008, 0x1008, 0x3000, 0x3001), 0x1000, b"1234567\0",
           0x1008, b"begins\0", 0x2000, b"7654321\0", 0x3000, b"")])
event([one(schema("offsets2", [(TEXT, "base", FROM_BASE), (UTF8, "here", FROM_HERE | LENGTH, 2), (U8, "n")]),
           struct.pack("<QQB", 17, 7, 3) + b"begin\0end")])
# Unions, selected from outside and inside.
either = schema("either", [(I32, "int"), (FLOAT, "float"), (pair, "pair")], UNION)
event([one(schema("chosen", [(U8, "which"), (either, "value", 0, 0), (U8, "last")]),
           struct.pack("<B7xf12xB7x", 1, 2.5, 3)),
       one(schema("inside", [(SELECTOR, "which"), (I32, "int"), (DOUBLE, "double")], UNION_INTERNAL),
           struct.pack("<B7xd", 2, 1.25))])
# Data that cannot be decoded are shown unchanged.
event([one(FIRST + 999, b"\x01\x02"), one(ids["numbers"], b"\x61\x00\xfe\xff"), one(either, b"\x01\x00\x00\x00"),
       one(schema("bad", [(INT, "n", 7 << 4)]), b"\x05"), one(66, b"\x07")])
event([one(schema("twice", [(INT, "n"), (INT, "n"), (INT, "my field"), (FIRST + 998, "what")]),
           struct.pack("<iiii", 1, 2, 3, 4))])
loop = FIRST + len(ids)
schema("loop", [(INT, "n"), (loop, "again")])
event([one(loop, struct.pack("<40i", *range(40)))])
event([one(schema("many", [(U8, "n", 0, 0, 0)] + [(U8, "n%d" % i, HIDE, 0, 0) for i in range(2)]), b"\x01")])
# Data that continue in rows of op more, and invalid data.
event([one(INT, struct.pack("<i", 3))], "push")
print("event 1 0 2000 pop domain=\"d\" data=b\"\\x91\\x94\"")
print("event 1 0 2000 more data=b\"\\x4c\\x04\\x00\\xc4\"")
print("chunk")
print("event 1 0 2000 more data=b\"\\x04abcd\"")
print("event 1 0 2010 mark name=\"bare\" domain=\"d\" data=b\"\\xc1\"")
print("event 1 0 2015 mark name=\"without\" domain=\"d\"")
print("event 1 0 2020 more data=b\"\\x01\"")
