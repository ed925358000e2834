#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the parts of a summary as JSON, a line each; or writes it as an older version would have.

Shares nothing with analyzer/: written from doc/format.md, section 15. Texts are put in place of their indices in
`rows` and `environment`. Usage: read-sum.py FILE, or read-sum.py --without KEY,... FROM TO.
"""
import json
import struct
import sys
import zlib

PART = b"\x89RSUM\r\n\x1a"
ROW = ("table kind domain name parent device total self gpu_self gpu_total bytes errors count sum squares_high "
       "squares_low min min_at max max_at buckets").split()


def unpack(data, at=0):
    """One msgpack value of those that summaries have: (value, offset behind it)."""
    byte = data[at]
    at += 1
    if byte < 0x80:
        return byte, at
    if byte >= 0xe0:
        return byte - 256, at
    numbers = {0xcc: "B", 0xcd: "H", 0xce: "I", 0xcf: "Q", 0xd0: "b", 0xd1: "h", 0xd2: "i", 0xd3: "q"}
    sizes = {0xd9: "B", 0xda: "H", 0xdb: "I", 0xdc: "H", 0xdd: "I", 0xde: "H", 0xdf: "I"}
    code = numbers.get(byte) or sizes.get(byte)
    if code:
        count = struct.unpack_from(">" + code, data, at)[0]
        at += struct.calcsize(code)
        if byte in numbers:
            return count, at
    else:
        count = byte & (0x1f if 0xa0 <= byte < 0xc0 else 0x0f)
    if 0xa0 <= byte < 0xc0 or 0xd9 <= byte <= 0xdb:
        return data[at:at + count].decode("utf-8", "replace"), at + count
    values = []
    is_map = byte < 0x90 or byte >= 0xde
    for _ in range(count * (2 if is_map else 1)):
        value, at = unpack(data, at)
        values.append(value)
    return (dict(zip(values[::2], values[1::2])) if is_map else values), at


def parts(data):
    """(header, run and source, unpacked payload) of each part; then the trailer."""
    at = 0
    while data[at:at + 8] == PART:
        run, source, _, stored = struct.unpack_from("<IIQQ", data, at + 40)
        begin = at + 64 + run + source
        yield data[at:at + 64], data[at + 64:begin], zlib.decompress(data[begin:begin + stored])
        at = begin + stored
    yield data[at:]


def tell(part):
    """A part for people and tests."""
    payload, end = unpack(part[2])
    assert end == len(part[2]), end
    texts = payload.pop("texts")
    payload["rank"] = struct.unpack_from("<q", part[0], 32)[0]
    payload["rows"] = [dict(zip(ROW, row)) for row in payload["rows"]]
    for row in payload["rows"]:
        row.update(domain=texts[row["domain"]], name=texts[row["name"]])
    payload["environment"] = [[texts[word] for word in fact[:2]] for fact in payload.get("environment", [])]
    return payload


def make_older(part, keys):
    """The bytes of a part whose payload has other names for these keys, which nobody knows."""
    header, names, payload = part
    for key in keys:
        name = bytes([0xa0 + len(key)]) + key.encode()
        assert payload.count(name) == 1, key
        payload = payload.replace(name, bytes([0xa0 + len(key)]) + b"_" * len(key))
    packed = zlib.compress(payload)
    part = bytearray(header[:48] + struct.pack("<QQ", len(payload), len(packed)) + names + packed)
    struct.pack_into("<I", part, 12, zlib.crc32(part[16:]))
    return bytes(part)


def main():
    without = sys.argv[2].split(",") if sys.argv[1] == "--without" else None
    with open(sys.argv[3 if without else 1], "rb") as file:
        *all_parts, trailer = parts(file.read())
    if without:
        with open(sys.argv[4], "wb") as file:
            file.write(b"".join(make_older(part, without) for part in all_parts) + trailer)
    else:
        for part in all_parts:
            print(json.dumps(tell(part)))


main()
