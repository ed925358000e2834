/* SPDX-License-Identifier: MIT */
/* Reads JSON text and hands it over as a stream of calls. Tolerates faults that are known from
 * people's files. */
#include "analyzer/json/json-read.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/json/json-damage.h"
#include "analyzer/json/json-recover.h"
#include "analyzer/json/json-token.h"

/*
 * The text is read in blocks. A NUL follows the text in the buffer and is part of no token. So a
 * token that reaches that NUL is read again from its start when there is more text.
 */

#define BLOCK_BYTES (UINT64_C(1) << 16)
#define MAX_TEXT    (UINT64_C(64) << 20)
#define LONG_RECORD (UINT64_C(4) << 20)

/* Where the text to keep begins: at the open record, or if none is open, after the last value.
 * During the search for a record, some bytes before the place of the search are kept, too. */
static size_t find_kept(struct ra_json_reading *r)
{
	size_t kept = r->from;

	if (r->is_lost) {
		return kept > RA_JSON_RECOVER_BYTES ? kept - RA_JSON_RECOVER_BYTES : 0;
	}
	return r->record != RA_JSON_NOWHERE && r->record < kept ? r->record : kept;
}

/* Keeps the text from there on and reads as much again, at least a block. Return: 0, or a code that
 * json->stop has as well. */
static int refill(struct ra_json_reading *r)
{
	const size_t kept = find_kept(r);
	const size_t have = r->end != NULL ? (size_t) (r->end - r->buffer) - kept : 0;
	const size_t block = (have / BLOCK_BYTES + 1) * BLOCK_BYTES;
	size_t count = 0;
	int rc = 0;

	if (kept > 0) {
		memmove(r->buffer, r->buffer + kept, have);
		r->from -= kept;
		r->record -= r->record != RA_JSON_NOWHERE ? kept : 0;
	}
	ra_util_grow(&r->buffer, &r->size, have + block + RA_JSON_SCAN_PAD, 1);
	while (rc == 0 && count < block) {
		size_t got = 0;

		rc = r->json->read(r->json->source, r->buffer + have + count, block - count, &got,
		                   &r->json->stop);
		if (rc != 0 || got == 0) {
			break;
		}
		count += got;
	}
	r->end = r->buffer + have + count;
	memset(r->end, 0, RA_JSON_SCAN_PAD);
	r->end_offset += count;
	r->at_end = count == 0;
	if (count > 0) {
		r->json->stop.code = 0; /* the read for the next block reports the error again */
	}
	r->json->has_failed = count == 0 && rc != 0;
	return count > 0 ? 0 : rc;
}

/* When the text has ended, counts what is unfinished: the skipped text, or the open record. */
static void count_rest(struct ra_json_reading *r)
{
	if (r->is_lost) {
		ra_json_damage_count(r, r->end_offset);
	} else if (r->record_depth > 0 && r->depth > r->record_depth) {
		r->json->lost_records++;
	}
}

/* Ends the reading. An array of events without an object around it needs no closing bracket,
 * according to Chrome's format. */
static void finish(struct ra_json_reading *r)
{
	const char *rest = ra_json_reading_skip_space(r->buffer + r->from);
	const bool has_rest = *ra_json_reading_skip_space(rest + (*rest == ',')) != '\0';
	const bool is_open_array = r->depth == 1 && !ra_json_reading_is_in_object(r) && !has_rest;

	count_rest(r);
	if (r->is_lost) {
		ra_json_reading_stop(r, RLOG_E_SCHEMA, r->odd_offset, r->why);
	} else if (!r->has_root) {
		ra_json_reading_stop(r, RLOG_E_SCHEMA, r->end_offset, "no JSON text");
	} else if (!is_open_array && (r->depth > 0 || has_rest)) {
		ra_json_reading_stop(r, RLOG_E_TRUNCATED, r->end_offset,
		                     "the text ends in the middle");
	}
}

/* True if the open record is longer than any should be, or the text ends in that record. */
static bool is_long(const struct ra_json_reading *r)
{
	return r->record != RA_JSON_NOWHERE && r->json->handler->drop != NULL &&
	       (r->at_end || (uint64_t) (r->end - r->buffer) - r->record > LONG_RECORD);
}

/* Parses the text in the buffer. Return: false if the reading ends. */
static bool parse_block(struct ra_json_reading *r)
{
	for (;;) {
		if (r->is_lost && !ra_json_damage_find_record(r)) {
			return true;
		}
		ra_json_token_parse(r);
		if (r->outcome == RA_JSON_NEEDS_MORE) {
			if (!is_long(r) || !ra_json_damage_leave_record(r)) {
				break;
			}
		} else if (!ra_json_damage_begin(r)) {
			return false;
		}
	}
	if ((uint64_t) (r->end - r->buffer) - r->from > MAX_TEXT) {
		ra_json_reading_stop(r, RLOG_E_SCHEMA,
		                     ra_json_reading_offset(r, r->buffer + r->from),
		                     "a text is longer than 64 MiB: the rest is not read");
		return false;
	}
	return true;
}

static void read_blocks(struct ra_json_reading *r)
{
	bool is_first = true;

	for (;;) {
		if (refill(r) != 0) {
			count_rest(r);
			return; /* refill() has set json->stop */
		}
		if (is_first && r->end - r->buffer >= 3 &&
		    memcmp(r->buffer, "\xEF\xBB\xBF", 3) == 0) {
			r->from = 3;
		}
		is_first = false;
		if (!parse_block(r)) {
			return;
		}
		if (r->at_end) {
			finish(r);
			return;
		}
		if (r->json->progress != NULL) {
			r->json->progress(r->json->context);
		}
	}
}

void ra_json_read_all(struct ra_json *json)
{
	struct ra_json_reading *r = ra_alloc_zeros(1, sizeof(*r));

	r->json = json;
	r->handler = *json->handler;
	r->context = json->context;
	r->scan = ra_json_scan_get(0, NULL);
	r->state = RA_JSON_AT_VALUE;
	r->record = RA_JSON_NOWHERE;
	ra_json_keys_init(&r->keys);
	read_blocks(r);
	json->bytes = r->end_offset;
	ra_json_keys_fini(&r->keys);
	free(r->stack);
	free(r->buffer);
	free(r->decoded);
	free(r);
}
