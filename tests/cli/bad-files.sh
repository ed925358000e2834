# SPDX-License-Identifier: MIT
# An input that is not a log gives one line and exit status 3; an empty folder gives 2
check()
{
	analyzer "$@" >out
	echo "$? $(wc -c <out)"
}
: >empty
printf 'This is a text, and it is longer than a header of a chunk is, by some bytes.\n' >text
printf '\301' >byte
mkdir folder
write_small a.bin
python3 - <<'PY'
import zlib
log = bytearray(open("a.bin", "rb").read(64))
log[8] = 9
log[60:64] = zlib.crc32(bytes(log[:60])).to_bytes(4, "little")
open("newer", "wb").write(log + bytes(100))
PY
for file in none empty text byte folder newer; do
	check "$file" -o out.json
	check dump "$file"
	check info "$file"
	check verify "$file"
done
ls
