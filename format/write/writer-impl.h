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
	struct rlog_outer outer; /* of the chunk in the making */
	struct rlog_outer_work outer_work;
	bool has_outer; /* `outer` is that of the last batch, all of it */
	uint64_t checkpoint_bytes;
	uint64_t oddities[RLOG_ODDITIES];
	const struct rlog_fact *end_facts; /* borrowed */
	size_t end_fact_count;
	bool is_cramped; /* no space for anything that can be left out */
	bool finished;
};

/* Makes a writer that has written nothing. Return: 0, -RLOG_E_NO_MEMORY, -RLOG_E_ARGUMENT. */
int rlog_writer_make(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                     struct rlog_error *err);

/*
 * These write strings or definitions that the writer keeps copies of, over as many chunks as
 * needed; they do not roll back. @from, @count: in the arrays of keep.
 */
int rlog_writer_write_strings(struct rlog_writer *writer, size_t from, size_t count, uint16_t flags,
                              struct rlog_error *err);
int rlog_writer_write_defs(struct rlog_writer *writer, size_t from, size_t count, uint16_t flags,
                           struct rlog_error *err);

#endif
