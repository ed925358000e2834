/* SPDX-License-Identifier: MIT */
/* Rows of all chunks but events: facts, definitions, clock points, losses. */
#ifndef RLOG_TABLES_H
#define RLOG_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes from the program: not NUL-terminated, maybe not UTF-8. */
struct rlog_string {
	const char *bytes; /* borrowed */
	uint32_t length;
	uint32_t full_length; /* greater than `length` if the string was cut */
};

enum rlog_fact_type {
	RLOG_FACT_U64,
	RLOG_FACT_I64,
	RLOG_FACT_BOOL,  /* value in u64 */
	RLOG_FACT_TEXT,  /* text in texts[0] */
	RLOG_FACT_TEXTS, /* text_count texts in `texts` */
};

/* One key of a CAPTURE or END map. */
struct rlog_fact {
	const char *key; /* NUL-terminated */
	enum rlog_fact_type type;
	uint64_t u64;
	int64_t i64;
	const struct rlog_string *texts;
	size_t text_count;
};

struct rlog_def {
	uint32_t kind; /* enum rlog_def_kind, or an unknown number */
	uint64_t id;
	uint64_t parent;
	uint32_t string; /* string id */
	uint64_t value;
};

struct rlog_clock_point {
	uint64_t ticks;
	uint64_t mono_ns;
	uint64_t real_ns;
	uint64_t boot_ns;
	uint64_t err_ns;
};

struct rlog_loss {
	uint32_t stream;
	uint32_t cause; /* enum rlog_cause */
	uint64_t count; /* cumulative: all events lost so far */
};

#endif
