#!/bin/sh
# SPDX-License-Identifier: MIT
# Time with tensor cores in tables of kernels adds up to the share of the device, for each form of names.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ -d "$traces" ] || skip_all "no traces: RANGES_TEST_TRACES names their folder"
python3 "$top_srcdir/tests/kineto/tensor.py" "$analyzer" "$traces" >"$temp/out" 2>&1
status=$?
ok "$status" "the kernels' tensor-core time is the device's, for each form of names"
diag "$(cat "$temp/out")"
done_testing
