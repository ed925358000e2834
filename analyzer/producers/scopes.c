/* SPDX-License-Identifier: MIT */
/* Reads the scopes of the program that Triton's Proton records with each kernel. */
#include "analyzer/producers/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/json/json-text.h"
#include "analyzer/rows/kineto-details.h"

struct reading {
	struct ra_kineto *kineto;
	struct ra_kineto_store *store;
	struct ra_util_map known; /* owned; string id of a stack → 1 if it has scopes, else 0 */
	struct ra_util_text path; /* owned */
	size_t capacity;
};

/* Takes the next text of a list without white space. @at: the place of its opening quote; gets the
 * place after the text and its comma.
 * Return: false if there is no text. */
static bool take_text(const char **at, const char *end, struct rlog_string *text)
{
	const char *close = *at + 1;

	if (*at >= end || **at != '"') {
		return false;
	}
	while (close < end && *close != '"') {
		close += *close == '\\' ? 2 : 1;
	}
	if (close >= end) {
		return false;
	}
	*text = (struct rlog_string){ *at + 1, (uint32_t) (close - *at - 1), 0 };
	*at = close + (close + 1 < end && close[1] == ',' ? 2 : 1);
	return true;
}

static void put_name(struct ra_util_text *path, struct rlog_string text)
{
	char *name = ra_util_copy(text.bytes, text.length);
	struct ra_json_text_odd odd = { 0 };
	const size_t length = ra_json_text_decode(name, text.bytes, text.length, &odd);

	ra_util_text_put(path, "/", path->length > 0);
	ra_util_text_put(path, name, length);
	free(name);
}

static void add_detail(struct reading *reading, uint32_t text, enum ra_kineto_key key,
                       size_t length)
{
	struct ra_kineto *k = reading->kineto;
	const struct ra_kineto_detail detail = {
		.text = text,
		.key = key,
		.value = ra_kineto_strings_add(&reading->store->strings, reading->path.bytes,
		                               length),
		.is_text = true,
	};

	RA_UTIL_APPEND(k->details, k->detail_count, reading->capacity, detail);
}

/* Reads the texts of a stack, except the last, which is the kernel itself. Return: true if it is a
 * stack of Proton's. */
static bool read_stack(struct reading *reading, uint32_t id)
{
	const struct rlog_string json = ra_kineto_string(reading->kineto, id);
	const char *at = json.bytes + 1;
	const char *end = json.bytes + json.length;
	struct rlog_string text;
	struct rlog_string next;
	size_t outermost = 0;

	if (json.length < 2 || *json.bytes != '[' || !take_text(&at, end, &text) ||
	    text.length != 4 || memcmp(text.bytes, "ROOT", 4) != 0) {
		return false;
	}
	ra_util_text_clear(&reading->path);
	for (bool is_there = take_text(&at, end, &text); is_there && take_text(&at, end, &next);
	     text = next) {
		put_name(&reading->path, text);
		outermost = outermost == 0 ? reading->path.length : outermost;
	}
	if (reading->path.length > 0) {
		add_detail(reading, id, RA_KINETO_ARG_HLO_OP, reading->path.length);
		add_detail(reading, id, RA_KINETO_ARG_HLO_MODULE, outermost);
	}
	return true;
}

static void read_event(struct reading *reading, uint32_t event)
{
	struct ra_kineto *k = reading->kineto;
	struct ra_kineto_thread *thread = &k->threads[ra_kineto_get_thread(k, event)];
	struct ra_kineto_value value;
	uint32_t is_ours;

	if (!ra_kineto_get(k, event, RA_KINETO_ARG_SCOPES, &value) ||
	    value.type != RA_KINETO_JSON) {
		return;
	}
	is_ours = ra_util_map_find(&reading->known, (uint64_t) value.integer);
	if (is_ours == RA_UTIL_MAP_NONE) {
		is_ours = read_stack(reading, (uint32_t) value.integer);
		ra_util_map_put(&reading->known, (uint64_t) value.integer, is_ours);
	}
	if (is_ours == 1 && thread->device < 0) {
		k->has_details = true;
		thread->device = 0;
		thread->stream = thread->tid_number >= 0 ? thread->tid_number : 0;
	}
}

void ra_scopes_read(struct ra_kineto *kineto, struct ra_kineto_store *store)
{
	struct reading reading = { .kineto = kineto,
		                   .store = store,
		                   .capacity = kineto->detail_count };

	for (uint32_t i = 0; i < kineto->count && kineto->kind_count[RA_KINETO_KERNEL] > 0; i++) {
		if (kineto->kind[i] == RA_KINETO_KERNEL) {
			read_event(&reading, i);
		}
	}
	if (reading.known.count > 0) {
		ra_kineto_details_sort(kineto);
	}
	ra_util_map_free(&reading.known);
	ra_util_text_free(&reading.path);
}
