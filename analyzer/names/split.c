/* SPDX-License-Identifier: MIT */
/* Splits names that frameworks make for each call: a table of frameworks, with a small parser for
 * each. */
#include "analyzer/names/split.h"

#include <string.h>

/* A place in a name. */
struct scan {
	struct rlog_string name;
	uint32_t at;
	bool is_cut; /* the name was cut when it was recorded, so its end is not the real end */
};

static struct rlog_string take_part(struct rlog_string name, uint32_t from, uint32_t to)
{
	const struct rlog_string part = { name.bytes + from, to - from, to - from };

	return part;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_at_end(const struct scan *scan)
{
	return scan->at == scan->name.length;
}

/* Skips a text if it is at this place. If the name was cut, its end may have only the first part of
 * the text. */
static bool skip_text(struct scan *scan, const char *text)
{
	const uint32_t length = (uint32_t) strlen(text);
	const uint32_t left = scan->name.length - scan->at;
	const uint32_t same = left < length ? left : length;

	if ((left < length && !scan->is_cut) ||
	    memcmp(scan->name.bytes + scan->at, text, same) != 0) {
		return false;
	}
	scan->at += same;
	return true;
}

static bool skip_number(struct scan *scan)
{
	const uint32_t start = scan->at;

	while (!is_at_end(scan) && is_digit(scan->name.bytes[scan->at])) {
		scan->at++;
	}
	return scan->at > start || (is_at_end(scan) && scan->is_cut);
}

/* Skips brackets with numbers, up to the bracket that closes the first bracket. */
static bool skip_list(struct scan *scan)
{
	uint32_t depth = 0;

	while (!is_at_end(scan)) {
		const char c = scan->name.bytes[scan->at];

		if (c == '[' || c == '(') {
			depth++;
		} else if (depth > 0 && (c == ']' || c == ')')) {
			depth--;
		} else if (depth == 0 || (!is_digit(c) && strchr(", -", c) == NULL) || c == '\0') {
			return false;
		}
		scan->at++;
		if (depth == 0) {
			return true;
		}
	}
	return scan->is_cut;
}

static bool is_all_digits(struct rlog_string value)
{
	const uint32_t sign = value.length > 0 && value.bytes[0] == '-';

	for (uint32_t i = sign; i < value.length; i++) {
		if (!is_digit(value.bytes[i])) {
			return false;
		}
	}
	return value.length > sign;
}

/* True for a number that fits 64 bits and that JSON allows: 007 is not allowed. */
static bool is_number(struct rlog_string value)
{
	return is_all_digits(value) && value.length <= 18 &&
	       (value.length == 1 || (value.bytes[0] != '0' && memcmp(value.bytes, "-0", 2) != 0));
}

/* Return: false if there are too many fields. */
static bool add_field(struct ra_split *split, struct rlog_string key, struct rlog_string value,
                      enum ra_split_use use)
{
	if (split->field_count == RA_SPLIT_FIELDS) {
		return false;
	}
	split->fields[split->field_count++] = (struct ra_split_field){
		.key = key,
		.value = value,
		.use = use,
		.is_number = is_number(value),
	};
	return true;
}

/* Takes one field of emit_nvtx's. Return: false if the text here is not that field. */
static bool take_torch_field(struct scan *scan, struct ra_split *split, const char *key,
                             enum ra_split_use use, bool is_list)
{
	const struct scan start = *scan;
	const uint32_t length = (uint32_t) strlen(key);
	uint32_t value;

