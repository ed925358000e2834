/* SPDX-License-Identifier: MIT */
/* Looks things up in the events of a Chrome trace, and frees the events. */
#include "analyzer/rows/kineto.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/rows/kineto-details.h"
#include "analyzer/rows/kineto-number.h"
#include "analyzer/rows/kineto-store.h"

void ra_kineto_destroy(struct ra_kineto *kineto)
{
	if (kineto == NULL) {
		return;
	}
	free(kineto->short_ts_ns);
	free(kineto->short_dur_ns);
	free(kineto->name);
	free(kineto->corr);
	free(kineto->external);
	free(kineto->common);
	free(kineto->kind);
	free(kineto->flags);
	free(kineto->packed_at);
	free(kineto->strings);
	free(kineto->threads);
	free(kineto->categories);
	free(kineto->commons);
	free(kineto->facts);
	free(kineto->devices);
	free(kineto->details);
	free(kineto->slice_event);
	free(kineto->op_event);
	free(kineto->api_event);
	free(kineto->sync_event);
	free(kineto->layouts);
	free(kineto->layout_keys);
	free(kineto->layout_places);
	free(kineto->packed);
	free(kineto->packed_base);
	free(kineto->ts_base);
	ra_kineto_wide_fini(&kineto->long_durs);
	ra_kineto_wide_fini(&kineto->far_packed);
	ra_kineto_wide_fini(&kineto->far_ts);
	ra_kineto_wide_fini(&kineto->far_commons);
	free(kineto->stop);
	if (kineto->captured != NULL) {
		free(kineto->captured->parents);
		free(kineto->captured->slices);
		free(kineto->captured->leaves);
		free(kineto->captured->notes);
		free(kineto->captured);
	}
	for (void *block = kineto->arena; block != NULL;) {
		void *next;

		/* a block begins with the address of the next one */
		memcpy(&next, block, sizeof(next));
		free(block);
		block = next;
	}
	free(kineto);
}

struct rlog_string ra_kineto_string(const struct ra_kineto *kineto, uint32_t id)
{
	return kineto->strings[id < kineto->string_count ? id : 0];
}

bool ra_kineto_is_text(const struct ra_kineto *kineto, uint32_t id, const char *text)
{
	const struct rlog_string string = ra_kineto_string(kineto, id);

	return string.length == strlen(text) && memcmp(string.bytes, text, string.length) == 0;
}

static uint64_t take_varint(const uint8_t **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		const uint8_t byte = *(*at)++;

		value |= (uint64_t) (byte & 0x7F) << shift;
		if (byte < 0x80) {
			return value;
		}
	}
}

static int64_t undo_zigzag(uint64_t value)
{
	return (int64_t) (value >> 1) ^ -(int64_t) (value & 1);
}

/* Reads a number that is stored as text. It has too many digits to be packed, but may still be an
 * integer of 64 bits. */
static void take_number(const struct ra_kineto *kineto, uint32_t id, struct ra_kineto_value *value)
{
	char text[32];
	char *end;

	value->type = RA_KINETO_NUMBER;
	value->text = ra_kineto_string(kineto, id);
	if (value->text.length > 20 || memchr(value->text.bytes, '.', value->text.length) != NULL ||
	    memchr(value->text.bytes, 'e', value->text.length) != NULL ||
	    memchr(value->text.bytes, 'E', value->text.length) != NULL) {
		return;
	}
	memcpy(text, value->text.bytes, value->text.length);
	text[value->text.length] = '\0';
	errno = 0; /* strtoll() sets it if the number is out of range */
	const long long integer = strtoll(text, &end, 10);

	if (*end == '\0' && errno == 0) {
		value->type = RA_KINETO_INT;
		value->integer = integer;
	}
}

static void take_value(const struct ra_kineto *kineto, uint32_t event, const uint8_t **at,
                       struct ra_kineto_value *value)
{
	static const enum ra_kineto_type words[] = { RA_KINETO_NULL, RA_KINETO_FALSE,
		                                     RA_KINETO_TRUE };
	const uint64_t head = take_varint(at);
	const uint64_t payload = head >> 3;

