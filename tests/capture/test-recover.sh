#!/bin/sh
# SPDX-License-Identifier: MIT
# ranges recover completes the logs of programs whose launcher was killed, too.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
emit=$top_builddir/tests/nvtx/emit
for program in "$ranges" "$emit"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR

# orphan FILE ARGUMENTS…: kills the launcher and then the program, when the program has made `up`.
# $directory is the folder that they leave.
orphan()
{
	log=$1
	shift
	rm -f up pid
	# shellcheck disable=SC2016 # for the inner shell
	"$ranges" run -o "$log" sh -c 'echo $$ >pid; exec "$@"' sh "$emit" "$@" touch=up wait=never 2>>err.txt &
	launcher=$!
	tries=0
	while [ ! -e up ] && [ $tries -lt 1500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
	kill -s KILL "$launcher"
	wait "$launcher" 2>wait.txt
	"$ranges" recover >list.txt 2>&1
	"$ranges" recover "$temp"/spool/ranges-* >out.txt 2>alive.txt
	kill -s KILL "$(cat pid)"
	while kill -0 "$(cat pid)" 2>wait.txt; do sleep 0.02; done
	directory=$(echo "$temp"/spool/ranges-*)
}

# recover ARGUMENTS…: sets $status and $err (sizes as N).
recover()
{
	${UNDER:-} "$ranges" recover "$@" >out.txt 2>err.txt
	status=$?
	err=$(sed -E 's/[0-9.]+ (B|kB|MB)/N \1/; s/ (k|M)B/ B/' err.txt)
}

orphan a.bin 700
is "$(cat alive.txt)" "ranges: 1 process of the program still runs; complete their logs afterwards: ranges recover $directory" \
	"a spool whose program runs is left alone"
grep -q '^alive ' list.txt
ok $? "and is listed as such"
recover "$directory"
is "$status:$err" "0:ranges: 1400 events, 1 thread, 0 lost: a.bin (N B, completed after the program's death)" \
	"a directory of spools is recovered into the logs that were wanted"
is "$(ls "$temp/spool")" "" "and removed"
orphan b.bin 5
spool=$(echo "$directory"/*)
recover
is "$status:$(tr -s ' ' <out.txt):$err" "0:dead $(cat pid) emit $spool:" \
	"without arguments it lists what was left"
cp "$spool" copy
recover "$spool"
is "$status:$err" "0:ranges: 10 events, 1 thread, 0 lost: b.bin (N B, completed after the program's death)" \
	"a single spool as well"
[ ! -e "$directory" ]
ok $? "and the directory of its run removed"
recover copy -o other.bin
is "$status:$(head -n 1 err.txt)" "0:ranges: b.bin stays as it is: other.bin is a complete copy" \
	"recovering again does no harm, and -o makes a copy"
mkdir "$directory"
"$ranges" recover "$directory" 2>err.txt
is "$?:$(cat err.txt)" "0:ranges: no NVTX range was seen; there is no log" "an empty directory holds nothing"
is "$(ls "$temp/spool")" "" "and is removed"

recover
is "$status:$(cat out.txt):$err" "0::ranges: no spool is left" "without arguments it lists the spools: none"
recover -o x.bin
is "$status:$err" '2:ranges: recover: the spool file or directory is missing; see "ranges recover --help"' \
	"-o goes with a spool"
recover a b
is "$status" 2 "one thing at a time"
recover --al a
is "$status" 2 "an unknown option is refused"
recover --all a
is "$status:$err" '2:ranges: recover: --all and --older take no spool: a; see "ranges recover --help"' \
	"--all goes without a spool"
recover --delete --all
is "$status:$err" '2:ranges: recover: --delete needs --older; see "ranges recover --help"' \
	"nothing is deleted for no reason"
recover --older 7x
is "$status" 2 "an age needs a unit"
recover a -o
is "$status" 2 "-o needs a name"
recover nothing-here
is "$status:$err" "3:ranges: cannot read nothing-here: No such file or directory" \
	"what is not there cannot be read"
echo "no spool" >text
recover text
is "$status:$err" "3:ranges: cannot recover text: it is not a spool of this version" \
	"a file that is no spool cannot be read"
[ -e text ]
ok $? "and is left where it was"
recover a.bin
is "$status:$err" "3:ranges: cannot recover a.bin: it is a log, not a spool" "a log is no spool"
[ -e a.bin ]
ok $? "and is left where it was too"
if [ "$(id -u)" -eq 0 ]; then
	chown 65534 text
	recover text
	is "$status:$err" \
		"3:ranges: cannot recover text: no permission: it belongs to user 65534, who can recover it" \
		"another user's spool is his"
else
	skip "another user's spool is his" "it takes root to have a file of another user"
fi
recover text -o a.bin
is "$(head -n 1 err.txt)" "ranges: a.bin exists: writing a.1.bin" "a log that exists is kept"
recover a.bin -o missing/x.bin
is "$status:$err" "3:ranges: cannot write missing/x.bin: No such file or directory" \
	"a log that cannot be written is told about"
# ---- All at once ----

recover --all
is "$status:$err" "0:ranges: 0 spools of dead programs" "--all: nothing is left"
leave_two()
{
	orphan c.bin 5
	orphan d.bin 5
}
leave_two
"$ranges" run -o e.bin "$emit" 1 2>err.txt
is "$(wc -l <err.txt)" 1 "ranges run says nothing of captures that have ended just now"
find . "$temp/spool" -type f -exec touch -d '20 minutes ago' {} +
"$ranges" run -o e.bin "$emit" 1 2>err.txt
is "$(tail -n 1 err.txt)" 'ranges: 2 earlier captures were never completed: "ranges recover" lists them, "ranges recover --all" completes them' \
	"ranges run tells of captures that nobody completed"
recover --older 1h
is "$status:$err" "0:ranges: 0 spools of dead programs" "--older: these are not old enough"
recover --all
is "$status:$(echo "$err" | sed 's/: [cd].bin, [cd].bin/:/')" "0:ranges: 20 events, 2 threads, 0 lost in 2 processes: (N B, 2 of them completed after the program's death)" \
	"--all completes them"
is "$(ls "$temp/spool")" "" "and leaves nothing"
# The spools of a living launcher's ended processes are left to that launcher.
# shellcheck disable=SC2016 # for the inner shell
"$ranges" run -o f.bin sh -c '"$1" 1; "$2" recover --all 2>inner.txt' sh "$emit" "$ranges" 2>err.txt
is "$(cat inner.txt):$(cut -d: -f1-2 err.txt)" "ranges: 0 spools of dead programs:ranges: 2 events, 1 thread, 0 lost" \
	"--all leaves alone what a launcher that lives will complete"
leave_two
find . "$temp/spool" -type f -exec touch -d '8 days ago' {} +
recover --older 9d --delete
is "$status:$err" "0:ranges: 0 spools of dead programs deleted" "--older --delete: not what is younger"
recover --older 7d --delete
is "$status:$err:$(ls "$temp/spool")" "0:ranges: 2 spools of dead programs deleted:" "but what is that old"
done_testing
