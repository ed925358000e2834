/* SPDX-License-Identifier: MIT */
/* The fields of names that were made for each call, as arguments in Perfetto JSON: made once per
 * name, under the names that PyTorch's own traces have for them. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/timeline/out-perfetto.h"
#include "analyzer/names/split.h"
#include "analyzer/base/util-text.h"

/* The deepest list that is written as one: of lists of tensors' sizes. Deeper ones are texts, since
 * readers of JSON go into each by recursion. */
#define MAX_LIST_DEPTH 4

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Passes over an integer as JSON writes it. Return: the place behind it, `at` if there is none. */
static uint32_t skip_integer(struct rlog_string text, uint32_t at)
{
	const uint32_t start = at;
	uint32_t first;

	at += at < text.length && text.bytes[at] == '-';
	first = at;
	while (at < text.length && is_digit(text.bytes[at])) {
		at++;
	}
	return at == first || at - first > 18 || (text.bytes[first] == '0' && at - first > 1)
	               ? start
	               : at;
}

/* Is it a list of integers and lists that JSON takes as it stands? */
static bool is_json_list(struct rlog_string text)
{
	bool wants_value = true; /* else a comma or the end of a list */
	bool may_close = false;
	int depth = 0;
	uint32_t at = 0;

	while (at < text.length) {
		const char c = text.bytes[at];

		if (c == ' ') {
			at++;
		} else if (c == '[' && wants_value && depth < MAX_LIST_DEPTH) {
			depth++;
			at++;
			may_close = true;
		} else if (c == ']' && depth > 0 && (may_close || !wants_value)) {
			depth--;
			at++;
			wants_value = false;
			if (depth == 0) {
				return at == text.length;
			}
		} else if (c == ',' && !wants_value) {
			at++;
			wants_value = true;
			may_close = false;
		} else {
			const uint32_t end = skip_integer(text, at);

			if (end == at || !wants_value || depth == 0) {
				return false;
			}
			at = end;
			wants_value = false;
		}
	}
	return false;
}

static void put_string(struct ra_util_text *text, struct rlog_string string)
{
	ra_util_text_put_char(text, '"');
	ra_util_text_put_name(text, string, RA_TEXT_JSON);
	ra_util_text_put_char(text, '"');
}

static void put_value(struct ra_util_text *text, const struct ra_split_field *field)
{
	if (field->is_number || (field->use == RA_SPLIT_SHAPE && is_json_list(field->value))) {
		ra_util_text_put(text, field->value.bytes, field->value.length);
	} else {
		put_string(text, field->value);
	}
}

/* What PyTorch's traces call it. */
static struct rlog_string find_key(const struct ra_split_field *field)
{
	static const struct rlog_string sequence = { "Sequence number", 15, 15 };
	static const struct rlog_string shapes = { "Input Dims", 10, 10 };

	if (field->use == RA_SPLIT_SHAPE) {
		return shapes;
	}
	if (field->key.length == 3 && memcmp(field->key.bytes, "seq", 3) == 0) {
		return sequence;
	}
	return field->key;
}

/* An object has each key once: the first one counts. */
static bool is_repeated(const struct ra_split *split, size_t which)
{
	const struct rlog_string key = split->fields[which].key;

	for (size_t i = 0; i < which; i++) {
		const struct rlog_string other = split->fields[i].key;

		if (other.length == key.length && memcmp(other.bytes, key.bytes, key.length) == 0) {
			return true;
		}
	}
	return false;
}

/* Keys of TSL are the program's: they stand in an object of their own, so that none is taken for
 * one of ours. */
static void put_fields(struct ra_util_text *text, const struct ra_split *split)
{
	const char *separator = ",";

	ra_util_text_format(text, "\"op\":");
	put_string(text, split->op);
	if (split->has_own_keys) {
		ra_util_text_format(text, ",\"fields\":");
		separator = "{";
	}
	for (size_t i = 0; i < split->field_count; i++) {
		if (is_repeated(split, i)) {
			continue;
		}
		ra_util_text_format(text, "%s", separator);
		put_string(text, find_key(&split->fields[i]));
		ra_util_text_put_char(text, ':');
		put_value(text, &split->fields[i]);
		separator = ",";
	}
	ra_util_text_put(text, "}", split->has_own_keys);
}

/* Bytes of an operator's name, 0: it is none. emit_nvtx() adds nothing to the names of
 * operators that need no gradient. @split: NULL: the name has no fields. */
static uint32_t measure_operator(struct ra_util_text *scratch, struct rlog_string name,
                                 const struct ra_split *split)
{
	if (split != NULL ? !split->is_operator
	                  : name.length <= 6 || memcmp(name.bytes, "aten::", 6) != 0) {
		return 0;
	}
	scratch->length = 0;
	ra_util_text_put_name(scratch, split != NULL ? split->op : name, RA_TEXT_JSON);
	return (uint32_t) scratch->length;
}

void ra_out_perfetto_fields_init(struct ra_out_perfetto_names *fields, uint32_t **operators,
                                 const struct ra_model *model)
{
	struct ra_util_text text = { 0 };
	struct ra_util_text scratch = { 0 };
	uint32_t *lengths = ra_alloc_zeros(model->string_count + 1, sizeof(*lengths));
	bool has_fields = false;
	bool has_operators = false;
	struct ra_split split;

	*fields = (struct ra_out_perfetto_names){ .count = model->string_count };
	fields->ends = ra_alloc_zeros(fields->count + 2, sizeof(*fields->ends));
	for (size_t i = 0; i <= fields->count; i++) {
		if (i > 0 && i < fields->count && model->strings[i].bytes != NULL) {
			const bool is_split = ra_split_name(model->strings[i], &split);

			lengths[i] = measure_operator(&scratch, model->strings[i],
			                              is_split ? &split : NULL);
			has_operators |= lengths[i] != 0;
			if (is_split) {
				put_fields(&text, &split);
				has_fields = true;
			}
		}
		fields->ends[i + 1] = text.length;
	}
	ra_util_text_free(&scratch);
	if (!has_operators) {
		free(lengths);
		lengths = NULL;
	}
	*operators = lengths;
	fields->bytes = text.bytes;
	if (!has_fields) {
		ra_out_perfetto_names_fini(fields);
	}
}
