/* SPDX-License-Identifier: MIT */
/* Draws the fields in names that differ from call to call as arguments, with the keys of PyTorch's
 * own traces. */
#include "analyzer/timeline/perfetto/out-perfetto.h"

/* Lists that nest deeper than this are written as texts, because readers of JSON recurse into
 * lists. Lists of the sizes of tensors are less deep. */
#define MAX_LIST_DEPTH 4

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Skips an integer in JSON's form. Return: the place after it; `at`: there is none. */
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

/* True if the text is a list of integers and lists, and valid JSON. */
static bool is_json_list(struct rlog_string text)
{
	bool wants_value = true; /* a value comes next; false: a comma, or the end of a list */
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

static struct ra_pen_value make_value(const struct ra_split_field *field)
{
	const bool is_json =
		field->is_number || (field->use == RA_SPLIT_SHAPE && is_json_list(field->value));

	return (struct ra_pen_value){ .type = is_json ? RA_PEN_JSON : RA_PEN_TEXT,
		                      .text = ra_pen_bytes(field->value) };
}

/* The key that PyTorch's traces have for the field. */
static struct ra_pen_text make_key(const struct ra_split_field *field)
{
	if (field->use == RA_SPLIT_SHAPE) {
		return ra_pen_words("Input Dims");
	}
	if (field->key.length == 3 && memcmp(field->key.bytes, "seq", 3) == 0) {
		return ra_pen_words("Sequence number");
	}
	return ra_pen_bytes(field->key);
}

/* True if an earlier field has the same key. An object may have a key only once, so the first field
 * is drawn. */
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

/* Draws the fields. In TSL's names the program chooses the keys. So these fields are drawn in an
 * object of their own, in which they can't replace one of our keys. */
static void put_fields(struct ra_pen *pen, const struct ra_split *split)
{
	struct ra_pen_value value = { .type = RA_PEN_OBJECT };

	ra_pen_put_text(pen, "op", ra_pen_bytes(split->op));
	if (split->has_own_keys) {
		ra_pen_put(pen, "fields", &value);
	}
	for (size_t i = 0; i < split->field_count; i++) {
		if (!is_repeated(split, i)) {
			const struct ra_pen_text key = make_key(&split->fields[i]);

			value = make_value(&split->fields[i]);
			pen->argument(pen, &key, &value);
		}
	}
	if (split->has_own_keys) {
		value.type = RA_PEN_END_OBJECT;
		pen->argument(pen, NULL, &value);
	}
}

void ra_out_perfetto_fields_put(struct ra_out_perfetto *perfetto, uint32_t name)
{
	struct ra_pen *pen = perfetto->pen;

	if (ra_out_perfetto_is(perfetto, name, RA_OUT_PERFETTO_FIELDS) &&
	    !pen->again(pen, (uint64_t) name << 1 | 1)) {
		(void) ra_split_name(perfetto->model->strings[name], &perfetto->split);
		put_fields(pen, &perfetto->split);
		pen->kept(pen);
	}
}
