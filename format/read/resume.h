/* SPDX-License-Identifier: MIT */
/* Reads the contents of a log that was cut short, for the writer that continues it. */
#ifndef RLOG_RESUME_H
#define RLOG_RESUME_H

#include <stddef.h>
#include <stdint.h>

#include "format/read/reader.h"

/* What rlog_resume_open() finds out. All pointers are borrowed from it until
 * rlog_resume_close(). */
struct rlog_resume {
	struct rlog_reader *reader; /* owned */
	void *mapped;               /* owned; a mapping of mapped_bytes bytes */
	size_t mapped_bytes;
	const struct rlog_chunk *chunks; /* the good chunks, in the order of offsets */
	size_t chunk_count;
	const struct rlog_string *strings; /* indexed by id; `bytes` is NULL if the string is
	                                    * lost */
	size_t string_count;
	const struct rlog_def *defs;
	size_t def_count;
	uint64_t def_end; /* highest ordinal + 1; equal to def_count if no definition is lost */
	uint32_t tag;
};

/*
 * Reads the log that a file descriptor has open.
 *
 * @out: the caller's memory. rlog_resume_close() frees what it owns, also after a failure.
 * Return: 0, or an error of rlog_reader_open().
 */
int rlog_resume_open(struct rlog_resume *out, int fd, struct rlog_error *err);

/* Frees what the struct owns. The struct may be all zero. */
void rlog_resume_close(struct rlog_resume *resume);

#endif