	value->integer = 0;
	value->text = (struct rlog_string){ "", 0, 0 };
	switch ((enum ra_kineto_tag)(head & 7)) {
	case RA_KINETO_TAG_INT:
		value->type = RA_KINETO_INT;
		value->integer = undo_zigzag(payload);
		break;
	case RA_KINETO_TAG_STRING:
	case RA_KINETO_TAG_JSON:
		value->type = (head & 7) == RA_KINETO_TAG_JSON ? RA_KINETO_JSON : RA_KINETO_STRING;
		value->integer = (int64_t) payload;
		value->text = ra_kineto_string(kineto, (uint32_t) payload);
		break;
	case RA_KINETO_TAG_DECIMAL:
		value->type = RA_KINETO_NUMBER;
		value->text.bytes = value->digits;
		value->text.length = (uint32_t) ra_kineto_number_print(
			value->digits, undo_zigzag(take_varint(at)), (uint32_t) payload);
		value->text.full_length = value->text.length;
		break;
	case RA_KINETO_TAG_NUMBER:
		take_number(kineto, (uint32_t) payload, value);
		break;
	case RA_KINETO_TAG_WORD:
		value->type = words[payload % 3];
		break;
	case RA_KINETO_TAG_COLUMN:
		value->type = RA_KINETO_INT;
		value->integer = payload == 0 ? kineto->corr[event] : kineto->external[event];
		break;
	}
}

static const uint8_t *skip_varint(const uint8_t *at)
{
	while (*at++ >= 0x80) {
	}
	return at;
}

/* Skips a packed value. Its tag is in the first byte. */
static const uint8_t *skip_value(const uint8_t *at)
{
	const bool has_digits = (*at & 7) == RA_KINETO_TAG_DECIMAL;

	at = skip_varint(at);
	return has_digits ? skip_varint(at) : at;
}

static const uint8_t *find_packed(const struct ra_kineto *kineto, uint32_t event)
{
	const uint16_t at = kineto->packed_at[event];

	return kineto->packed + (at == UINT16_MAX
	                                 ? (uint64_t) ra_kineto_wide_get(&kineto->far_packed, event)
	                                 : kineto->packed_base[event >> RA_KINETO_BLOCK_BITS] + at);
}

void ra_kineto_rest_init(struct ra_kineto_rest *rest, const struct ra_kineto *kineto,
                         uint32_t event)
{
	const struct ra_kineto_layout *layout;

	rest->at = find_packed(kineto, event);
	layout = &kineto->layouts[take_varint(&rest->at)];
	rest->keys = kineto->layout_keys + layout->first;
	rest->left = layout->count;
	rest->event = event;
}

bool ra_kineto_rest_next(struct ra_kineto_rest *rest, const struct ra_kineto *kineto)
{
	if (rest->left == 0) {
		return false;
	}
	rest->left--;
	rest->key = *rest->keys >> 1;
	rest->is_arg = (*rest->keys++ & 1) != 0;
	take_value(kineto, rest->event, &rest->at, &rest->value);
	return true;
}

/* A look-up is for the number key << 1 | is_arg. Numbers below this have a place in the index. */
#define WANTED ((size_t) RA_KINETO_KEY_COUNT * 2)

/* Most entries of the index. A trace has dozens of layouts with dozens of keys. */
#define INDEXED_LAYOUTS 1024
#define INDEXED_KEYS    UINT8_MAX

int ra_kineto_compare_nested(const void *kineto, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = kineto;
	int order = RA_ORDER(ra_kineto_get_thread(k, left), ra_kineto_get_thread(k, right));

	order = RA_ORDER_THEN(order, RA_ORDER(ra_kineto_ts(k, left), ra_kineto_ts(k, right)));
	order = RA_ORDER_THEN(order, RA_ORDER(ra_kineto_dur(k, right), ra_kineto_dur(k, left)));
	return RA_ORDER_THEN(order, RA_ORDER(left, right));
}

