/* SPDX-License-Identifier: MIT */
/* What a drawing tells the one who writes it down: names, slices, marks, counters, arrows. */
#ifndef RA_PEN_H
#define RA_PEN_H

#include <stdbool.h>
#include <string.h>

#include "format/tables.h"

/*
 * A drawing calls a pen in the order in which it draws; a row is in the order of time, but for
 * traces that are drawn again, which have the order of their file. Callbacks may not be NULL. The
 * texts that they get are borrowed for the time of the call; times count from the drawing's zero.
 */

/* Names of the model that many things bear: a pen makes its form of each once. */
enum ra_pen_table {
	RA_PEN_NAMES,   /* strings of the model as they are */
	RA_PEN_SHOWN,   /* as ranges show them */
	RA_PEN_KERNELS, /* as kernels show them */
	RA_PEN_TABLES,
	RA_PEN_WORDS, /* no table: constants of the program, which need no escapes */
	RA_PEN_BYTES, /* no table */
};

struct ra_pen_text {
	struct rlog_string bytes; /* of a table only where the pen keeps none of it */
	uint32_t id;              /* in the table; one that it does not have is the last */
	enum ra_pen_table table;
};

struct ra_pen_names {
	size_t counts[RA_PEN_TABLES]; /* of ids; the one behind stands for all others. 0: the
	                                 table is not to be kept */
	bool is_once;                 /* most are drawn once, and every text has its bytes */
	struct rlog_string (*find)(void *context, enum ra_pen_table table, uint32_t id);
	void *context;
};

static inline struct ra_pen_text ra_pen_name(enum ra_pen_table table, uint32_t id)
{
	return (struct ra_pen_text){ .table = table, .id = id };
}

static inline struct ra_pen_text ra_pen_bytes(struct rlog_string bytes)
{
	return (struct ra_pen_text){ .table = RA_PEN_BYTES, .bytes = bytes };
}

/* @words: lives as long as the program. */
static inline struct ra_pen_text ra_pen_words(const char *words)
{
	const uint32_t length = (uint32_t) strlen(words);

	return (struct ra_pen_text){ .table = RA_PEN_WORDS, .bytes = { words, length, length } };
}

enum ra_pen_args {
	RA_PEN_NO_ARGS,    /* the event is complete */
	RA_PEN_EMPTY_ARGS, /* likewise, and readers want to see that it has none */
	RA_PEN_HAS_ARGS,   /* arguments follow, if any, then end() */
	RA_PEN_ROOM_ARGS,  /* likewise; where none follow, readers want to see that */
};

struct ra_pen_event {
	const char *category;    /* a constant of the program; NULL: none */
	struct ra_pen_text name; /* of arrows: the category */
	uint32_t pid;
	uint32_t tid;
	int64_t start_ns;
	int64_t dur_ns;
	uint64_t id; /* of arrows and of spans: what belongs together */
	enum ra_pen_args args;
	bool is_end;       /* of an arrow */
	bool is_name_last; /* of a counter: its name stands behind its time */
};

/* A process, or a row of one: its name and its place among the others. */
struct ra_pen_track {
	uint32_t pid;
	uint32_t tid;            /* 0: the process */
	struct rlog_string name; /* NULL: not said */
	const char *label;       /* of a process: what it is; NULL: not said */
	int64_t sort_index;      /* the least is on top */
	bool has_sort_index;
	bool is_added; /* to a trace that is drawn again */
};

/* An event of a trace that is drawn again, or one that is added to it. What it lacks is empty. */
struct ra_pen_copy {
	char phase; /* of Chrome's format, 0: it has none */
	char was;   /* 0, or what the phase was in the trace */
	const struct ra_pen_text *category;
	const struct ra_pen_text *name;
	struct rlog_string pid; /* JSON */
	struct rlog_string tid;
	int64_t ts_ns;
	int64_t dur_ns;
	bool has_ts, has_ts_point; /* the trace has a point there */
	bool has_dur, has_dur_point;
	bool has_args;
	bool is_added;
	bool is_name_last;
};

