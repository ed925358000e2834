/* SPDX-License-Identifier: MIT */
/* Skips damaged text, counts what was skipped, and resumes at the next record. */
#include "analyzer/json/json-damage.h"

#include <stdio.h>

#include "analyzer/base/util.h"
#include "analyzer/json/json-recover.h"

/* Takes back the oddities noted in the record that is given up. They are counted again when the
 * record's text is read again. */
static void forget_oddities(struct ra_json_reading *r)
{
	for (unsigned i = 0; i < RA_JSON_ODDITIES; i++) {
		r->json->odd[i] -= r->record_odd[i];
		r->record_odd[i] = 0;
	}
}

/* Notes that the text up to an offset was read once and will be read again. */
static void note_up_to(struct ra_json_reading *r, uint64_t offset)
{
	r->noted = r->noted > offset ? r->noted : offset;
}

/* Return: true if the damage is in a record. Then a record is open, or the damaged text is in a
 * record's place and is no surplus bracket. */
static bool has_record(const struct ra_json_reading *r)
{
	if (r->record_depth > 0 && r->depth > r->record_depth) {
		return true;
	}
	return r->record != RA_JSON_NOWHERE && r->buffer[r->record] != '}' &&
	       r->buffer[r->record] != ']';
}

bool ra_json_damage_begin(struct ra_json_reading *r)
{
	const char *from = r->odd;

	r->odd_offset = ra_json_reading_offset(r, r->odd);
	if (r->outcome == RA_JSON_IS_TOO_DEEP) {
		ra_json_reading_stop(r, RLOG_E_SCHEMA, r->odd_offset,
		                     "arrays and objects are nested over a million deep");
		return false;
	}
	if (r->json->handler->drop == NULL || !r->has_root) {
		ra_json_reading_stop(r, RLOG_E_SCHEMA, r->odd_offset, r->why);
		return false;
	}
	r->is_lost = true;
	r->had_record = has_record(r);
	if (r->record != RA_JSON_NOWHERE) {
		from = r->buffer + r->record;
		forget_oddities(r);
	}
	note_up_to(r, r->odd_offset);
	r->lost_from = ra_json_reading_offset(r, from);
	r->from = (size_t) (from - r->buffer) + (r->record != RA_JSON_NOWHERE);
	r->reread += (uint64_t) (r->odd - from);
	if (ra_json_reading_is_spent(r)) {
		r->from = (size_t) (r->odd - r->buffer);
	}
	r->record = RA_JSON_NOWHERE;
	return true;
}

void ra_json_damage_count(struct ra_json_reading *r, uint64_t end)
{
	struct ra_json *json = r->json;

	json->odd[RA_JSON_ODD_DAMAGE]++;
	if (json->note != NULL) {
		json->note(json->context, RA_JSON_ODD_DAMAGE, r->odd_offset);
	}
	json->lost_bytes += end - r->lost_from;
	json->lost_records += r->had_record;
	if (json->lost_why[0] == '\0') {
		json->lost_offset = r->odd_offset;
		(void) snprintf(json->lost_why, sizeof(json->lost_why), "%s", r->why);
	}
}

/* Makes the array of records the innermost open container, whatever containers were open. */
static void restore_depth(struct ra_json_reading *r)
{
	if (r->record_depth == 0) {
		r->depth = 0;
		for (int is_object = 1; is_object >= 0; is_object--) {
			RA_UTIL_APPEND(r->stack, r->depth, r->stack_capacity, is_object != 0);
		}
		r->record_depth = 2;
	}
	r->depth = r->record_depth;
	r->key = r->stack[r->depth - 1] >> 1;
}

/* Resumes at a record, or at the end of the array of records. */
static void go_on(struct ra_json_reading *r, const char *at)
{
	ra_json_damage_count(r, ra_json_reading_offset(r, at));
	restore_depth(r);
	r->json->handler->drop(r->json->context);
	r->state = *at == ']' ? RA_JSON_AT_COMMA : RA_JSON_AT_VALUE;
	r->from = (size_t) (at - r->buffer);
	r->is_lost = false;
}

bool ra_json_damage_find_record(struct ra_json_reading *r)
{
	const uint64_t begin_offset = ra_json_reading_offset(r, r->buffer);
	struct ra_json_recover recover = {
		.strong = r->json->strong_keys,
		.weak = r->json->weak_keys,
		.begin = r->buffer,
		.end = r->end,
		.from = r->buffer + r->from,
		.odd = r->odd_offset > begin_offset ? r->buffer + (r->odd_offset - begin_offset)
		                                    : r->buffer,
		.is_end = r->at_end,
	};
	const char *at;

	if (r->record_depth == 0) {
		recover.odd = r->end; /* no array of records is open, so none can end */
	}
	at = ra_json_recover_find(&recover);
	if (at == NULL) {
		r->from = (size_t) (recover.from - r->buffer);
		return false;
	}
	go_on(r, at);
	return true;
}

bool ra_json_damage_leave_record(struct ra_json_reading *r)
{
	static const char *const none[] = { NULL };
	struct ra_json_recover recover = {
		.strong = r->json->strong_keys,
		.weak = none,
		.begin = r->buffer,
		.end = r->end,
		.from = r->buffer + r->record + 1,
		.odd = r->end,
		.is_end = true,
	};
	const char *at = ra_json_recover_find(&recover);

	if (at == NULL) {
		r->record = RA_JSON_NOWHERE;
		return false;
	}
	note_up_to(r, ra_json_reading_offset(r, r->buffer + r->from));
	r->reread += (uint64_t) (r->end - r->buffer) - r->record;
	r->odd = r->buffer + r->record;
	r->why = "this does not end where the next begins";
	(void) ra_json_damage_begin(r);
	go_on(r, at);
	return true;
}
