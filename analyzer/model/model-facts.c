/* SPDX-License-Identifier: MIT */
/* Adds facts about the machine of an input. */
#include "analyzer/model/model-facts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-digits.h"
#include "analyzer/base/util.h"

/* Returns how many bytes of a text are kept, so that it is cut between two characters. */
static uint32_t find_length(struct rlog_string text)
{
	uint32_t length = text.length;

	if (length > RA_MODEL_FACT_TEXT_BYTES) {
		length = RA_MODEL_FACT_TEXT_BYTES;
		while (length > 0 && ((uint8_t) text.bytes[length] & 0xC0) == 0x80) {
			length--;
		}
	}
	return length;
}

void ra_model_facts_add(struct ra_model *model, struct rlog_string key, struct rlog_string text)
{
	const uint32_t length = find_length(text);
	struct ra_model_fact *fact;
	char *copy;

	if (length == 0 || key.length == 0 || key.length > RA_MODEL_FACT_KEY_BYTES ||
	    model->fact_count == RA_MODEL_FACTS) {
		return;
	}
	if (model->facts == NULL) {
		model->facts = ra_alloc_zeros(RA_MODEL_FACTS, sizeof(*model->facts));
	}
	copy = ra_alloc_bytes((size_t) key.length + length);
	memcpy(copy, key.bytes, key.length);
	memcpy(copy + key.length, text.bytes, length);
	fact = &model->facts[model->fact_count++];
	fact->key.bytes = copy;
	fact->key.length = key.length;
	fact->key.full_length = key.length;
	fact->text.bytes = copy + key.length;
	fact->text.length = length;
	fact->text.full_length = length;
}

void ra_model_facts_add_number(struct ra_model *model, const char *key, int64_t number)
{
	char digits[RA_UTIL_DIGITS_BYTES];
	const uint32_t length = (uint32_t) ra_util_digits_put_int(digits, number);

	ra_model_facts_add(model, ra_util_string(key),
	                   (struct rlog_string){ digits, length, length });
}

void ra_model_facts_free(struct ra_model *model)
{
	for (size_t i = 0; i < model->fact_count; i++) {
		free((void *) model->facts[i].key.bytes);
	}
	free(model->facts);
}
