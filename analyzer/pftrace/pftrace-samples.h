/* SPDX-License-Identifier: MIT */
/* Holds the values of counters in memory, in some 8 bytes each. */
#ifndef RA_PFTRACE_SAMPLES_H
#define RA_PFTRACE_SAMPLES_H

#include <stdbool.h>

#include "analyzer/protobuf/protobuf-write.h"
#include "analyzer/protobuf/protobuf.h"

struct ra_pftrace_sample {
	int64_t time_ns;
	double value;
	uint32_t track;
};

/* The samples. Zero-initialise. */
struct ra_pftrace_samples {
	struct ra_protobuf_bytes bytes; /* owned */
	struct ra_pftrace_sample last;
};

/* A position for reading samples, in the order in which they were put. */
struct ra_pftrace_samples_reading {
	struct ra_protobuf message;
	struct ra_pftrace_sample sample;
};

/* True if a value can be written as an integer. */
bool ra_pftrace_samples_is_whole(double value);

void ra_pftrace_samples_put(struct ra_pftrace_samples *samples,
                            const struct ra_pftrace_sample *sample);

/* Begins to read. @samples: must not change until the end. */
struct ra_pftrace_samples_reading ra_pftrace_samples_read(const struct ra_pftrace_samples *samples);

/* Reads the next sample into reading->sample. Return: false: there are no more. */
bool ra_pftrace_samples_next(struct ra_pftrace_samples_reading *reading);

#endif
