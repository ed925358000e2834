#!/bin/sh
# SPDX-License-Identifier: MIT
# Our declarations of NVML equal those of NVIDIA's header, if it is installed beside nvcc's other
# headers, or in NVML_INCLUDE.

. "${0%/*}/../lib.sh"
need_temp
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
for folder in "${NVML_INCLUDE:-}" "${CUDA_INCLUDE:-}" /usr/local/cuda/include /usr/include; do
	[ ! -f "$folder/nvml.h" ] || break
done
[ -f "$folder/nvml.h" ] || skip_all "no nvml.h (NVML_INCLUDE)"
${CC:-cc} -I"$top_srcdir" -I"$folder" -o "$temp/layout" "$top_srcdir/tests/nvml/layout.c" 2>"$temp/errors" ||
	skip_all "its nvml.h is too old: $(grep -m 1 error "$temp/errors")"
"$temp/layout" >"$temp/out"
is_empty "$(grep '^differs' "$temp/out")" "our structs, numbers and NVIDIA's header agree"
[ "$(sed -n 's/^compared //p' "$temp/out")" -ge 80 ]
ok $? "at least 80 facts were compared"
diag "$(head -n 1 "$folder/nvml.h")"
done_testing
