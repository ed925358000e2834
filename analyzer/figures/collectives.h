/* SPDX-License-Identifier: MIT */
/* Collectives of all ranks: kernels of NCCL and RCCL, and which of them belong together. */
#ifndef RA_COLLECTIVES_H
#define RA_COLLECTIVES_H

#include "analyzer/model/files.h"

/* A kernel of a collective. */
struct ra_collective {
	int64_t start_ns;
	int64_t dur_ns;
	int64_t transfer_ns;      /* as long as the shortest of all ranks took; -1: not known */
	int64_t bytes;            /* that go in; -1: not known */
	int64_t out_bytes;        /* that come out; -1: not known */
	int64_t group_size;       /* ranks that take part; 0: not known */
	struct rlog_string group; /* what the group is called; empty: not known */
	struct rlog_string name;
	uint32_t op;
	uint32_t match; /* the same one on the first rank: index into its calls; RA_NONE: not known
	                 */
};

/* Those of one rank, by name, then time. */
struct ra_collectives_rank {
	struct ra_collective *calls; /* owned */
	size_t count;
	int64_t number;
	size_t at; /* of the ranks behind the first: first call of the name at hand */
};

struct ra_collectives {
	struct ra_collectives_rank *ranks; /* owned; as the input's files */
	size_t count;
};

/*
 * Collects the collectives of all files. The n-th of a name is the same one on all ranks, if all
 * have equally many of the name; of a single file none is matched.
 */
void ra_collectives_init(struct ra_collectives *collectives, const struct ra_files *files);
void ra_collectives_fini(struct ra_collectives *collectives);

#endif
