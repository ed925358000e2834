#!/bin/sh
# SPDX-License-Identifier: MIT
#SBATCH --job-name=analyzer --array=1-16 --ntasks=1 --cpus-per-task=1 --mem=1G
# A Slurm array whose tasks summarise a shard of a run's logs and traces each.
#
# usage: sbatch slurm-array.sh RUN OUT
# then:  sbatch --dependency=afterok:JOB --wrap 'analyzer merge OUT -o OUT.sum'
# A task that was killed is submitted again with --array=ITS-NUMBER and goes on where it was; the
# number of shards is that of the first submission, so name it then: SHARDS=16 sbatch ...
set -eu
mkdir -p "$2"
analyzer batch "$1" -o "$2/$SLURM_ARRAY_TASK_ID" -j 1 --resume \
	--shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_COUNT}"
