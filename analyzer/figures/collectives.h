/* SPDX-License-Identifier: MIT */
/* Collects the collectives of all ranks (NCCL and RCCL kernels), and finds which of them belong
 * together. */
#ifndef RA_COLLECTIVES_H
#define RA_COLLECTIVES_H

#include "analyzer/model/files.h"

/* A kernel of a collective on one rank. */
struct ra_collective {
	int64_t start_ns;
	int64_t dur_ns;
	int64_t transfer_ns;      /* duration of the call on the rank where it was shortest; -1: not
	                             known */
	int64_t bytes;            /* input bytes; -1: not known */
	int64_t out_bytes;        /* output bytes; -1: not known */
	int64_t group_size;       /* number of ranks that take part; 0: not known */
	struct rlog_string group; /* the group's description, else its name; empty: not known */
	struct rlog_string group_id; /* the group's name; empty: not known */
	struct rlog_string name;
	uint32_t op;
	uint32_t match; /* number of the collective, the same on all ranks, below match_count;
	                   RA_NONE: not known */
};

/* Collectives of one rank, sorted by name, then group, then time. */
struct ra_collectives_rank {
	struct ra_collective *calls; /* owned */
	size_t count;
	int64_t number;
	size_t at;       /* during the matching: first call of the current name and group … */
	bool takes_part; /* … and whether there is such a call */
};

struct ra_collectives {
	struct ra_collectives_rank *ranks; /* owned; in the order of the input's files */
	size_t count;
	size_t match_count; /* number of different collectives in which several ranks took part */
};

/*
 * Collects the collectives of all files. The n-th collective of a name in a process group is the
 * same collective on all ranks that have such collectives, if these ranks have equally many. If the
 * group is not known, all ranks must have them. With a single file nothing is matched.
 */
void ra_collectives_init(struct ra_collectives *collectives, const struct ra_files *files);
void ra_collectives_fini(struct ra_collectives *collectives);

#endif