	if (!skip_text(scan, ", ") || !skip_text(scan, key) || !skip_text(scan, " = ")) {
		*scan = start;
		return false;
	}
	value = scan->at;
	if (!(is_list ? skip_list(scan) : skip_number(scan))) {
		*scan = start;
		return false;
	}
	if (scan->at > value) {
		(void) add_field(split, take_part(scan->name, start.at + 2, start.at + 2 + length),
		                 take_part(scan->name, value, scan->at), use);
	}
	return true;
}

/* Takes emit_nvtx's fields from this place on. Return: true if they reach to the end. */
static bool take_torch_fields(struct scan *scan, struct ra_split *split)
{
	bool has_some = false;

	split->field_count = 0;
	has_some |= take_torch_field(scan, split, "seq", RA_SPLIT_CALL, false);
	has_some |= take_torch_field(scan, split, "op_id", RA_SPLIT_CALL, false);
	has_some |= take_torch_field(scan, split, "sizes", RA_SPLIT_SHAPE, true);
	if (has_some) {
		take_torch_field(scan, split, "input_op_ids", RA_SPLIT_CALL, true);
	}
	/* At least one field must be known, because the end of a cut name alone is not enough. */
	return has_some && is_at_end(scan) && split->field_count > 0;
}

/* The fields may begin at any comma. If they do not begin at a comma, the text after it is scanned
 * only once, because no field contains a letter with which a key could begin. */
static bool split_torch(struct rlog_string name, struct ra_split *split)
{
	struct scan scan = { .name = name, .is_cut = name.full_length > name.length };
	const char *comma = name.bytes;

	while ((comma = memchr(comma, ',', name.length - (size_t) (comma - name.bytes))) != NULL) {
		const uint32_t at = (uint32_t) (comma - name.bytes);

		scan.at = at;
		if (at > 0 && take_torch_fields(&scan, split)) {
			split->is_operator = true;
			split->has_own_keys = false;
			split->op = take_part(name, 0, at);
			return true;
		}
		comma++;
	}
	return false;
}

/* The length of a key with its =; 0 if there is no key here. */
static uint32_t measure_key(struct rlog_string name, uint32_t at)
{
	const uint32_t start = at;

	while (at < name.length && (is_digit(name.bytes[at]) || name.bytes[at] == '_' ||
	                            (name.bytes[at] >= 'a' && name.bytes[at] <= 'z') ||
	                            (name.bytes[at] >= 'A' && name.bytes[at] <= 'Z'))) {
		at++;
	}
	return at > start && at < name.length && name.bytes[at] == '=' &&
	                       !is_digit(name.bytes[start])
	               ? at - start + 1
	               : 0;
}

/* The end of a value: the comma before the next key, or the end of the name. */
static uint32_t find_value_end(struct rlog_string name, uint32_t at, uint32_t end, uint32_t *key)
{
	for (; at < end; at++) {
		if (name.bytes[at] == ',') {
			*key = measure_key(name, at + 1);
			if (*key > 0) {
				return at;
			}
		}
	}
	*key = 0;
	return end;
}

static bool split_tsl(struct rlog_string name, struct ra_split *split)
{
	const char *hash = memchr(name.bytes, '#', name.length);
	const bool is_cut = name.full_length > name.length;
	const bool is_whole = name.length > 0 && name.bytes[name.length - 1] == '#';
	uint32_t end;
	uint32_t at;
	uint32_t key;

	if (hash == NULL || hash == name.bytes || (!is_whole && !is_cut)) {
		return false;
	}
	at = (uint32_t) (hash - name.bytes) + 1;
	end = name.length - is_whole;
	split->op = take_part(name, 0, at - 1);
	split->is_operator = false;
	split->has_own_keys = true;
	split->field_count = 0;
	key = at < end ? measure_key(name, at) : 0;
	while (key > 0) {
		const uint32_t value = at + key;
		const struct rlog_string key_part = take_part(name, at, value - 1);
		const uint32_t value_end = find_value_end(name, value, end, &key);
		const struct rlog_string part = take_part(name, value, value_end);

		if (!add_field(split, key_part, part,
		               is_all_digits(part) ? RA_SPLIT_CALL : RA_SPLIT_WORD)) {
			return false;
		}
		at = value_end + 1;
	}
	return split->field_count > 0;
}

static bool split_module(struct rlog_string name, struct ra_split *split)
{
	struct scan scan = { .name = name, .is_cut = name.full_length > name.length };
	const char *inputs;
	char quote;
	uint32_t start;

	if (!skip_text(&scan, "{'Module': ") || is_at_end(&scan)) {
		return false;
	}
	quote = name.bytes[scan.at];
	start = ++scan.at;
	while (!is_at_end(&scan) && name.bytes[scan.at] != quote) {
		scan.at += 1 + (name.bytes[scan.at] == '\\' && scan.at + 1 < name.length);
	}
	split->op = take_part(name, start, scan.at);
	split->is_operator = false;
	split->has_own_keys = false;
	split->field_count = 0;
	if ((quote != '\'' && quote != '"') || is_at_end(&scan) || scan.at == start ||
	    (!scan.is_cut && name.bytes[name.length - 1] != '}')) {
		return false;
	}
	inputs = memmem(name.bytes + scan.at, name.length - scan.at, ", 'Inputs': ", 12);
	if (inputs != NULL) {
		scan.at = (uint32_t) (inputs - name.bytes) + 12;
		start = scan.at;
		if (skip_list(&scan)) {
			(void) add_field(split, take_part(name, start - 9, start - 3),
			                 take_part(name, start, scan.at), RA_SPLIT_SHAPE);
		}
	}
	return true;
}

bool ra_split_name(struct rlog_string name, struct ra_split *split)
{
	static bool (*const makers[])(struct rlog_string, struct ra_split *) = {
		split_torch,
		split_tsl,
		split_module,
	};

	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (makers[i](name, split)) {
			return true;
		}
	}
	return false;
}

void ra_split_put_normal(struct ra_util_text *text, const struct ra_split *split)
{
	uint32_t length = split->op.length;
	bool has_words = false;

	for (size_t i = 0; i < split->field_count; i++) {
		has_words |= split->fields[i].use == RA_SPLIT_WORD;
	}
	/* "Step:#id=7#" becomes "Step"; if words stay in the name, so does the colon. */
	if (!has_words && length > 1 && split->op.bytes[length - 1] == ':') {
		length--;
	}
	ra_util_text_put(text, split->op.bytes, length);
	has_words = false;
	for (size_t i = 0; i < split->field_count; i++) {
		const struct ra_split_field *field = &split->fields[i];

		if (field->use == RA_SPLIT_WORD) {
			ra_util_text_put_char(text, has_words ? ',' : '#');
			ra_util_text_put(text, field->key.bytes, field->key.length);
			ra_util_text_put_char(text, '=');
			ra_util_text_put(text, field->value.bytes, field->value.length);
			has_words = true;
		}
	}
	ra_util_text_put(text, "#", has_words);
}

struct rlog_string ra_split_find_shape(const struct ra_split *split)
{
	static const struct rlog_string none = { "", 0, 0 };

	for (size_t i = 0; i < split->field_count; i++) {
		if (split->fields[i].use == RA_SPLIT_SHAPE) {
			return split->fields[i].value;
		}
	}
	return none;
}
