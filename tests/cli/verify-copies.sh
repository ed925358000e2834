# SPDX-License-Identifier: MIT
# verify accepts copies with other chunk borders, but finds rows stored twice
python3 - <<'PY'
import struct, zlib
def chunk(kind, sequence, count, flags, payload):
    head = struct.pack("<4sIBBHIQIIIIQQI", b"\xc1\xf7rl", 7, 1, kind, flags | 1, 0, sequence, len(payload),
                       len(payload), count, 0, 0, 0, zlib.crc32(payload))
    return head + struct.pack("<I", zlib.crc32(head)) + payload
def strings(sequence, *texts, flags=0):
    payload = b"\x81\xa1s" + bytes([0x90 + len(texts)]) + b"".join(bytes([0xa0 + len(t)]) + t for t in texts)
    return chunk(2, sequence, len(texts), flags, payload)
start = chunk(1, 0, 1, 0, b"\x81\xa6format\x01")
originals = strings(1, b"a", b"b") + strings(3, b"c") + strings(4, b"d")
open("copied.bin", "wb").write(start + originals + strings(1, b"a", b"b", b"c", b"d", flags=32))
open("doubled.bin", "wb").write(start + originals + strings(3, b"c", b"d") + strings(1, b"a", b"b", flags=32))
open("filled.bin", "wb").write(start + strings(1, b"a") + strings(4, b"d") + strings(2, b"b", b"c", flags=32))
open("missing.bin", "wb").write(start + strings(1, b"a") + strings(4, b"d") + strings(2, b"b", flags=32))
PY
for log in copied doubled filled missing; do
	analyzer verify "$log.bin"
done