void ra_kineto_index(struct ra_kineto *kineto)
{
	size_t count = 0;

	while (count < kineto->layout_count && count < INDEXED_LAYOUTS &&
	       kineto->layouts[count].count <= INDEXED_KEYS) {
		count++;
	}
	kineto->layout_places = ra_alloc_zeros(count + 1, WANTED);
	for (size_t l = 0; l < count; l++) {
		const struct ra_kineto_layout *layout = &kineto->layouts[l];

		/* of equal keys, the last one is stored */
		for (uint32_t i = 0; i < layout->count; i++) {
			const uint32_t key = kineto->layout_keys[layout->first + i];

			if (key < WANTED) {
				kineto->layout_places[l * WANTED + key] = (uint8_t) (i + 1);
			}
		}
	}
	kineto->layout_indexed = count;
}

/* Return: 1 + index of a key in a layout; 0: the layout lacks the key. */
static uint32_t search_layout(const struct ra_kineto *kineto, uint64_t layout, uint32_t wanted)
{
	const uint32_t *keys = kineto->layout_keys + kineto->layouts[layout].first;
	uint32_t i;

	if (layout < kineto->layout_indexed && wanted < WANTED) {
		return kineto->layout_places[layout * WANTED + wanted];
	}
	for (i = kineto->layouts[layout].count; i > 0 && keys[i - 1] != wanted; i--) {
	}
	return i;
}

/*
 * Finds a value among an event's packed ones. @wanted: string id << 1 | is_arg.
 *
 * Return: where the value begins; NULL: the event has no such value.
 */
static const uint8_t *find_place(const struct ra_kineto *kineto, uint32_t event, uint32_t wanted)
{
	const uint8_t *at;
	uint32_t place;

	if (event == RA_KINETO_NONE) {
		return NULL;
	}
	at = find_packed(kineto, event);
	place = search_layout(kineto, take_varint(&at), wanted);
	if (place == 0) {
		return NULL;
	}
	for (; place > 1; place--) {
		at = skip_value(at);
	}
	return at;
}

static bool find_value(const struct ra_kineto *kineto, uint32_t event, uint32_t wanted,
                       struct ra_kineto_value *value)
{
	const uint8_t *at = find_place(kineto, event, wanted);

	value->type = RA_KINETO_ABSENT;
	if (at == NULL) {
		return (wanted & 1) != 0 &&
		       ra_kineto_details_find(kineto, event, (enum ra_kineto_key)(wanted >> 1),
		                              value);
	}
	take_value(kineto, event, &at, value);
	return true;
}

bool ra_kineto_get(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                   struct ra_kineto_value *value)
{
	return find_value(kineto, event, (uint32_t) key << 1 | 1, value);
}

bool ra_kineto_get_field(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                         struct ra_kineto_value *value)
{
	return find_value(kineto, event, (uint32_t) key << 1, value);
}

bool ra_kineto_get_int(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                       int64_t *integer)
{
	const uint32_t wanted = (uint32_t) key << 1 | 1;
	const uint8_t *at = find_place(kineto, event, wanted);
	struct ra_kineto_value value;
	uint64_t head;

	if (at == NULL) {
		if (!ra_kineto_details_find(kineto, event, key, &value)) {
			return false;
		}
	} else if ((*at & 7) == RA_KINETO_TAG_INT) { /* this is the most frequent tag */
		head = take_varint(&at);
		*integer = undo_zigzag(head >> 3);
		return true;
	} else {
		take_value(kineto, event, &at, &value);
	}
	if (value.type != RA_KINETO_INT) {
		return false;
	}
	*integer = value.integer;
	return true;
}

static bool read_real(const struct rlog_string text, double *real)
{
	char copy[512];
	char *end;

	if (text.length == 0 || text.length >= sizeof(copy)) {
		return false;
	}
	memcpy(copy, text.bytes, text.length);
	copy[text.length] = '\0';
	const double number = strtod(copy, &end); /* strtod() also accepts nan, inf and infinity */

	if (*end != '\0') {
		return false;
	}
	*real = number;
	return true;
}

