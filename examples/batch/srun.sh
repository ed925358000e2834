#!/bin/sh
# SPDX-License-Identifier: MIT
# Within an allocation (salloc, sbatch): each task summarises a shard, without MPI. Then the shards
# are merged.
#
# usage: srun.sh RUN OUT
# With MPI it is one command: srun --mpi=pmix analyzer-mpi RUN -o OUT --resume
set -eu
mkdir -p "$2"
# shellcheck disable=SC2016 # the tasks' variables
srun sh -c 'analyzer batch "$1" -o "$2/$SLURM_PROCID" -j 1 --resume \
	--shard "$((SLURM_PROCID + 1))/$SLURM_NTASKS"' sh "$1" "$2"
analyzer merge "$2" -o "$2.sum"
