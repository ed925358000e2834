# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # the variables of tests/lib.sh
# Builds the stand-ins for the CUDA driver and CUPTI, for tests of the GPU's capture. Source it behind
# tests/lib.sh and need_temp.

cupti_source=$top_srcdir/tests/cupti
cupti_flags="-std=gnu11 -O1 -g -Wall -Wextra -I$top_srcdir -I$cupti_source"
[ "${SANITIZERS:-no}" = no ] || cupti_flags="$cupti_flags -fsanitize=$SANITIZERS"

# build_fake VERSION…: $temp/cupti-VERSION/libcupti.so.13 for each, and $temp/libcuda.so.1.
build_fake()
{
	# shellcheck disable=SC2086
	${CC:-cc} $cupti_flags -shared -fPIC -o "$temp/libcuda.so.1" -Wl,-soname,libcuda.so.1 \
		"$cupti_source/fake-cuda.c" -lpthread -ldl || return 1
	for version; do
		mkdir -p "$temp/cupti-$version"
		# shellcheck disable=SC2086
		${CC:-cc} $cupti_flags -shared -fPIC -DFAKE_VERSION="$version" \
			-o "$temp/cupti-$version/libcupti.so.13" -Wl,-soname,libcupti.so.13 \
			"$cupti_source/fake-cupti.c" "$cupti_source/fake-strides.c" -lpthread -ldl || return 1
	done
}

# build_program: $temp/program, linked with the stand-in driver.
build_program()
{
	# shellcheck disable=SC2086
	${CC:-cc} $cupti_flags -I"$top_srcdir/libranges/include" -o "$temp/program" \
		"$cupti_source/program.c" "$temp/libcuda.so.1" -Wl,-rpath,"$temp" -lpthread -ldl
}
