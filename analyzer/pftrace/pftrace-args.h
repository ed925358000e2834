/* SPDX-License-Identifier: MIT */
/* Writes an event's arguments as debug annotations in protobuf. */
#ifndef RA_PFTRACE_ARGS_H
#define RA_PFTRACE_ARGS_H

#include <stdbool.h>

#include "analyzer/protobuf/protobuf-texts.h"
#include "analyzer/protobuf/protobuf-write.h"
#include "format/tables.h"

/* An open container of arguments. */
struct ra_pftrace_level {
	size_t before; /* where the annotation of the container begins … */
	size_t opened; /* … and the value to pass to ra_protobuf_write_close() */
	size_t empty;  /* where its contents begin */
	bool is_array;
};

struct ra_pftrace_args {
	struct ra_protobuf_texts *keys, *values; /* borrowed; texts by number in the file */
	struct ra_protobuf_bytes bytes;          /* owned */
	struct ra_pftrace_level *levels;         /* owned */
	size_t level_count, level_capacity;
	uint32_t key; /* key of the next argument: its number in keys */
	bool is_dry;  /* this pass only collects texts: in place of each value, one byte of any
	                 content is written */
};

void ra_pftrace_args_fini(struct ra_pftrace_args *args);

/* Begins the arguments of an event. @is_array: they are a list. */
void ra_pftrace_args_begin(struct ra_pftrace_args *args, bool is_array);

/* These write a value, under `key` or in a list. */
void ra_pftrace_args_int(struct ra_pftrace_args *args, int64_t value);
void ra_pftrace_args_uint(struct ra_pftrace_args *args, uint64_t value);
/* @value: number in values */
void ra_pftrace_args_text(struct ra_pftrace_args *args, uint32_t value);
void ra_pftrace_args_null(struct ra_pftrace_args *args);
/* Writes a number given as JSON text. If readers can't use it as a number, it is written as
 * text. */
void ra_pftrace_args_number(struct ra_pftrace_args *args, const char *text, size_t length);

/* Opens and closes a container. It contains what is written between these two calls. */
void ra_pftrace_args_open(struct ra_pftrace_args *args, bool is_array);
void ra_pftrace_args_close(struct ra_pftrace_args *args);

/* Writes a JSON value that has no white space other than blanks. If the JSON is invalid, the value
 * ends at that place. */
void ra_pftrace_args_json(struct ra_pftrace_args *args, struct rlog_string json);

/* Calls `take` for each string in a JSON value, except keys. */
void ra_pftrace_args_walk_texts(struct rlog_string json,
                                void (*take)(void *context, const char *text, size_t length),
                                void *context);

#endif
