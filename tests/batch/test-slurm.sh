#!/bin/sh
# SPDX-License-Identifier: MIT
# The scripts of examples/batch, and analyzer-mpi, on a real Slurm of one node: munge, slurmctld and slurmd of our own.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
[ "${UNDER:-}" = "" ] || skip_all "daemons are not run under other programs"
PATH=$(cd "$top_builddir/analyzer" && pwd):$PATH:/usr/sbin:/sbin
export PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for program in python3 munged munge slurmctld slurmd srun sbatch salloc; do
	command -v "$program" >/dev/null 2>&1 || skip_all "there is no $program"
done
scripts=$(cd "$top_srcdir/examples/batch" && pwd)
cluster=$temp/cluster
host=$(hostname -s 2>/dev/null) || skip_all "this machine has no name"

# Each started process is ended by its own id.
# shellcheck disable=SC2317 # by the trap
stop()
{
	for name in slurmctld slurmd munged; do
		[ ! -s "$cluster/$name.pid" ] || kill "$(cat "$cluster/$name.pid")" 2>/dev/null
	done
	sleep 1
	rm -rf "$temp"
}
trap stop EXIT

mkdir -p "$cluster/state" "$cluster/spool"
chmod 755 "$temp" "$cluster" # munge checks who may write
(umask 077 && head -c 1024 /dev/urandom >"$cluster/key")
port=$((20000 + $$ % 20000))
cat >"$cluster/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.sock
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
SLURM_CONF=$cluster/slurm.conf
export SLURM_CONF
# skip_log FILE WHAT: with the last line that says why
skip_log()
{
	skip_all "$2: $(grep -i 'error\|fatal' "$1" 2>/dev/null | tail -n 1)"
}

munged --force --key-file="$cluster/key" --socket="$cluster/munge.sock" --pid-file="$cluster/munged.pid" \
	--log-file="$cluster/munged.log" --seed-file="$cluster/seed" >"$temp/err" 2>&1 ||
	skip_log "$temp/err" "munged does not start"
slurmctld >"$temp/err" 2>&1 || skip_log "$temp/err" "slurmctld does not start"
slurmd -N "$host" >"$temp/err" 2>&1 || skip_log "$temp/err" "slurmd does not start"
tries=0
until [ "$(timeout 10 srun true >/dev/null 2>&1; echo $?)" = 0 ]; do
	tries=$((tries + 1))
	[ $tries -lt 5 ] || skip_log "$cluster/slurmctld.log" "Slurm runs no program here"
	sleep 1
done

mkdir -p "$temp/run/b"
for rank in 0 1 2 3 4 5 6; do
	python3 "$test_dir/tools/text-log.py" "$temp/run/$rank.bin" <<LOG
capture pid=$((100 + rank)) clock="monotonic" rank=$rank
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step"
event 1 1 $((2000 + rank * 100)) pop
end status="clean"
LOG
done
mv "$temp/run/6.bin" "$temp/run/b/0.bin"
cd "$temp" || exit 1
analyzer batch run -o one -j 1 >/dev/null 2>&1

# same FILE WHAT: it equals the summary of one machine.
same()
{
	cmp -s "$1" one/summary.sum
	ok $? "$2"
}

timeout 100 salloc -n 3 "$scripts/srun.sh" run tasks >out 2>&1
is $? 0 "srun.sh runs in an allocation"
same tasks.sum "srun.sh: a shard per task, merged"
job=$(sbatch --parsable --array=1-4 -o 'array-%a.out' "$scripts/slurm-array.sh" run array 2>err)
timeout 200 sbatch --wait --dependency=afterok:"$job" -o merge.out --wrap 'analyzer merge array -o array.sum' >out 2>&1
is $? 0 "slurm-array.sh and the job that merges run as its comment says"
same array.sum "slurm-array.sh: a shard per task of an array, merged"
# A task that was lost is submitted again by its number.
rm -rf array/3/parts array/3/summary.sum
SHARDS=4 timeout 100 sbatch --wait --array=3 -o 'again-%a.out' "$scripts/slurm-array.sh" run array >out 2>&1
analyzer merge array -o again.sum
same again.sum "a task of an array that is submitted again"
if [ ! -x "$top_builddir/analyzer/analyzer-mpi" ] && ! command -v analyzer-mpi >/dev/null 2>&1; then
	skip "srun analyzer-mpi" "configure found no MPI"
elif [ "${SANITIZERS:-no}" != no ]; then
	skip "srun analyzer-mpi" "MPI itself fails under sanitizers"
elif ! srun --mpi=list 2>&1 | grep -q pmix; then
	skip "srun analyzer-mpi" "this Slurm has no PMIx"
else
	timeout 100 srun -n 3 --mpi=pmix analyzer-mpi run -o mpi >out 2>&1
	is "$? $(tail -n 1 out)" "0 7 inputs: 7 summarised" "srun --mpi=pmix starts the ranks of analyzer-mpi"
	same mpi/summary.sum "srun analyzer-mpi gives the same bytes"
fi
done_testing
