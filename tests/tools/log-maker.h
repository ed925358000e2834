/* SPDX-License-Identifier: MIT */
/* Makes logs for tests and benchmarks: the same options give the same bytes. */
#ifndef LOG_MAKER_H
#define LOG_MAKER_H

#include <stdbool.h>

#include "format/write/writer.h"

enum log_maker_odd {
	LOG_MAKER_UNMATCHED = 1 << 0, /* pops without a push, ends without a start */
	LOG_MAKER_OPEN = 1 << 1,      /* ranges that nothing closes */
	LOG_MAKER_LOSSES = 1 << 2,    /* loss and depth rows, loss totals */
	LOG_MAKER_SPANS = 1 << 3,     /* start/end ranges, some over two threads */
	LOG_MAKER_MARKS = 1 << 4,
	LOG_MAKER_ATTRS = 1 << 5,     /* categories, colors, payloads */
	LOG_MAKER_CROSSING = 1 << 6,  /* domains whose ranges overlap without nesting */
	LOG_MAKER_NAMES = 1 << 7,     /* names that are no UTF-8, long, or dangerous to print */
	LOG_MAKER_BACKWARDS = 1 << 8, /* times that go back */
	LOG_MAKER_UNCLOSED = 1 << 9,  /* no END, no trailer */
	LOG_MAKER_EVERYTHING = (1 << 10) - 1,
};

struct log_maker_options {
	uint64_t pairs; /* pushes with their pops, all threads together */
	uint64_t seed;
	unsigned threads; /* ≥ 1 */
	unsigned names;   /* ≥ 1 */
	unsigned domains; /* ≥ 1 */
	unsigned depth;   /* ≥ 1; nesting at most */
	unsigned odd;     /* enum log_maker_odd */
	unsigned rows;    /* of a chunk at most, 72…16384 */
	int level;        /* of compression, 0…9 */
	unsigned steps;   /* pairs in each range "step" of the first thread; 0: it has none */
	bool tells_open;  /* chunks tell what is open, as those of libranges do */
};

extern const struct log_maker_options log_maker_defaults;

/* The words for enum log_maker_odd in its order; ends with NULL. */
extern const char *const log_maker_odd_words[];

/*
 * Writes a log.
 *
 * @fd: open for reading and writing, empty.
 * Return: 0, or the writer's -code with err filled.
 */
int log_maker_write(int fd, const struct log_maker_options *options, struct rlog_error *err);

#endif
