#!/bin/sh
# SPDX-License-Identifier: MIT
# RANGES_DOMAINS and --domains: a domain that is left out leaves no event, and a domain that is
# recorded is complete.
# shellcheck disable=SC2016 # a text for an inner shell

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
analyzer=$top_builddir/analyzer/analyzer
library=$top_builddir/libranges/.libs/libranges.so
domains=$top_builddir/tests/nvtx/domains
for program in "$ranges" "$analyzer" "$domains"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID \
	RANGES_DOMAINS
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR

# The domains of all runs: three of the program's own, one of them with an awkward name, and the
# default one.
set -- alpha beta 'lib one' default -
full=21         # the number of events of each
full_default=11 # the default one has fewer calls

# counts LOG NAME…: prints "NAME=events" of each domain, from `analyzer dump`.
counts()
{
	log=$1
	shift
	"$analyzer" dump "$log" >dump.txt
	for name; do
		if [ "$name" = - ]; then
			n=$(grep '^event ' dump.txt | grep -vc ' domain=')
		else
			n=$(grep '^event ' dump.txt | grep -cE " domain=\"?$name\"?( |\$)")
		fi
		printf '%s=%s ' "$name" "$n"
	done
}

# expect NAME…: prints the same for a log with all events of these domains and none of the others.
expect()
{
	for name in alpha beta 'lib one' default -; do
		n=0
		for wanted; do
			[ "$name" != "$wanted" ] || n=$full
			[ "$name$wanted" != -- ] || n=$full_default
		done
		printf '%s=%s ' "$name" "$n"
	done
}

# taken LIST NAME…: with LIST exactly the domains NAME… are recorded. Calls of the others return the
# same as without a tool.
taken()
{
	list=$1
	shift
	"$ranges" run -q -f ${list:+--domains "$list"} -o log.bin -- "$program" \
		alpha beta 'lib one' default - >out.txt 2>err.txt
	is "$(counts log.bin alpha beta 'lib one' default -)" "$(expect "$@")" \
		"$how: \"$list\" takes in: $*"
	for name in alpha beta 'lib one' default -; do
		line="-2 -2 0"
		for wanted; do
			[ "$name" != "$wanted" ] || line="0 0 1"
		done
		[ "$name" = - ] && handle=0 || handle=1
		printf '%s %s %s\n' "$name" "$line" "$handle"
	done >wanted.txt
	is_empty "$(cat err.txt; diff out.txt wanted.txt)" "and the calls return what they should"
	is_empty "$("$analyzer" verify --quiet log.bin 2>&1)" "and the log is sound"
}

all()
{
	taken '' alpha beta 'lib one' default -
	taken alpha alpha
	taken +alpha,-beta alpha
	taken -beta alpha 'lib one' default -
	taken '*a,-alpha' beta
	taken '-alpha,*a' alpha beta
	taken '+*,-*a,-lib*' default -
	taken -default alpha beta 'lib one'
	taken 'lib one, default' 'lib one' default -
	taken '-*'
}

program=$domains
how="ranges/nvtx.h"
all

if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
how="NVIDIA's header"
program=./nvidia
if [ ! -f "${CUDA_INCLUDE:-}/nvtx3/nvToolsExt.h" ]; then
	skip "$how" "it is not installed, or --with-cuda-headers did not name it"
elif [ "${SANITIZERS:-no}" != no ]; then
	skip "$how" "the program would need the sanitizers"
else
	${CC:-cc} -O1 -DWITH_NVIDIA -isystem "$CUDA_INCLUDE" "$top_srcdir/tests/nvtx/domains.c" \
		-o nvidia -lpthread -ldl >cc.txt 2>&1
	is_empty "$(cat cc.txt)" "a program is built with NVIDIA's header"
	all
fi

# ---- The reports of the log and the analyzer ----

"$ranges" run -q -f --domains '-beta,-lib*' -o log.bin -- "$domains" "$@" >out.txt
is "$("$analyzer" log.bin | grep '^note ')" \
	"note      domains left out by RANGES_DOMAINS: beta, lib one" "the summary names what was left out"
is "$("$analyzer" info log.bin | grep '^domains_off')" 'domains_off      beta "lib one"' "so does info"
"$analyzer" info log.bin | grep -q '^settings .*RANGES_DOMAINS=-beta,-lib\*'
ok $? "and shows the setting"
is "$("$analyzer" dump log.bin | grep -c '^def domain_off')" 2 "the log defines what was left out"
is "$("$analyzer" dump log.bin | grep -c '^def category.*seven')" 3 \
	"categories are named where they are recorded"
"$ranges" run -q -f --domains '-*' -o log.bin -- "$domains" "$@" >out.txt
is "$("$analyzer" log.bin | grep '^note ')" \
	"note      domains left out by RANGES_DOMAINS: default, alpha, beta, lib one, default" \
	"also the default domain"
"$ranges" run -f --domains '-*' -o log.bin -- "$domains" "$@" 2>err.txt >out.txt
is "$(sed 's/ (.*//' err.txt)" "ranges: no NVTX range was seen with RANGES_DOMAINS=-*; the log is empty: log.bin" \
	"a run of which nothing is left hints at the filter"
"$ranges" run -f --domains '-*' -o none.bin -- "$domains" - 2>err.txt >out.txt
is "$(cat err.txt)" "ranges: no NVTX range was seen with RANGES_DOMAINS=-*; there is no log" \
	"also where no call came through"

