/* SPDX-License-Identifier: MIT */
/* Finds HTA's frequent sequences of kernels below an operator. */
#ifndef RA_HTA_SEQUENCES_H
#define RA_HTA_SEQUENCES_H

#include "analyzer/compat/hta/hta.h"

/* The kernels that an operator launched, ordered by start. Operators with the same kernels are
 * counted together. */
struct ra_hta_sequence {
	uint32_t name;       /* string id of the operator's name in kineto */
	size_t first_kernel; /* index of its first kernel in kernels */
	size_t kernel_count;
	uint64_t count; /* number of operators with these kernels */
	double gpu_us;  /* sum of the kernels' durations */
	double cpu_us;  /* sum of the operators' durations */
};

struct ra_hta_sequences {
	struct ra_hta_sequence *rows; /* owned */
	size_t count;
	size_t capacity;
	uint32_t *kernels; /* owned: string ids of the kernels' names */
	size_t kernel_count;
	size_t kernel_capacity;
};

/*
 * Finds the sequences. In each thread it takes the outermost ranges whose name has `part` and that
 * launched at least `least` kernels. Only ranges on the lowest depth that has such ranges are used.
 */
void ra_hta_sequences_find(struct ra_hta_sequences *out, const struct ra_hta_rank *rank,
                           const char *part, uint64_t least);
void ra_hta_sequences_fini(struct ra_hta_sequences *sequences);

#endif
