/* SPDX-License-Identifier: MIT */
/* The state of the parser, shared by the files of this folder. */
#ifndef RA_JSON_READING_H
#define RA_JSON_READING_H

#include "analyzer/json/json-keys.h"
#include "analyzer/json/json.h"
#include "analyzer/json/json-scan.h"

#define RA_JSON_NOWHERE SIZE_MAX
#define RA_JSON_PENDING 8u /* a string has at most five kinds of oddities, a comma one */

enum ra_json_state {
	RA_JSON_AT_FIRST_VALUE, /* at the first value of an array, or at its end */
	RA_JSON_AT_VALUE,
	RA_JSON_AT_FIRST_KEY, /* at the first key of an object, or at its end */
	RA_JSON_AT_COMMA,     /* after a value */
};

enum ra_json_outcome {
	RA_JSON_NEEDS_MORE, /* the text in the buffer ends here */
	RA_JSON_IS_ODD,
	RA_JSON_IS_TOO_DEEP,
};

/* An oddity in the token that is being read. It is noted only when the token is complete, because a
 * token that needs more text is read again. */
struct ra_json_pending {
	enum ra_json_oddity oddity;
	uint64_t count;
	uint64_t offset;
};

struct ra_json_reading {
	struct ra_json *json;
	struct ra_json_handler handler; /* copy of json->handler … */
	void *context;                  /* … and of json->context, for speed */
	ra_json_scan *scan;
	enum ra_json_state state;
	enum ra_json_outcome outcome;
	unsigned key; /* number of the last key in this object, or of the key whose value the object
	                 is */
	uint16_t *stack; /* owned: for each open container, key number << 1, plus 1 for an object */
	size_t depth;
	size_t stack_capacity;
	size_t record_depth; /* depth of the array that holds the records; 0: none is open */
	bool has_root;       /* a first value has begun */
	bool is_lost;        /* after damage, the next record is being searched */
	bool had_record;     /* the damage was in a record */
	bool has_high;       /* the string being read has bytes beyond ASCII */
	bool has_odd;        /* some element of record_odd is not 0 */
	bool at_end;         /* the whole rest of the text is in the buffer */
	char *buffer;        /* owned */
	size_t size;
	char *end;           /* end of the text in the buffer */
	uint64_t end_offset; /* offset of `end` in the whole text */
	size_t from;         /* index in buffer: the text from here on is not parsed yet */
	size_t record;       /* index of the start of the open record, or RA_JSON_NOWHERE */
	uint64_t reread;     /* number of bytes in records that were read again */
	uint64_t noted;      /* offset in the text: oddities before it are noted already */
	uint64_t record_odd[RA_JSON_ODDITIES]; /* how many of the oddities in json->odd are of the
	                                          open record */
	uint64_t lost_from; /* offset in the text where the skipped part begins */
	uint64_t odd_offset;
	const char *odd; /* place in the buffer where the text is damaged */
	const char *why;
	char *decoded; /* owned */
	size_t decoded_size;
	struct ra_json_pending pending[RA_JSON_PENDING];
	unsigned pending_count;
	struct ra_json_keys keys;
};

/* Damaged records are read a second time from their inside. This many bytes and twice the text are
 * read again at most, which limits the extra work. */
#define RA_JSON_MAX_REREAD (UINT64_C(1) << 20)

/* True if the parser may not read any more text again. */
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