enum ra_pen_type {
	RA_PEN_INT,
	RA_PEN_UINT,
	RA_PEN_REAL, /* one that is not finite is a text */
	RA_PEN_BOOL,
	RA_PEN_NULL,
	RA_PEN_TEXT,
	RA_PEN_JSON,   /* a number, list or object as JSON has it */
	RA_PEN_OBJECT, /* what follows, each with a key … */
	RA_PEN_END_OBJECT,
	RA_PEN_LIST, /* … and without, up to the end */
	RA_PEN_END_LIST,
};

struct ra_pen_value {
	enum ra_pen_type type;
	int digits; /* of a REAL that count: 17 bring back each double, 9 each float */
	union {
		int64_t integer; /* INT, BOOL */
		uint64_t bits;   /* UINT */
		double real;
	};
	struct ra_pen_text text; /* TEXT, JSON */
};

struct ra_pen {
	/* Before all else of a drawing. @names: borrowed up to its end. */
	void (*begin)(struct ra_pen *pen, const struct ra_pen_names *names);
	/* The CLOCK_REALTIME of time 0, as far as it is known. */
	void (*clock)(struct ra_pen *pen, int64_t base_ns);
	void (*track)(struct ra_pen *pen, const struct ra_pen_track *track);
	void (*slice)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* What lies on no row of a thread, but beside others of its name. */
	void (*span)(struct ra_pen *pen, const struct ra_pen_event *event);
	void (*instant)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* Its values are its arguments. */
	void (*counter)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* One end of an arrow: at what began last on the row by then. */
	void (*flow)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* Fields and arguments follow, then end(). */
	void (*copy)(struct ra_pen *pen, const struct ra_pen_copy *copy);
	/* Of a copy, before its arguments. */
	void (*field)(struct ra_pen *pen, const struct ra_pen_text *key,
	              const struct ra_pen_value *value);
	/* @key: NULL in a list, and where something ends. */
	void (*argument)(struct ra_pen *pen, const struct ra_pen_text *key,
	                 const struct ra_pen_value *value);
	/*
	 * Writes the arguments that were drawn under this number before, not 0. Return: false if
	 * the pen has them no more: they must be drawn, and then kept().
	 */
	bool (*again)(struct ra_pen *pen, uint64_t number);
	void (*kept)(struct ra_pen *pen);
	void (*end)(struct ra_pen *pen);
};

static inline void ra_pen_put(struct ra_pen *pen, const char *key, const struct ra_pen_value *value)
{
	const struct ra_pen_text words = ra_pen_words(key);

	pen->argument(pen, &words, value);
}

/* Arguments by their types. @key: a constant of the program. */
static inline void ra_pen_put_int(struct ra_pen *pen, const char *key, int64_t integer)
{
	const struct ra_pen_value value = { .type = RA_PEN_INT, .integer = integer };

	ra_pen_put(pen, key, &value);
}

static inline void ra_pen_put_uint(struct ra_pen *pen, const char *key, uint64_t bits)
{
	const struct ra_pen_value value = { .type = RA_PEN_UINT, .bits = bits };

	ra_pen_put(pen, key, &value);
}

static inline void ra_pen_put_real(struct ra_pen *pen, const char *key, double real, int digits)
{
	const struct ra_pen_value value = { .type = RA_PEN_REAL, .real = real, .digits = digits };

	ra_pen_put(pen, key, &value);
}

static inline void ra_pen_put_true(struct ra_pen *pen, const char *key)
{
	const struct ra_pen_value value = { .type = RA_PEN_BOOL, .integer = 1 };

	ra_pen_put(pen, key, &value);
}

static inline void ra_pen_put_text(struct ra_pen *pen, const char *key, struct ra_pen_text text)
{
	const struct ra_pen_value value = { .type = RA_PEN_TEXT, .text = text };

	ra_pen_put(pen, key, &value);
}

/* A list of integers that are at least 0. */
static inline void ra_pen_put_list(struct ra_pen *pen, const char *key, const uint32_t *numbers,
                                   size_t count)
{
	struct ra_pen_value value = { .type = RA_PEN_LIST };

	ra_pen_put(pen, key, &value);
	for (size_t i = 0; i < count; i++) {
		value = (struct ra_pen_value){ .type = RA_PEN_UINT, .bits = numbers[i] };
		pen->argument(pen, NULL, &value);
	}
	value.type = RA_PEN_END_LIST;
	pen->argument(pen, NULL, &value);
}

#endif
