# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034 # the variables of tests/lib.sh; those of its readers
# Shared by the tests that switch captures: the programs, a folder to work in, and an environment
# without our variables. Read lib.sh first.

need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
stepper=$top_builddir/tests/capture/stepper
for program in "$ranges" "$analyzer" "$stepper"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID \
	RANGES_DOMAINS RANGES_SCHEDULE RANGES_CAPTURE_RANGE RANGES_DELAY RANGES_DURATION RANGES_STANDBY \
	RANGES_KEEP RANGES_WHEN
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR
