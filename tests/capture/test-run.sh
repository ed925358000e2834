#!/bin/sh
# SPDX-License-Identifier: MIT
# ranges run: the program is not disturbed, its log exists, and one line reports it.
# shellcheck disable=SC2016 # texts for inner shells

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
emit=$top_builddir/tests/nvtx/emit
steps=$top_builddir/examples/steps
for program in "$ranges" "$emit" "$steps"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
mkdir "$temp/spool" "$temp/work"
cd "$temp/work" || exit 1
unset NVTX_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID
RANGES_SPOOL_DIR=$temp/spool
export RANGES_SPOOL_DIR

# run ARGUMENTS…: runs `ranges run`. Sets $out, $err (sizes as N) and $status.
run()
{
	"$ranges" run "$@" >out.txt 2>err.txt
	status=$?
	out=$(cat out.txt)
	err=$(sed -E 's/[0-9.]+ (B|kB|MB)/N \1/; s/ (k|M)B/ B/' err.txt)
}

# clean: empties the working directory. The last test checks whether a run left a spool.
left=
clean()
{
	left=$left$(ls "$temp/spool")
	rm -rf ./* ./.[!.]* "$temp"/spool/*
}

# ---- A good run ----

run "$steps"
is "$status:$err" "0:ranges: 297 events, 2 threads, 0 lost: trace.bin (N B)" \
	"one line tells events, threads, losses, file and size"
is "$out" "20 steps, 124 ranges pushed, 20 started, 4 marks" "stdout is the program's alone"
is "$(stat -c %a trace.bin)" 600 "the log is for its owner only"
run "$emit" 1
is "$err" "ranges: trace.bin exists: writing trace.1.bin (-f replaces it)
ranges: 2 events, 1 thread, 0 lost: trace.1.bin (N B)" "a log that exists is kept"
run true
is "$(grep -c exists err.txt):$(echo trace*)" "0:trace.1.bin trace.bin" "nothing is said of a name that no log got"
ln trace.bin before
run -f "$emit" 1
is "$err" "ranges: 2 events, 1 thread, 0 lost: trace.bin (N B)" "-f replaces it"
is "$(stat -c %h trace.bin)" 1 "by a new file"
cp trace.bin kept
for program in ./nosuchprog true; do
	run -f "$program"
	cmp -s kept trace.bin
	ok $? "but not by nothing: $program"
done
is "$(echo trace.bin*)" trace.bin "and nothing stays beside it"
clean
mkdir other
run -o other/x.bin sh -c 'cd / && "$1" 1' sh "$emit"
is "$err" "ranges: 2 events, 1 thread, 0 lost: other/x.bin (N B)" \
	"the log is where it was wanted, though the program changed its directory"
run -oshort.bin -- "$emit" 1
is "$err" "ranges: 2 events, 1 thread, 0 lost: short.bin (N B)" "-oFILE works as well"
run --output='100%% of it.bin' "$emit" 1
is "$err" "ranges: 2 events, 1 thread, 0 lost: 100% of it.bin (N B)" "a percent sign and blanks may be in a name"
mkdir '50%p'
(cd '50%p' && run "$emit" 1)
[ -f '50%p/trace.bin' ]
ok $? "a directory's name is no pattern"
JOB=77 run -o '%q{JOB}-%r.bin' "$emit" 1
is "$err" "ranges: 2 events, 1 thread, 0 lost: 77-0.bin (N B)" "patterns are expanded"
clean
run -o 'p%p.bin' "$emit" 1
is "$(find . -name 'p[0-9]*.bin' | wc -l)" 1 "%p gives the pid"
clean
run sh -c 'exit 0'
is "$status:$err" "0:ranges: no NVTX range was seen; there is no log: the program made no NVTX call, or could not load \
libranges.so (sandbox, chroot), or uses NVTX 2 in a plugin (try --nvtx-v2)" "a program without NVTX is told about"
is "$(ls)" "err.txt
out.txt" "and leaves no file"
clean

# The reason why nothing was recorded, as far as it can be known.
if [ "${SANITIZERS:-no}" = no ]; then
	run env LD_PRELOAD="$top_builddir/libranges/.libs/libranges.so" "$emit" 0
else
	run "$emit" 0
	err="ranges: no NVTX range was seen; there is no log: the program loaded libranges.so, but made no call that is recorded"
fi
is "$err" "ranges: no NVTX range was seen; there is no log: the program loaded libranges.so, but made no call that \
is recorded" "so is one that makes no call"
is "$(find "$temp/spool" -mindepth 1 | wc -l)" 0 "and no trace of it stays"
cp "$emit" guarded && chmod g+s guarded
run ./guarded 0
is "${err#*log: }" "the program is set-user-ID or set-group-ID, and such programs load no tool" "a guarded program is named"
clean

# ---- Exit codes ----

run sh -c 'exit 7'
is "$status" 7 "an exit code is passed through"
run "$emit" 3 exit=9
is "$status:$err" "9:ranges: 6 events, 1 thread, 0 lost: trace.bin (N B)" "also with a log"
for signal in 9 15 14; do
	clean
	run "$emit" 500 signal=$signal
	is "$status" $((128 + signal)) "death by signal $signal gives 128 + $signal"
	is "$err" "ranges: 1000 events, 1 thread, 0 lost: trace.bin (N B, completed after the program's death)" \
		"and nothing is lost"
done
clean
run nonexistent-program
is "$status:$err" "127:ranges: cannot run nonexistent-program: No such file or directory" \
	"a program that is not found gives 127"
touch plain
run ./plain
is "$status:$err" "126:ranges: cannot run ./plain: Permission denied" \
	"one that cannot be executed gives 126"
printf 'exit 5\n' >script
chmod +x script
run ./script
is "$status" 5 "a script without #! runs as from a shell"
clean

# ---- The program is not disturbed ----

for what in 'grep "^Sig[BCIP]" /proc/self/status' 'ls /proc/self/fd' 'ulimit -a' 'umask' 'pwd'; do
	sh -c "$what" >plain.txt 2>&1
	run sh -c "$what"
	is "$out" "$(cat plain.txt)" "with and without the launcher the same: $what"
done
sh -c 'trap "" HUP INT USR1; grep "^Sig[BCIP]" /proc/self/status' >plain.txt
(trap '' HUP INT USR1; run grep "^Sig[BCIP]" /proc/self/status; printf '%s\n' "$out" >got.txt)
is "$(cat got.txt)" "$(cat plain.txt)" "ignored signals stay ignored"
clean
mkdir readonly
run -o missing/x.bin sh -c 'echo unharmed; echo "$NVTX_INJECTION64_PATH"; exit 4'
is "$status:$out:$err" "4:unharmed:ranges: cannot write missing/x.bin: No such file or directory; the program runs without capture" \
	"where no log can be written the program runs all the same"
run -o readonly "$emit" 1
is "$status:$err" "0:ranges: cannot write readonly: it is a directory; the program runs without capture" \
	"a directory is no log"
mkfifo fifo # a folder of ours: /dev refuses users other than root for another reason
run -o fifo "$emit" 1
is "$status:$err" "0:ranges: cannot write fifo: it exists and is not a plain file; the program runs without capture" \
	"nor is a pipe"
rm fifo
run -o /proc/x.bin "$emit" 1 exit=3
is "$status" 3 "nor can a log be written to /proc"
RANGES_LIBRARY=/nonexistent.so run "$emit" 1 exit=3
is "$status:$err" "3:ranges: no library to load at /nonexistent.so; the program runs without capture" \
	"without the library the program runs all the same"
clean
RANGES_SPOOL_DIR=/nonexistent TMPDIR=$temp/spool run "$emit" 1
is "$status:$err" "0:ranges: cannot use RANGES_SPOOL_DIR=/nonexistent: No such file or directory; using the default
ranges: 2 events, 1 thread, 0 lost: trace.bin (N B)" "a spool directory that is missing is replaced"
clean

# ---- Signals ----

# start ARGUMENTS…: starts `ranges run` in the background, and waits until the program has made the
# file `up`. A shell that was started by nohup can't restore the default action of SIGHUP for its
# children.
start()
{
	env --default-signal=HUP "$ranges" run "$@" >out.txt 2>err.txt &
	launcher=$!
	tries=0
	while [ ! -e up ] && [ $tries -lt 1500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
}

for signal in TERM HUP; do
	case $signal in
	TERM) wanted=40 ;;
	*) wanted=129 ;;
	esac
	start "$emit" 5 catch touch=up wait=never
	kill -s $signal "$launcher"
	wait "$launcher"
	is $? $wanted "SIG$signal sent to the launcher reaches the program"
	grep -q '10 events' err.txt
	ok $? "and its log is completed"
	clean
done
start sh -c 'trap "exit 41" INT; touch up; while :; do sleep 0.05; done'
kill -s INT "$launcher"
kill -s QUIT "$launcher"
sleep 0.2
kill -0 "$launcher"
ok $? "the launcher ignores SIGINT and SIGQUIT, which a terminal sends to the program too"
kill -s TERM "$launcher"
wait "$launcher"
clean

# ---- Several processes ----

# A fork child lacks its parent's threads, which the leak sanitizer searches.
run env "ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$emit" 2 fork=3
is "$err" "$(printf 'ranges: 10 events, 2 threads, 0 lost in 2 processes: trace.bin, %s (N B)' "$(ls trace.*.bin)")" \
	"each process has its log, the first one the plain name"
clean
run sh -c '"$1" 1; "$1" 2; "$1" 3; "$1" 4; :' sh "$emit"
is "$(echo "$err" | sed 's/trace\.[0-9]*\.bin/FILE/g')" \
	"ranges: 20 events, 4 threads, 0 lost in 4 processes: FILE, FILE, FILE and 1 more (N B)" \
	"of many logs the first three are named"
clean
run -o only.bin sh -c '"$1" 1; :' sh "$emit"
is "$err:$(ls ./*.bin)" "ranges: 2 events, 1 thread, 0 lost: only.bin (N B):./only.bin" \
	"the only log has the name that was asked for, whoever wrote it"
clean
run sh -c '"$1" 1 touch=up wait=go & echo $! >pid; while [ ! -e up ]; do sleep 0.02; done' sh "$emit"
directory=$(echo "$temp"/spool/ranges-*)
is "$err" "ranges: 1 process of the program still runs; complete their logs afterwards: ranges recover $directory" \
	"a process that outlives the program is told about"
kill -s KILL "$(cat pid)"
while kill -0 "$(cat pid)" 2>wait.txt; do sleep 0.02; done
"$ranges" recover "$directory" >out.txt 2>err.txt
is "$?:$(sed -E 's/trace\.[0-9]+\.bin \(.*/FILE/' err.txt)" "0:ranges: 2 events, 1 thread, 0 lost: FILE" \
	"and can be completed later"
[ ! -e "$directory" ]
ok $? "which removes its spool"
clean
run env RANGES_EXIT_MS=60000 sh -c '"$1" 1 touch=up wait=go & echo $! >pid; while [ ! -e up ]; do sleep 0.02; done' sh "$emit"
touch go
while kill -0 "$(cat pid)" 2>wait.txt; do sleep 0.02; done
[ ! -e "$directory" ] && [ "$(find "$temp/spool" -name "*.spool")" = "" ]
ok $? "one that comes to its end later needs nobody for that"
clean

# Workers that end by _exit on success, as those of Python's multiprocessing do.
run sh -c '"$1" 1 quit=0; "$1" 1' sh "$emit"
is "$(printf %s "$err" | sed -E 's/^.*lost/lost/; s/: trace.*\(/: (/')" \
	"lost in 2 processes: (N B, 1 of them completed by ranges: a process ended by _exit or was killed)" \
	"an end by _exit is no death of the program"
clean
RANGES_EXIT_MS=0 run "$emit" 2000000
is "$(printf %s "$err" | sed -E 's/^.*lost/lost/; s/: trace.*\(/: (/')" \
	"lost: (N B, completed by ranges: the program ended before all was written)" \
	"nor is one with more to write than it waits for"
clean

# The program is a launcher of ranks, which tells each process its rank.
cat >mpirun <<'END'
for rank in 2 0 1; do
	OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=3 "$@" &
done
wait
END
host=$(uname -n)
run -o 'b.%h.%r.bin' sh mpirun "$emit" 1
is "$(echo b.*)" "b.$host.0.bin b.$host.1.bin b.$host.2.bin" "each rank has a log under its own number"
"$top_builddir/libranges/ranges" run -q -f -o 'b.%h.%r.bin' sh mpirun "$emit" 1
is "$(echo b.*)" "b.$host.0.bin b.$host.1.bin b.$host.2.bin" "which -f replaces"
run -o 'b.%h.%r.bin' sh mpirun sh -c '"$1" 1; "$1" 1' sh "$emit"
is "$(echo b.* | wc -w)" 9 "and which stay without it; further processes of a rank have their pid"
clean

# ---- Messages ----

run -q "$emit" 1
is "$err" "" "-q: nothing is said when all is well"
RANGES_LOG=quiet run -f nonexistent-program
is "$status:$err" "127:" "RANGES_LOG=quiet: nothing at all"
run -v -f "$emit" 1
[ "$(wc -l <err.txt)" -gt 1 ]
ok $? "-v says more"
clean
NVTX_INJECTION64_PATH=/some/tool.so run "$emit" 1
is "$err" "ranges: cannot chain an NVTX tool: /some/tool.so: cannot open shared object file: No such file or directory
ranges: 2 events, 1 thread, 0 lost: trace.bin (N B)" "nobody says of a tool that is not there that it gets all calls"
clean
NVTX_INJECTION64_PATH=/some/tool.so RANGES_NVTX_CHAIN=/other/tool.so run sh -c 'echo "$RANGES_NVTX_CHAIN"'
is "$(head -n 1 err.txt):$(cat out.txt)" "ranges: NVTX_INJECTION64_PATH=/some/tool.so is replaced for this program by RANGES_NVTX_CHAIN=/other/tool.so:/other/tool.so" \
	"but not if a third one is to be"
NVTX_INJECTION64_PATH=/elsewhere/libranges.so.0 run sh -c 'echo "<$RANGES_NVTX_CHAIN>"'
is "$(cat out.txt)" "<>" "nor another copy of libranges"
RANGES_BUFER=1M RANGES_LEVEL=99 run -f "$emit" 1
is "$err" "ranges: RANGES_LEVEL=99 is not valid: expected 0..9; using the default: 1
ranges: RANGES_BUFER is not a libranges variable; did you mean RANGES_BUFFER?
ranges: 2 events, 1 thread, 0 lost: trace.bin (N B)" "wrong variables are reported once"
clean

# ---- Companions ----

mkdir -p tree/bin tree/lib
cp "$ranges" tree/bin/ranges
ln -s "$(find "$top_builddir/libranges/.libs" -name libranges.so | head -n 1)" tree/lib/libranges.so
printf '#!/bin/sh\necho "summary of $#: $1"\n' >tree/bin/analyzer
chmod +x tree/bin/analyzer
tree/bin/ranges run -a "$emit" 1 exit=6 >out.txt 2>err.txt
is "$?:$(cat out.txt)" "6:summary of 1: $PWD/trace.bin" \
	"-a runs the analyzer that is installed with it; the exit code is still the program's"
is "$(sed 's/(.*//' err.txt)" "ranges: 2 events, 1 thread, 0 lost: trace.bin " \
	"the library is found in ../lib"
rm tree/bin/analyzer
PATH=/nonexistent tree/bin/ranges run -q -f -a "$emit" 1 2>err.txt
is "$?" 0 "without an analyzer the run is still good"
clean

# The analyzer has ranges of its own, too. They must not be part of this run.
"$ranges" run -q -a --on-done "\"$top_builddir/analyzer/analyzer\" stats -r footer" -o done.bin "$emit" 1 >out.txt 2>err.txt
is "$?:$(echo *.bin):$(cat err.txt)" "0:done.bin:" "neither -a nor --on-done has what it runs recorded"
rm -f done.bin
clean

# ---- Without a command ----

"$ranges" "$emit" 1 exit=6 2>err.txt
is "$?:$(sed 's/(.*//' err.txt)" "6:ranges: 2 events, 1 thread, 0 lost: trace.bin " "ranges PROGRAM runs it"
"$ranges" -q -o x.bin -- "$emit" 1
is "$?:$(ls x.bin)" "0:x.bin" "ranges takes the options of run"
PATH=${emit%/*}:$PATH "$ranges" emit 1 2>err.txt
is "$?:$(sed -n '$s/(.*//p' err.txt)" "0:ranges: 2 events, 1 thread, 0 lost: trace.1.bin " "it finds a program in PATH"
"$ranges" record -q -o y.bin "$emit" 1
is "$?:$(ls y.bin)" "0:y.bin" "ranges record is ranges run"
clean
mkdir bin
cp "$ranges" bin/ranges
printf '#!/bin/sh\necho "analyzer $*"\n' >bin/analyzer
chmod +x bin/analyzer
is "$(bin/ranges stats a.bin -r ranges)" "analyzer stats a.bin -r ranges" "ranges stats is analyzer stats"
commands=$(bin/ranges --help | sed -n 's/^  ranges \([a-z|]*\) \.\.\.$/\1/p' | tr '|' ' ')
is "$(for word in $commands; do bin/ranges "$word" a.bin; done)" "$(for word in $commands; do echo "analyzer $word a.bin"; done)" "likewise $commands"
analyzer=$top_builddir/analyzer/analyzer
if [ -x "$analyzer" ]; then
	is "$("$analyzer" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | sort)" \
		"$(bin/ranges --help | sed -n 's/^  ranges \([a-z|]*\) \.\.\.$/\1/p' | tr '|' '\n' | sort)" \
		"ranges knows the commands of the analyzer"
fi
clean

# ---- Wrong usage ----

# refused WANTED ARGUMENTS…: the exit code is 2, the line is WANTED, and the program was not
# started.
refused()
{
	wanted=$1
	shift
	run "$@"
	is "$status:$err" "2:ranges: $wanted" "refused: $*"
	[ ! -e started ] || fail "$* started the program"
}
refused 'run: the program to run is missing; see "ranges run --help"'
refused 'run: the program to run is missing; see "ranges run --help"' --
refused 'run: unrecognized option '\''-x'\''; see "ranges run --help"' -x touch started
refused 'run: unrecognized option '\''--buffers=1M'\'' (did you mean --buffer?); see "ranges run --help"' --buffers=1M touch started
refused 'run: option '\''--output'\'' needs a value; see "ranges run --help"' -o
refused 'run: option '\''--force'\'' takes no value; see "ranges run --help"' --force=1 touch started
refused 'run: --buffer: RANGES_BUFFER=1 is not valid: expected 1M..1024G; see "ranges run --help"' \
	--buffer 1 touch started
refused 'run: --on-full: RANGES_ON_FULL=wait is not valid: expected drop|block; see "ranges run --help"' \
	--on-full=wait touch started
refused 'run: output "%x.bin": unknown conversion: expected %p, %h, %r, %n, %c, %q{NAME} or %%' -o %x.bin touch started
refused 'run: output "%q{NOT_SET}": %q{NAME}: the variable is not set' -o '%q{NOT_SET}' touch started
"$ranges" 2>err.txt
is "$?" 2 "ranges without a command is wrong usage"
"$ranges" fly 2>err.txt
is "$?:$(sed 's/;.*//' err.txt)" "2:ranges: there is no command or program fly" "an unknown command is named"
"$ranges" --version | grep -qE '^ranges \(libranges\) [0-9]+\.[0-9]+'
ok $? "--version tells the version"
is "$("$ranges" run --version):$("$ranges" recover -V)" "$("$ranges" --version):$("$ranges" --version)" \
	"behind a command as well"
"$ranges" --help | grep -q 'ranges run'
ok $? "--help lists the commands"
clean
is "$left" "" "no run left a spool or its directory behind"
done_testing