# ---- Threads, children, objects of one domain used in another ----

"$ranges" run -q -f --domains alpha -o log.bin -- "$domains" --thread alpha beta >out.txt
is "$(counts log.bin alpha beta -)$("$analyzer" dump log.bin | grep -c '^def stream')" "alpha=$full beta=0 -=0 1" \
	"a thread that is in no domain of interest stays unknown"
"$ranges" run -q -f --domains +alpha,default -o log.bin -- "$domains" --fork "$@" >out.txt
is "$(cat log.*bin >/dev/null; for log in log*.bin; do counts "$log" "$@"; done)" \
	"$(expect alpha default -; expect alpha default -)" "a fork child goes by the same list"
is "$(sort out.txt | uniq -c | awk '$1 != 2')" "" "and its calls return the same"
is "$(for log in log*.bin; do "$analyzer" log.bin | grep '^note '; done)" \
	"note      domains left out by RANGES_DOMAINS: beta, lib one
note      domains left out by RANGES_DOMAINS: beta, lib one" "both logs name what was left out"
rm -f log*.bin
"$ranges" run -q -f --domains alpha -o log.bin -- "$domains" --mix alpha beta >out.txt
is "$(cat out.txt)" "1 1" "a domain that is left out has a handle of its own, always the same"
"$analyzer" dump --all log.bin >dump.txt
is "$(grep '^event' dump.txt | grep -v ' call ' | sed 's/^event 1 [0-9]* [0-9]* //; s/ id=[0-9]*//')" \
	'mark name="foreign string" domain="alpha"
start name="literal" domain="alpha"
end
mark name="literal" domain="alpha"
mark name="literal" domain="alpha"
mark name="literal" domain="alpha"' "its strings keep their text elsewhere; ranges may end by another domain; the default one stays off"
is "$(grep -c 'string not used' dump.txt):$(grep -c '^def thread_name id=4711' dump.txt)" 0:1 \
	"strings that are not used take no room, threads are named whatever the domains"

# ---- Many ----

many=$(seq -f 'domain %g' 1500)
"$ranges" run -q -f --domains '-domain *,-default' -o log.bin -- sh -c 'IFS="
"; exec "$1" $2' sh "$domains" "$many
kept" >out.txt
is "$(counts log.bin kept)$("$analyzer" dump --all log.bin | grep -c '^event')" "kept=$full $full" \
	"1500 domains that are left out leave nothing"
is "$("$analyzer" log.bin | grep '^note ')" \
	"note      domains left out by RANGES_DOMAINS: default, domain 1, domain 2, domain 3, domain 4, domain 5, domain 6, domain 7 and 1017 more" \
	"of many the first are named"

# ---- Mistakes ----

# refused LIST WHY: --domains with LIST is wrong usage.
refused()
{
	"$ranges" run --domains "$1" touch started 2>err.txt
	is "$?:$(cat err.txt):$(ls started 2>&1)" \
		"2:ranges: run: --domains: RANGES_DOMAINS=$1 is not valid: $2; see \"ranges run --help\":ls: cannot access 'started': No such file or directory" \
		"--domains '$1' is refused and nothing is started"
}
refused a,,b "entry 2 is empty"
refused + "entry 1, \"+\", has no name"
refused 'a,-' "entry 2, \"-\", has no name"
# shellcheck disable=SC1003 # the backslash is what is meant
refused 'a\' "entry 1, \"a\\\", ends with a backslash"
"$ranges" run --domains 2>err.txt
is "$?:$(cat err.txt)" "2:ranges: run: option '--domains' needs a value; see \"ranges run --help\"" \
	"--domains without a list is wrong usage"
long=$(seq -s, 1000)
"$ranges" run --domains "$long" true 2>err.txt
is "$?:$(cat err.txt)" \
	"2:ranges: run: --domains: RANGES_DOMAINS is too long: the limit is 1023 bytes; see \"ranges run --help\"" \
	"a list that is too long is refused"
complaint='RANGES_DOMAINS=alpha,+ is not valid: entry 2, "+", has no name; it is ignored'
RANGES_DOMAINS='alpha,+' "$ranges" run -f -o log.bin -- "$domains" "$@" 2>err.txt >out.txt
is "$(head -n 1 err.txt):$(counts log.bin "$@")" "ranges: $complaint:$(expect "$@")" \
	"a bad list in the environment is said, and everything is recorded"
is "$("$analyzer" log.bin | grep '^note ')" "note      $complaint" "the log has a note of it"
if [ "${SANITIZERS:-no}" != no ]; then
	skip "the library says so too" "it needs the sanitizers' library first"
else
	RANGES_DOMAINS='alpha,+' RANGES_OUTPUT=alone.bin NVTX_INJECTION64_PATH=$library \
		"$domains" "$@" 2>err.txt >out.txt
	is "$(cat err.txt):$(counts alone.bin "$@")" "ranges: $complaint:$(expect "$@")" \
		"without the launcher the library says so, and records everything"
	RANGES_DOMAINS='-alpha,-default' RANGES_OUTPUT=two.bin NVTX_INJECTION64_PATH=$library \
		"$domains" "$@" 2>err.txt >out.txt
	is "$(cat err.txt):$(counts two.bin "$@")" ":$(expect beta 'lib one')" \
		"and goes by a good one"
fi
done_testing
