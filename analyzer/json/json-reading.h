/* SPDX-License-Identifier: MIT */
/* The state of a reading of JSON, for the files of this folder. */
#ifndef RA_JSON_READING_H
#define RA_JSON_READING_H

#include "analyzer/json/json-keys.h"
#include "analyzer/json/json.h"
#include "analyzer/json/json-scan.h"

#define RA_JSON_NOWHERE SIZE_MAX
#define RA_JSON_PENDING 8u /* a text has five kinds of them at most, a comma one */

enum ra_json_state {
	RA_JSON_AT_FIRST_VALUE, /* of an array, or its end */
	RA_JSON_AT_VALUE,
	RA_JSON_AT_FIRST_KEY, /* of an object, or its end */
	RA_JSON_AT_COMMA,     /* a value */
};

enum ra_json_outcome {
	RA_JSON_NEEDS_MORE, /* text */
	RA_JSON_IS_ODD,
	RA_JSON_IS_TOO_DEEP,
};

/* An oddity within what is being read: if more text is needed, it is met again. */
struct ra_json_pending {
	enum ra_json_oddity oddity;
	uint64_t count;
	uint64_t offset;
};

struct ra_json_reading {
	struct ra_json *json;
	struct ra_json_handler handler; /* json->handler's and … */
	void *context;                  /* … json->context, at hand for each value */
	ra_json_scan *scan;
	enum ra_json_state state;
	enum ra_json_outcome outcome;
	unsigned key;    /* the one before, or that of the object which begins */
	uint16_t *stack; /* owned: of the containers open, key << 1, and 1 for an object */
	size_t depth;
	size_t stack_capacity;
	size_t record_depth; /* of the array that holds the records; 0: none is open */
	bool has_root;       /* something was there */
	bool is_lost;        /* on the way to the next record */
	bool had_record;     /* was lost in the middle of one */
	bool has_high;       /* the text that is read has bytes beyond ASCII */
	bool has_odd;        /* record_odd has counts */
	bool at_end;         /* nothing follows what is in the buffer */
	char *buffer;        /* owned */
	size_t size;
	char *end;           /* of the text in it */
	uint64_t end_offset; /* of `end` in the text */
	size_t from;         /* of what is not yet parsed, in buffer */
	size_t record;       /* the beginning of the record that is open, or RA_JSON_NOWHERE */
	uint64_t reread;     /* bytes of records that were */
	uint64_t noted;      /* offset: oddities before it were noted when that was read first */
	uint64_t record_odd[RA_JSON_ODDITIES]; /* of what json->odd counts, those in the record */
	uint64_t lost_from;                    /* offset */
	uint64_t odd_offset;
	const char *odd; /* where the text is damaged */
	const char *why;
	char *decoded; /* owned */
	size_t decoded_size;
	struct ra_json_pending pending[RA_JSON_PENDING];
	unsigned pending_count;
	struct ra_json_keys keys;
};

/* Records are read a second time from within if they are damaged; so much text of that kind is as
 * much work as the whole file. */
#define RA_JSON_MAX_REREAD (UINT64_C(1) << 20)

/* So much was read again that no more may be. */
static inline bool ra_json_reading_is_spent(const struct ra_json_reading *r)
{
	return r->reread > RA_JSON_MAX_REREAD + 2 * r->end_offset;
}

static inline uint64_t ra_json_reading_offset(const struct ra_json_reading *r, const char *at)
{
	return r->end_offset - (uint64_t) (r->end - at);
}

static inline bool ra_json_reading_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline const char *ra_json_reading_skip_space(const char *at)
{
	while (ra_json_reading_is_space(*at)) {
		at++;
	}
	return at;
}

static inline bool ra_json_reading_is_in_object(const struct ra_json_reading *r)
{
	return (r->stack[r->depth - 1] & 1) != 0;
}

static inline void ra_json_reading_stop(struct ra_json_reading *r, int code, uint64_t offset,
                                        const char *why)
{
	rlog_error_set(&r->json->stop, code, offset, "%s", why);
}

#endif
