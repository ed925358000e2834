/* SPDX-License-Identifier: MIT */
/* Reads the contents of a log that was cut short, for the writer that continues it. */
#ifndef RLOG_RESUME_H
#define RLOG_RESUME_H

#include <stddef.h>
#include <stdint.h>

#include "format/read/reader.h"

/* Filled by rlog_resume_open(); everything is borrowed from it until rlog_resume_close(). */
struct rlog_resume {
	struct rlog_reader *reader; /* owned */
	void *mapped;               /* owned; of mapped_bytes bytes */
	size_t mapped_bytes;
	const struct rlog_chunk *chunks; /* the good ones, in the order of offsets */
	size_t chunk_count;
	const struct rlog_string *strings; /* by id; bytes NULL: lost */
	size_t string_count;
	const struct rlog_def *defs;
	size_t def_count;
	uint64_t def_end; /* highest ordinal plus one; equal to def_count if none is lost */
	uint32_t tag;
};

/*
 * Reads the log behind a file descriptor.
 *
 * @out: the caller's memory; safe to close after a failure.
 * Return: 0, or what rlog_reader_open() returns.
 */
int rlog_resume_open(struct rlog_resume *out, int fd, struct rlog_error *err);

/* The struct may be zero. */
void rlog_resume_close(struct rlog_resume *resume);

#endif
