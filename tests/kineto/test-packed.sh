#!/bin/sh
# SPDX-License-Identifier: MIT
# Compressed inputs give the same figures as the plain file, from files and pipes. Damaged ones give
# a message.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
cd "$temp" || exit 1

python3 - <<'END'
import bz2, json, lzma, random, zipfile
random.seed(1)
names = [f"op {random.randrange(50)} of {random.random()}" for _ in range(20000)]
events = [{"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5}
          for i, name in enumerate(names)]
text = json.dumps({"traceEvents": events}).encode()
open("t.json", "wb").write(text)
for suffix, packed in (("xz", lzma.compress(text)), ("bz2", bz2.compress(text, 1))):
    open(f"t.json.{suffix}", "wb").write(packed)
    middle = len(packed) // 2
    open(f"cut.{suffix}", "wb").write(packed[:middle])
    open(f"flip.{suffix}", "wb").write(packed[:middle] + bytes(255 - byte for byte in packed[middle:middle + 8])
                                       + packed[middle + 8:])
    half = len(text) // 2
    module = lzma if suffix == "xz" else bz2
    open(f"members.{suffix}", "wb").write(module.compress(text[:half]) + module.compress(text[half:]))
    open(f"nothing.{suffix}", "wb").write(packed[:10])
    open(f"bomb.{suffix}", "wb").write(module.compress(b" " * (80 << 20)))
for name, method, files in (("deflated", zipfile.ZIP_DEFLATED, 1), ("stored", zipfile.ZIP_STORED, 1),
                            ("two", zipfile.ZIP_DEFLATED, 2), ("lzma", zipfile.ZIP_LZMA, 1)):
    with zipfile.ZipFile(f"{name}.zip", "w", method) as archive:
        for i in range(files):
            archive.writestr(f"t{i}.json", text)
with zipfile.ZipFile("folder.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("sub/", "")
    archive.writestr("sub/t.json", text)
with zipfile.ZipFile("empty.zip", "w") as archive:
    archive.writestr("sub/", "")
class Stream:  # without seeking, the sizes come after the data
    def __init__(self, path):
        self.file = open(path, "wb")
    def write(self, data):
        return self.file.write(data)
    def flush(self):
        self.file.flush()
with zipfile.ZipFile(Stream("streamed.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("t.json", text)
packed = open("deflated.zip", "rb").read()
open("cut.zip", "wb").write(packed[:len(packed) // 2])
at = 14  # its CRC
open("flip.zip", "wb").write(packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1:])
at = 6  # its flags
open("secret.zip", "wb").write(packed[:at] + bytes([packed[at] | 1]) + packed[at + 1:])
END
zstd -q t.json 2>/dev/null && head -c 200000 t.json.zst >cut.zst &&
	{ head -c 200000 t.json.zst; printf '\377\001\377\001'; tail -c +200005 t.json.zst; } >flip.zst

# tables FILE: the report; from - it is read from standard input.
tables()
{
	"$analyzer" stats -r ranges --format csv "$1" 2>&1
}

# with KIND FILE: false, and a skipped point, where this analyzer can't unpack it.
with()
{
	[ -f "$2" ] || { skip "$1: it is read" "no program makes it here"; return 1; }
	case $(tables "$2") in
	*"built without"*)
		tables "$2" | grep -q "offset 0: $1 data, which this analyzer can't unpack (it was built without .*); try \`$1 -dc FILE | analyzer ... -\`"
		ok $? "$1: what is not built in is said, with the command to use"
		return 1
		;;
	esac
}

tables t.json >wanted
for kind in zstd:zst xz:xz bzip2:bz2; do
	suffix=${kind#*:}
	kind=${kind%:*}
	with "$kind" "t.json.$suffix" || continue
	tables "t.json.$suffix" | cmp -s - wanted
	ok $? "$kind: the same figures as of the plain file"
	tables - <"t.json.$suffix" | cmp -s - wanted
	ok $? "$kind: from a pipe, too"
	tables "cut.$suffix" >part
	rows=$(grep -c '^op' part)
	grep -q "the $kind data end too early; what stands before is shown" part && [ "$rows" -gt 100 ]
	ok $? "$kind: of a file that is cut what stands before is shown ($rows rows)"
	tables "flip.$suffix" | grep -Eq "offset [0-9]+: damaged $kind data: "
	ok $? "$kind: damage is said, with its offset"
	[ -f "members.$suffix" ] || continue
	tables "members.$suffix" | cmp -s - wanted
	ok $? "$kind: several members one behind the other"
	{ cat "t.json.$suffix"; echo rest; } >rest
	tables rest | grep -q "something else follows the $kind data; what stands before is shown"
	ok $? "$kind: what follows the packed data is told"
	tables "nothing.$suffix" >said
	is "$?, $(cat said)" "3, analyzer: nothing.$suffix: offset 10: the $kind data end too early" \
		"$kind: of a file without any data that is said"
	tables "bomb.$suffix" | grep -q "unpack to over 1000 times their size"
	ok $? "$kind: what fills memory is refused"
done

for name in deflated stored streamed folder; do
	tables $name.zip | cmp -s - wanted
	ok $? "zip, $name: the same figures as of the plain file"
	cat $name.zip | tables - | cmp -s - wanted
	ok $? "zip, $name: from a pipe, too"
done
"$analyzer" stats -r ranges --format csv two.zip >two 2>said
cmp -s two wanted && grep -q 'the zip has several files, of which the first is read' said
ok $? "zip: of several files the first is read, and that is said"
tables cut.zip | grep -q "the zip data end too early; what stands before is shown"
ok $? "zip: of a file that is cut what stands before is shown"
tables flip.zip | grep -Eq "offset [0-9]+: damaged zip data: "
ok $? "zip: damage is said"
tables secret.zip | grep -q "offset 30: a zip that can't be read: the file in it is encrypted"
ok $? "zip: so is encryption"
tables empty.zip | grep -q "a zip that can't be read: there is no file in it"
ok $? "zip: so is one without a file"
tables lzma.zip | grep -q "packed by another method than deflate"
ok $? "zip: and what else is not read"

printf '\004\042\115\030 and so on' >t.lz4
tables t.lz4 >said
is "$?, $(cat said)" "3, analyzer: t.lz4: offset 0: lz4 data, which this analyzer can't unpack (it reads zstd, xz, bzip2, gzip and zip); try \`lz4 -dc FILE | analyzer ... -\`" \
	"of other compressions their name is said, and the command to use"

# Logs, and commands that read no traces.
"$top_builddir/libranges/ranges" run -f -o log.bin -- "$top_builddir/examples/steps" >/dev/null
python3 -c 'import lzma; open("log.bin.xz", "wb").write(lzma.compress(open("log.bin", "rb").read()))'
"$analyzer" dump log.bin >wanted
gzip -c log.bin >log.bin.gz
"$analyzer" dump log.bin.gz | cmp -s - wanted
ok $? "logs are read in gzip"
python3 - <<'END'
import gzip, struct, zlib
log = open("log.bin", "rb").read()
open("empty.gz", "wb").write(gzip.compress(b"") * 3 + gzip.compress(log))
deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
open("header.gz", "wb").write(b"\x1f\x8b\x08\x04" + bytes(6) + struct.pack("<H", 60000) + bytes(60000)
                              + deflate.compress(log) + deflate.flush()
                              + struct.pack("<II", zlib.crc32(log), len(log)))
END
for file in empty.gz header.gz; do
	"$analyzer" dump $file | cmp -s - wanted && "$analyzer" dump - <$file | cmp -s - wanted
	ok $? "... behind empty members, or a header of 60 KB: $file"
done
size=$(wc -c <log.bin)
{ head -c 1000 log.bin | gzip -c; tail -c +1001 log.bin | gzip -c; } >log.bin.gz
"$analyzer" dump - <log.bin.gz | cmp -s - wanted
ok $? "and in several members, from a pipe"
head -c $((size / 4)) log.bin.gz >cut.bin.gz
"$analyzer" stats cut.bin.gz 2>&1 | grep -q "bytes skipped: .* but the file ends"
ok $? "and that they are cut is said"
{ gzip -c log.bin; echo rest; } >rest.bin.gz
"$analyzer" verify rest.bin.gz >said
is "$?, $(grep -c 'something else follows the gzip data' said)" "1, 1" "verify tells what was wrong with packed data"
with xz "cut.xz" && { "$analyzer" verify cut.xz >said 2>/dev/null; is "$?, $(tail -n 1 said | cut -d, -f1)" \
	"1, cut.xz: incomplete" "verify: a trace that is cut is incomplete, packed or not"; }
if with xz log.bin.xz; then
	"$analyzer" dump log.bin >wanted
	"$analyzer" dump log.bin.xz | cmp -s - wanted
	ok $? "logs are read packed"
	"$analyzer" log.bin -o out.json && mv out.json plain.json && "$analyzer" log.bin.xz -o out.json &&
		cmp plain.json out.json
	ok $? "and drawn"
	mkdir folder && cp log.bin.xz t.json.bz2 folder && "$analyzer" batch folder -o out >/dev/null 2>&1
	"$analyzer" info out/*.sum >/dev/null && [ "$(find out -name '*.sum' | wc -l)" -ge 1 ] &&
		"$analyzer" stats -r ranks out --format csv | grep -q log.bin.xz
	ok $? "batch finds them in folders"
fi
done_testing
