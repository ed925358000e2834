/* SPDX-License-Identifier: MIT */
/* Collects the sums over a log's chunks that `analyzer info` prints, as text or as JSON. */
#ifndef RA_INFO_H
#define RA_INFO_H

#include <stdbool.h>

#include "analyzer/io/outbuf.h"
#include "format/read/reader.h"

/* Sums over the chunks of one type. */
struct ra_info_chunks {
	uint64_t chunks;
	uint64_t repeats; /* chunks that are copies; also included in chunks, rows and bytes */
	uint64_t rows;
	uint64_t raw_bytes;
	uint64_t stored_bytes; /* bytes in the file, headers included */
};

struct ra_info {
	const char *path;
	const struct rlog_reader *reader;
	struct ra_info_chunks by_type[256];
	struct ra_info_chunks all;
	uint64_t events;  /* events of the program: rows of EVENTS except those of op loss, depth,
	                     more */
	uint32_t streams; /* number of streams that have events */
	uint64_t first_ticks; /* smallest time of all events */
	uint64_t last_ticks;
	uint64_t clock_span_ns; /* between the first and the last clock point */
	double clock_rate; /* ticks per s between the first and the last clock point; 0: unknown */
	uint64_t clock_err_ns; /* largest error of a clock point */
	size_t clock_points;
	bool is_recovered;
};

void ra_info_collect(struct ra_info *info, const char *path, const struct rlog_reader *reader);

/* The stored bytes per event, headers included; 0 if there are no events. */
double ra_info_bytes_per_event(const struct ra_info *info);

void ra_info_print_text(const struct ra_info *info, struct ra_outbuf *out);
void ra_info_print_json(const struct ra_info *info, struct ra_outbuf *out);

#endif
