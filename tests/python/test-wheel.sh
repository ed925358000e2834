#!/bin/sh
# SPDX-License-Identifier: MIT
# `make wheel`: pip installs the wheel without an index in a fresh venv, and the installed programs
# record a program there.

. "${0%/*}/../lib.sh"
need_temp
for file in libranges/ranges libranges/.libs/libranges.so analyzer/analyzer; do
	[ -x "$top_builddir/$file" ] || skip_all "$file is not built"
done
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a library with a sanitizer cannot be loaded into Python" ;;
esac
unset NVTX_INJECTION64_PATH CUDA_INJECTION64_PATH PYTHONPATH RANGES_OUTPUT RANGES_LOG RANGES_SCHEDULE \
	RANGES_STANDBY RANGES_LIBRARY
mkdir "$temp/spool" "$temp/work"
export RANGES_SPOOL_DIR="$temp/spool" PIP_DISABLE_PIP_VERSION_CHECK=1 RANGES_EXIT_MS=60000
cd "$temp/work" || exit 1
if ! python3 -m venv "$temp/venv" >venv.out 2>&1 || [ ! -x "$temp/venv/bin/pip" ]; then
	skip_all "this python3 makes no venv with pip"
fi

version=$(sed -n 's/^AC_INIT(\[libranges\],\[\([^]]*\)\].*/\1/p' "$top_srcdir/configure.ac")
wheel=$(python3 "$top_srcdir/tools/make-wheel" "$top_builddir" "$version" one)
ok $? "a wheel is made"
python3 "$top_srcdir/tools/make-wheel" "$top_builddir" "$version" two >/dev/null
cmp "$wheel" two/*.whl
ok $? "of equal files with equal bytes"
python3 - "$wheel" >differences 2>&1 <<'END'
import base64, hashlib, sys, zipfile

wheel = zipfile.ZipFile(sys.argv[1])
names = set(wheel.namelist())
record = [name for name in names if name.endswith("/RECORD")]
lines = wheel.read(record[0]).decode().splitlines()
listed = dict(line.rsplit(",", 2)[:2] for line in lines)
print(*sorted(names ^ set(listed)), end="")
for name in names - set(record):
    value = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=")
    if listed[name] != "sha256=" + value.decode():
        print(name)
END
is "$?:$(cat differences)" 0: "RECORD names each file with its digest"
"$temp/venv/bin/pip" install -q --no-index "$wheel" >pip.out 2>&1
is "$?:$(cat pip.out)" 0: "pip takes it without an index"

PATH=$temp/venv/bin:$PATH
cat >train.py <<'END'
import ranges

with ranges.profile(schedule=ranges.schedule(wait=1, warmup=1, active=1, repeat=1)) as p:
    for batch in range(4):
        with ranges.annotate("forward"):
            pass
        p.step()
print([row["name"] for row in ranges.read(p, frame=False)], ranges.__file__)
END
ranges run -q -o train.bin -- python3 train.py >out 2>&1
is "$?:$(cat out)" "0:['forward', 'step'] $(echo "$temp"/venv/lib/python3*/site-packages/ranges/__init__.py)" \
	"ranges run records a script, the module and analyzer read its log"
is "$(command -v analyzer)" "$temp/venv/bin/analyzer" "analyzer is the wheel's"
pip uninstall -q -y libranges >pip.out 2>&1
is "$?:$(find "$temp/venv" -name '*ranges*' | grep -v pip)" 0: "and all of it can be taken out again"
python3 "$top_srcdir/tools/make-wheel" /nonexistent "$version" three >out 2>&1
is "$?:$(cat out)" "1:make wheel: /nonexistent/libranges/.libs/libranges.so: No such file or directory" \
	"what is not built is said"
done_testing
