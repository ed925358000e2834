#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/cupti/forward.c records what CUPTI does in one run, and the stand-ins replay it. The logs of
# the run and of the replay have the same reports. This is tested for the stand-ins' own runs, and
# for the recordings of real GPUs in tests/data/gpu.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
prepare_cupti 18 24 130000
build_replay 2>"$temp/errors" || skip_all "the player can't be built: $(cat "$temp/errors")"
# shellcheck disable=SC2086
${CC:-cc} $cupti_flags -shared -fPIC -o "$temp/libcupti-forward.so" "$cupti_source/forward.c" -ldl 2>"$temp/errors"
is "$?:$(cat "$temp/errors")" 0: "the library that records builds"
RANGES_CLOCK=monotonic
export RANGES_CLOCK

# replay RECORDING LOG: plays it. $temp/same gets the differences of the reports, and the number of
# figures.
replay()
{
	"$analyzer" dump "$2" >"$temp/dump" &&
		version=$(python3 "$cupti_source/recording.py" script "$1" "$temp/dump" script) &&
		version=${version#version } || return 1
	[ -d "$temp/cupti-$version" ] || build_fake "$version" || return 1
	kinds=on
	! gzip -cdf "$1" | grep -q '^record 38 ' || kinds=sync # of waits
	RANGES_CUPTI_PATH=$temp/cupti-$version/libcupti.so.13 "$ranges" run -q -f --cuda "$kinds" -o again.bin "$temp/replay" script &&
		python3 "$cupti_source/recording.py" compare "$analyzer" "$2" again.bin >"$temp/same"
}

for version in 18 24 130000; do
	# The second recording has waits.
	[ "$version" = 24 ] && kinds=sync || kinds=on
	FORWARD_CUPTI=$temp/cupti-$version/libcupti.so.13 FORWARD_OUT=$temp/recording RANGES_CUPTI_PATH=$temp/libcupti-forward.so \
		"$ranges" run -q -f --cuda "$kinds" -o log.bin "$temp/program" threads=3 launches=200 devices=2 streams=3 init work all \
		>"$temp/out" 2>"$temp/errors"
	is "$?:$(cat "$temp/errors")" 0: "a run is recorded (version $version)"
	kernels=$("$analyzer" dump log.bin | grep -c ' kernel ')
	ok "$([ "$kernels" -ge 600 ]; echo $?)" "its log has its kernels ($kernels)"
	replay "$temp/recording" log.bin 2>"$temp/errors"
	is "$?:$(cat "$temp/errors"):$(grep -v ' figures$' "$temp/same")" 0:: "the replay says the same ($(tail -n 1 "$temp/same"))"
	[ "$(sed -n 's/ figures$//p' "$temp/same")" -gt 1000 ]
	ok $? "in many figures"
done
bytes=$(gzip -9nc "$temp/recording" | wc -c)
[ "$bytes" -le 204800 ]
ok $? "a recording of $kernels kernels is small ($bytes bytes)"
sed 's/^\(record 10 .\{100\}\)./\1f/' "$temp/recording" >"$temp/changed"
replay "$temp/changed" log.bin 2>"$temp/errors"
ok "$([ "$(wc -l <"$temp/same")" -gt 1 ]; echo $?)" "what is changed in a recording is seen"
RANGES_CUPTI_PATH=$temp/libcupti-forward.so "$ranges" run -q -f -o log.bin "$temp/program" launches=3 work >"$temp/out" 2>"$temp/errors"
is "$?:$("$analyzer" dump log.bin | grep -c ' push ')" 0:1 "without a CUPTI to forward to the program's ranges are recorded"

for recording in "$top_srcdir"/tests/data/gpu/*.rec.gz; do
	[ -f "$recording" ] || continue
	name=${recording##*/}
	ok "$([ "$(wc -c <"$recording")" -le 204800 ]; echo $?)" "$name is small"
	replay "$recording" "${recording%.rec.gz}.bin" 2>"$temp/errors"
	is "$?:$(cat "$temp/errors"):$(grep -v ' figures$' "$temp/same")" 0:: "$name: the replay says the same ($(tail -n 1 "$temp/same"))"
done
done_testing
