/* SPDX-License-Identifier: MIT */
/* The interface between a drawing and the code that writes it: names, slices, marks, counters,
 * arrows. */
#ifndef RA_PEN_H
#define RA_PEN_H

#include <stdbool.h>
#include <string.h>

#include "format/tables.h"

/*
 * A drawing calls a pen for each thing that it draws. Each row comes in order of time; a redrawn
 * trace instead keeps the order of its file. No callback may be NULL. Texts are borrowed until the
 * call returns. Times are in ns since the drawing's time 0.
 */

/* Tables of names that many things share. A pen converts each name once. */
enum ra_pen_table {
	RA_PEN_NAMES,   /* strings of the model, unchanged */
	RA_PEN_SHOWN,   /* names in the form shown for ranges */
	RA_PEN_KERNELS, /* names in the form shown for kernels */
	RA_PEN_TABLES,
	RA_PEN_WORDS, /* no table: the text is a constant of the program that needs no escaping */
	RA_PEN_BYTES, /* no table: any text */
};

struct ra_pen_text {
	/* for a text of a table, set only if the pen does not keep that table */
	struct rlog_string bytes;
	uint32_t id; /* id in the table; for an id that the table lacks, the last entry is used */
	enum ra_pen_table table;
};

struct ra_pen_copy;

struct ra_pen_names {
	size_t counts[RA_PEN_TABLES]; /* number of ids in each table; one more entry is for all
	                                 other ids. 0: the pen does not keep the table */
	bool is_once; /* most names are drawn only once, and every text has its bytes set */
	struct rlog_string (*find)(void *context, enum ra_pen_table table, uint32_t id);
	/* For a redrawn trace, valid until finish(). look() gives the phase and times of the event
	 * with this number, which fields may replace. The next function draws the event again. */
	struct ra_pen_copy (*look)(void *context, uint32_t number);
	void (*redraw)(void *context, uint32_t number);
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
	RA_PEN_EMPTY_ARGS, /* the event is complete, but gets an empty list of arguments, because
	                      readers expect one */
	RA_PEN_HAS_ARGS,   /* arguments follow, perhaps none, then end() */
	RA_PEN_ROOM_ARGS,  /* like HAS_ARGS; if none follow, an empty list is written */
};

struct ra_pen_event {
	const char *category;    /* a constant of the program; NULL: none */
	struct ra_pen_text name; /* for arrows: the category */
	uint32_t pid;
	uint32_t tid;
	int64_t start_ns;
	int64_t dur_ns;
	uint64_t id; /* for an arrow or span: all its parts have the same id */
	/* For an arrow's start: how many ends may follow; for one of these: how many after it. */
	uint32_t ends;
	enum ra_pen_args args;
	bool is_end;       /* for an arrow's end */
	bool is_name_last; /* for a counter: its name comes after its time */
};

/* A process or one of its rows: its name, and its position. */
struct ra_pen_track {
	uint32_t pid;
	uint32_t tid;            /* 0: the process itself */
	struct rlog_string name; /* bytes NULL: no name */
	const char *label;       /* for a process: the kind of process; NULL: unknown */
	int64_t sort_index;      /* rows with smaller numbers are drawn higher */
	bool has_sort_index;
	bool is_added; /* the row was added to a redrawn trace */
};

/* An event of a redrawn trace, or an event added to it. Fields that it lacks are empty. */
struct ra_pen_copy {
	char phase; /* phase in Chrome's format; 0: none */
	char was;   /* phase in the original trace, if it was another one; 0: it was the same */
	const struct ra_pen_text *category;
	const struct ra_pen_text *name;
	struct rlog_string pid; /* as JSON text */
	struct rlog_string tid;
	int64_t ts_ns;
	int64_t dur_ns;
	bool has_ts, has_ts_point; /* has_ts_point: the time has a decimal point in the trace */
	bool has_dur, has_dur_point;
	bool has_args;
	bool is_added;
	bool is_name_last;
	uint32_t number; /* number of the trace's events before it; for an event that was not moved,
	                    this is its own number */
};

enum ra_pen_type {
	RA_PEN_INT,
	RA_PEN_UINT,
	RA_PEN_REAL, /* a number; one that is not finite is written as a text */
	RA_PEN_BOOL,
	RA_PEN_NULL,
	RA_PEN_TEXT,
	RA_PEN_JSON,   /* a number, list or object, as JSON text */
	RA_PEN_OBJECT, /* begins an object: values up to its end, each with a key */
	RA_PEN_END_OBJECT,
	RA_PEN_LIST, /* begins a list: values up to its end, without keys */
	RA_PEN_END_LIST,
};

struct ra_pen_value {
	enum ra_pen_type type;
	/* of a REAL: with 17 digits every double can be read back exactly, with 9 every float */
	int digits;
	union {
		int64_t integer; /* for INT, BOOL */
		uint64_t bits;   /* for UINT */
		double real;
	};
	struct ra_pen_text text; /* for TEXT, JSON */
};

struct ra_pen {
	/* Called first. @names: borrowed until the end of the drawing. */
	void (*begin)(struct ra_pen *pen, const struct ra_pen_names *names);
	/* Gives the CLOCK_REALTIME of time 0, if it is known. */
	void (*clock)(struct ra_pen *pen, int64_t base_ns);
	void (*track)(struct ra_pen *pen, const struct ra_pen_track *track);
	void (*slice)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* Draws a range beside other ranges with its name, and not on a thread's row. */
	void (*span)(struct ra_pen *pen, const struct ra_pen_event *event);
	void (*instant)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* Draws values of a counter. The values are the arguments. */
	void (*counter)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* Draws one end of an arrow. It belongs to the slice that began last on the row. */
	void (*flow)(struct ra_pen *pen, const struct ra_pen_event *event);
	/* Draws an event of a redrawn trace. Fields and arguments follow, then end(). */
	void (*copy)(struct ra_pen *pen, const struct ra_pen_copy *copy);
	/* Draws a field of such an event. All fields come before its arguments. */
	void (*field)(struct ra_pen *pen, const struct ra_pen_text *key,
	              const struct ra_pen_value *value);
	/* Draws an argument. @key: NULL in a list, and at the end of a list or object. */
	void (*argument)(struct ra_pen *pen, const struct ra_pen_text *key,
	                 const struct ra_pen_value *value);
	/*
	 * Writes the arguments that were drawn before under this number, which is not 0. Return:
	 * false if the pen no longer has them; then the caller draws them and calls kept().
	 */
	bool (*again)(struct ra_pen *pen, uint64_t number);
	void (*kept)(struct ra_pen *pen);
	void (*end)(struct ra_pen *pen);
	/* Called last. */
	void (*finish)(struct ra_pen *pen);
	/* the pen has the counters from an earlier drawing, so they need not be drawn */
	bool has_counters;
};

static inline void ra_pen_put(struct ra_pen *pen, const char *key, const struct ra_pen_value *value)
{
	const struct ra_pen_text words = ra_pen_words(key);

	pen->argument(pen, &words, value);
}

/* These draw an argument of one type. @key: a constant of the program. */
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

/* Draws a list of integers that are not negative. */
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
