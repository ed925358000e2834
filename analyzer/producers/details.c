/* SPDX-License-Identifier: MIT */
/* Reads the facts of a launch or copy that are in one text: "regs:16 grid:128,1,1 …". */
#include "analyzer/producers/details.h"

#include <string.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/producers/producers.h"
#include "analyzer/rows/kineto-details.h"
#include "analyzer/rows/kineto-number.h"

/* Reads one value. A number with a point is kept as JSON text, and read as a number later. */
static bool read_scalar(struct rlog_string text, struct ra_kineto_store *store,
                        struct ra_kineto_detail *detail)
{
	struct ra_kineto_number number;

	if (!ra_kineto_number_parse(text.bytes, text.length, &number)) {
		return false;
	}
	detail->value = number.digits;
	if (number.scale != 0) {
		detail->is_number = true;
		detail->value = ra_kineto_strings_add(&store->strings, text.bytes, text.length);
	}
	return true;
}

/* Makes a JSON list from a text such as "128,1,1". */
static bool read_list(struct rlog_string text, struct ra_kineto_store *store,
                      struct ra_kineto_detail *detail)
{
	struct ra_util_text json = { 0 };

	for (uint32_t i = 0; i < text.length; i++) {
		if ((text.bytes[i] < '0' || text.bytes[i] > '9') && text.bytes[i] != ',') {
			return false;
		}
	}
	ra_util_text_format(&json, "[%.*s]", (int) text.length, text.bytes);
	detail->is_json = true;
	detail->value = ra_kineto_strings_add(&store->strings, json.bytes, json.length);
	ra_util_text_free(&json);
	return true;
}

/* Adds the value to that of an earlier word of the same text. Return: false if no earlier word gave
 * a value. */
static bool add_up(struct ra_kineto *k, size_t first, const struct ra_kineto_detail *detail)
{
	for (size_t i = first; i < k->detail_count; i++) {
		if (k->details[i].key == detail->key && !k->details[i].is_number) {
			k->details[i].value = ra_util_add_time(k->details[i].value, detail->value);
			return true;
		}
	}
	return false;
}

/* Reads one word of a text. @first: index of the first detail of this text. */
static void read_word(struct ra_details *details, struct ra_kineto_store *store, size_t first,
                      struct rlog_string word, struct ra_kineto_detail detail)
{
	const char *colon = memchr(word.bytes, ':', word.length);
	const struct ra_producers_detail *found;
	struct ra_kineto *k = store->kineto;
	struct rlog_string value = { "", 0, 0 };

	if (colon == NULL) {
		return;
	}
	value.bytes = colon + 1;
	value.length = word.length - (uint32_t) (value.bytes - word.bytes);
	word.length = (uint32_t) (colon - word.bytes);
	found = ra_producers_find_detail(word);
	if (found == NULL || !(found->is_list ? read_list(value, store, &detail)
	                                      : read_scalar(value, store, &detail))) {
		return;
	}
	detail.key = found->key;
	if ((detail.value != 0 || found->has_zero) &&
	    !(found->is_sum && !detail.is_number && add_up(k, first, &detail))) {
		RA_UTIL_APPEND(k->details, k->detail_count, details->capacity, detail);
	}
}

static void read_text(struct ra_details *details, struct ra_kineto_store *store, uint32_t id)
{
	const struct rlog_string text = ra_kineto_string(store->kineto, id);
	const size_t first = store->kineto->detail_count;
	uint32_t end;

	for (uint32_t at = 0; at < text.length; at = end + 1) {
		struct rlog_string word = { text.bytes + at, 0, 0 };

		for (end = at; end < text.length && text.bytes[end] != ' '; end++) {
		}
		word.length = end - at;
		read_word(details, store, first, word, (struct ra_kineto_detail){ .text = id });
	}
}

void ra_details_read(struct ra_details *details, struct ra_kineto_store *store, uint32_t event)
{
	for (const struct ra_producers_key *key = ra_producers_borrow_keys(); key->producer != NULL;
	     key++) {
		uint32_t text;

		if (key->use != RA_PRODUCERS_DETAILS) {
			continue;
		}
		text = ra_kineto_get_text(store->kineto, event, key->key);
		if (text != 0 && ra_util_map_find(&details->known, text) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(&details->known, text, 0);
			read_text(details, store, text);
		}
	}
}

void ra_details_fini(struct ra_details *details, struct ra_kineto *kineto)
{
	ra_util_map_free(&details->known);
	ra_kineto_details_sort(kineto);
}
