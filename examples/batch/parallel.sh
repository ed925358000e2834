#!/bin/sh
# SPDX-License-Identifier: MIT
# Summarises the logs and traces of a run in shards with GNU parallel, on one machine, or with
# --sshloginfile on several that see the same files.
#
# usage: parallel.sh RUN OUT SHARDS [OPTION-OF-PARALLEL...]
set -eu
run=$1 out=$2 shards=$3
shift 3
mkdir -p "$out"
seq "$shards" | parallel --joblog "$out/log" --halt soon,fail=20% "$@" \
	analyzer batch "$run" -o "$out/{}" -j 1 --resume --shard "{}/$shards"
analyzer merge "$out" -o "$out.sum"
