#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds for aarch64, and runs under qemu-user the tests that an emulator of one process can run:
# the tests in C of the format, of the analyzer and of libranges' parts, the fuzz targets' corpora,
# the command line's cases, and a program that is recorded by NVTX's variable, killed and recovered.
#
# usage: tests/tools/aarch64.sh WORK [TEST...]       WORK: a folder; the build in it is used again
#
# Needs aarch64-linux-gnu-gcc with its libc (gcc-aarch64-linux-gnu, libc6-dev-arm64-cross) and apt, which
# fetches the other libraries and, where there is none, qemu-aarch64-static into WORK without installing
# them: 65 MB. JOBS is the number of jobs of make. Exit: make's; 77 if the packages cannot be had, with the
# reason as the last line.
#
# Tests that start programs are left out. `ranges run` and the other tests of tests/capture exec
# programs of aarch64, which another machine's kernel can't run unless binfmt_misc knows qemu. Tests
# that compile programs would make programs of this machine. tests/unit/libranges/test-room and
# test-shrink are also left out, because qemu-user has no limit on address space and gives no memory
# back.

set -eu
[ $# -gt 0 ] || { sed -n '3,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
root=$work/root
libraries=$root/usr/lib/aarch64-linux-gnu

# fetch ARCHITECTURE PACKAGE...: unpacks packages of an architecture below $root.
fetch()
{
	local state=$work/apt-$1 architecture=$1

	shift
	mkdir -p "$state/lists/partial" "$state/archives/partial" "$root"
	: >"$state/status"
	cat >"$state/conf" <<END
Dir::State "$state"; Dir::State::status "$state/status"; Dir::Cache "$state"; APT::Architecture "$architecture";
APT::Architectures { "$architecture"; }; APT::Sandbox::User "root";
END
	(
		cd "$state"
		export APT_CONFIG=$state/conf
		apt-get -qq update && apt-get -qq download "$@" || return 1
		for package in *.deb; do
			dpkg --extract "$package" "$root" && rm "$package" || return 1
		done
	)
}

# not_to_be_had WHAT
not_to_be_had()
{
	echo "skipped: apt does not bring $1"
	exit 77
}

[ -e "$libraries/libmsgpackc.so" ] ||
	fetch arm64 libmsgpackc2 libmsgpack-dev libdeflate0 libdeflate-dev \
		libsqlite3-0 libsqlite3-dev zlib1g zlib1g-dev || not_to_be_had "libraries of aarch64"
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || echo "$root/usr/bin/qemu-aarch64-static")
[ -x "$qemu" ] || fetch "$(dpkg --print-architecture)" qemu-user-static || not_to_be_had qemu-user

[ -x "$top/configure" ] || (cd "$top" && ./bootstrap)
mkdir -p "$work/build"
cd "$work/build"
[ -e Makefile ] || PKG_CONFIG_LIBDIR=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root "$top/configure" -q --enable-werror \
	--host=aarch64-linux-gnu CC="${CC:-aarch64-linux-gnu-gcc}" CFLAGS="${CFLAGS:--O2 -g}" \
	CPPFLAGS="-isystem $root/usr/include -isystem $root/usr/include/aarch64-linux-gnu" \
	LDFLAGS="-L$libraries -Wl,-rpath-link,$libraries"
make -s -j "${JOBS:-$(nproc)}" all

under="$qemu -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=$libraries"
if [ $# -eq 0 ]; then
	cd "$top"
	mapfile -t units < <(find tests/unit -name 'test-*.c' ! -name test-room.c ! -name test-shrink.c | sed 's/\.c$//' | sort)
	set -- "${units[@]}" tests/fuzz/fuzz-reader tests/fuzz/fuzz-payload tests/fuzz/fuzz-commands \
		tests/commands/test-cli.sh tests/capture/test-alone.sh
	cd "$work/build"
fi
programs=()
for test; do
	[[ $test == *.sh ]] || programs+=("$test")
done
[ ${#programs[@]} -eq 0 ] || make -s -j "${JOBS:-$(nproc)}" "${programs[@]}"
# The programs that tests/capture/test-alone.sh runs.
make -s tests/capture/pusher tests/capture/count-log
# Without check_PROGRAMS make would build all programs of make check.
UNDER=$under make -j "${JOBS:-$(nproc)}" check-TESTS TESTS="$*" check_PROGRAMS= LOG_COMPILER="$under"
