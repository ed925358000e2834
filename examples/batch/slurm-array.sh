#!/bin/sh
# SPDX-License-Identifier: MIT
#SBATCH --job-name=analyzer --array=1-16 --ntasks=1 --cpus-per-task=1 --mem=1G
# A Slurm array. Each task summarises a shard of a run's logs and traces.
#
# usage: sbatch slurm-array.sh RUN OUT then: sbatch --dependency=afterok:JOB --wrap 'analyzer merge
# OUT -o OUT.sum' Submit a task that was killed again with --array=ITS-NUMBER: it continues where it
# was. The number of shards must be that of the first submission, so give it then: SHARDS=16 sbatch
# ...
set -eu
mkdir -p "$2"
analyzer batch "$1" -o "$2/$SLURM_ARRAY_TASK_ID" -j 1 --resume \
	--shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_COUNT}"