/* Divides the digits by the power of ten, if both are exact doubles: then the result is rounded
 * only once. Return: false if they are not. */
static bool divide_exactly(const uint8_t *at, double *real)
{
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
		                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
		                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	const int64_t limit = INT64_C(1) << 53;
	const uint64_t head = take_varint(&at);
	int64_t digits;

	if ((head & 7) != RA_KINETO_TAG_DECIMAL ||
	    head >> 3 >= sizeof(powers) / sizeof(powers[0])) {
		return false;
	}
	digits = undo_zigzag(take_varint(&at));
	if (digits >= limit || digits <= -limit) {
		return false;
	}
	*real = (double) digits / powers[head >> 3];
	return true;
}

bool ra_kineto_get_real(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                        double *real)
{
	const uint8_t *at = find_place(kineto, event, (uint32_t) key << 1 | 1);
	struct ra_kineto_value value;

	if (at != NULL && divide_exactly(at, real)) {
		return true;
	}
	if (!ra_kineto_get(kineto, event, key, &value)) {
		return false;
	}
	if (value.type == RA_KINETO_INT) {
		*real = (double) value.integer;
		return true;
	}
	return value.type == RA_KINETO_NUMBER && read_real(value.text, real);
}

uint32_t ra_kineto_get_text(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key)
{
	struct ra_kineto_value value;

	if (!ra_kineto_get(kineto, event, key, &value) ||
	    (value.type != RA_KINETO_STRING && value.type != RA_KINETO_JSON)) {
		return 0;
	}
	return (uint32_t) value.integer;
}

uint32_t ra_kineto_get_shape(const struct ra_kineto *kineto, uint32_t event)
{
	const uint32_t id = ra_kineto_get_text(kineto, event, RA_KINETO_ARG_INPUT_DIMS);

	return id != 0 ? id : ra_kineto_get_text(kineto, event, RA_KINETO_ARG_INPUT_DIMS_OLD);
}

char *ra_kineto_list_text(struct rlog_string json)
{
	char *text = ra_alloc_bytes((size_t) json.length * 2 + 1);
	size_t length = 0;

	for (uint32_t i = 0; i < json.length; i++) {
		text[length++] = json.bytes[i];
		if (json.bytes[i] == ',') {
			text[length++] = ' ';
		}
	}
	text[length] = '\0';
	return text;
}

bool ra_kineto_read_dim3(struct rlog_string json, int64_t out[3])
{
	const char *at;
	const char *end;

	memset(out, 0, 3 * sizeof(*out));
	at = json.bytes + 1; /* the place after the bracket */
	end = json.bytes + json.length;
	for (int i = 0; i < 3 && at < end; i++) {
		const char *comma = memchr(at, ',', (size_t) (end - at));
		const char *stop = comma != NULL ? comma : end - 1;
		struct ra_kineto_number number;

		if (!ra_kineto_number_parse(at, (size_t) (stop - at), &number) ||
		    number.scale != 0) {
			return i > 0;
		}
		out[i] = number.digits;
		at = stop + 1;
	}
	return true;
}

const char *ra_kineto_kind_name(enum ra_kineto_kind kind)
{
	static const char *const names[RA_KINETO_KINDS] = {
		"other",
		"cpu_op",
		"user_annotation",
		"gpu_user_annotation",
		"python_function",
		"runtime",
		"driver",
		"kernel",
		"memcpy",
		"memset",
		"sync",
		"overhead",
		"trace",
		"profiler_range",
		"memory",
		"instant",
		"counter",
		"begin",
		"end",
		"flow_start",
		"flow_step",
		"flow_end",
		"async_begin",
		"async_step",
		"async_end",
		"metadata",
		"unknown",
	};

	return kind < RA_KINETO_KINDS ? names[kind] : "unknown";
}
