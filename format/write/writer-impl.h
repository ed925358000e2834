/* SPDX-License-Identifier: MIT */
/* Internals of struct rlog_writer, only for writer-*.c. */
#ifndef RLOG_WRITER_IMPL_H
#define RLOG_WRITER_IMPL_H

#include "format/columns/outer.h"
#include "format/write/writer-emit.h"
#include "format/write/keep.h"
#include "format/write/streams.h"
#include "format/wire.h"
#include "format/write/writer.h"

struct rlog_writer {
	struct rlog_writer_emit emit;
	struct rlog_streams streams;
	struct rlog_keep keep;
	uint32_t first_kept_string; /* id of keep.strings[0] */
	uint64_t first_kept_def;    /* ordinal of keep.defs[0] */
	uint32_t next_string;
	uint64_t next_def;
	uint64_t events;
	struct rlog_outer outer; /* list of the chunk that is being made */
	struct rlog_outer_work outer_work;
	bool has_outer; /* true if `outer` is the list of the last batch, and the batch is in one
	                 * chunk */
	uint64_t checkpoint_bytes;
	uint64_t oddities[RLOG_ODDITIES];
	const struct rlog_fact *end_facts; /* borrowed */
	size_t end_fact_count;
	bool is_cramped; /* true if space is short: nothing is written that can be left out */
	bool finished;
};

/* Creates a writer that has not written anything. Return: 0, -RLOG_E_NO_MEMORY,
 * -RLOG_E_ARGUMENT. */
int rlog_writer_make(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                     struct rlog_error *err);

/*
 * These write kept strings or definitions, in as many chunks as needed. On an error they do not cut
 * the file back. @from, @count: rows of writer->keep.
 */
int rlog_writer_write_strings(struct rlog_writer *writer, size_t from, size_t count, uint16_t flags,
                              struct rlog_error *err);
int rlog_writer_write_defs(struct rlog_writer *writer, size_t from, size_t count, uint16_t flags,
                           struct rlog_error *err);

#endif
