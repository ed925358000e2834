/* SPDX-License-Identifier: MIT */
/* Draws the fields of NVTX payloads as arguments of events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/timeline/perfetto/out-perfetto.h"
#include "analyzer/payload/payload.h"
#include "analyzer/base/util.h"

/* A key of an open object. The keys of an object must differ, because a reader keeps only one of
 * equal keys. */
struct key {
	uint64_t hash;
	uint32_t depth; /* depth of its object */
	uint32_t times; /* how often the object has had this key so far */
};

struct ra_out_perfetto_payload {
	struct ra_out_perfetto *perfetto; /* borrowed */
	struct ra_payload *decoder;       /* owned */
	struct key *keys;                 /* owned: keys of the objects around the current value */
	size_t key_count;
	size_t key_capacity;
	uint64_t *later; /* owned: hashes of names in later payloads of the same event */
	size_t later_count;
	size_t later_capacity;
	/* number of groups (objects and lists) around the current value that are shown */
	uint32_t depth;
	/* number of groups around the current value, from the outermost hidden one inwards */
	uint32_t hidden;
	uint64_t arrays;         /* bit d: the group at depth d is an array */
	struct ra_util_text key; /* owned: scratch, like `digits` */
	struct ra_util_text hex;
	char digits[32];
};

/* The key used for a payload that is a single value. */
#define WHOLE "payload"

/* At most this many keys of an object are compared. Keys after these may be equal to others. */
#define MAX_COMPARED 256

struct ra_out_perfetto_payload *ra_out_perfetto_payload_create(struct ra_out_perfetto *perfetto)
{
	struct ra_out_perfetto_payload *p = ra_alloc_zeros(1, sizeof(*p));

	p->perfetto = perfetto;
	p->decoder = ra_payload_create(perfetto->model->schemas);
	return p;
}

void ra_out_perfetto_payload_destroy(struct ra_out_perfetto_payload *payload)
{
	ra_payload_destroy(payload->decoder);
	free(payload->keys);
	free(payload->later);
	ra_util_text_free(&payload->key);
	ra_util_text_free(&payload->hex);
	free(payload);
}

/* Counts how often the current object has had a key, this time included. */
static uint32_t count_key(struct ra_out_perfetto_payload *p, uint64_t hash)
{
	for (size_t i = p->key_count, seen = 0;
	     i > 0 && p->keys[i - 1].depth == p->depth && seen < MAX_COMPARED; i--, seen++) {
		if (p->keys[i - 1].hash == hash) {
			return ++p->keys[i - 1].times;
		}
	}
	RA_UTIL_APPEND(p->keys, p->key_count, p->key_capacity, (struct key){ hash, p->depth, 1 });
	return 1;
}

static bool is_in_array(const struct ra_out_perfetto_payload *p)
{
	return p->depth > 0 && p->depth < 64 && (p->arrays >> p->depth & 1) != 0;
}

/* Draws a value under a key that the object does not have yet. */
static void put_argument(struct ra_out_perfetto_payload *p, struct rlog_string name,
                         const struct ra_pen_value *value)
{
	static const struct rlog_string whole = { WHOLE, sizeof(WHOLE) - 1, sizeof(WHOLE) - 1 };
	struct ra_pen *pen = p->perfetto->pen;
	struct ra_pen_text key;
	uint32_t times;

	if (is_in_array(p)) {
		pen->argument(pen, NULL, value);
		return;
	}
	if (name.bytes == NULL) {
		name = whole;
	}
	times = count_key(p, ra_util_string_hash(name.bytes, name.length));
	if (times > 1) {
		ra_util_text_clear(&p->key);
		ra_util_text_put(&p->key, name.bytes, name.length);
		ra_util_text_format(&p->key, "#%" PRIu32, times);
		name.bytes = p->key.bytes;
		name.length = (uint32_t) p->key.length;
	}
	key = ra_pen_bytes(name);
	pen->argument(pen, &key, value);
}

static struct ra_pen_value make_text(const char *bytes, size_t length)
{
	const struct rlog_string text = { bytes, (uint32_t) length, (uint32_t) length };

	return (struct ra_pen_value){ .type = RA_PEN_TEXT, .text = ra_pen_bytes(text) };
}

/* Makes a value of the text in p->digits. @length: the length of that text. */
static struct ra_pen_value make_digits(const struct ra_out_perfetto_payload *p, int length)
{
	return make_text(p->digits, (size_t) length);
}

static struct ra_pen_value make_hex(struct ra_out_perfetto_payload *p,
                                    const struct ra_payload_value *value)
{
	ra_util_text_clear(&p->hex);
	for (size_t i = 0; i < value->length; i++) {
		ra_util_text_format(&p->hex, "%02X", (unsigned char) value->text[i]);
	}
	return make_text(p->hex.bytes, p->hex.length);
}

/* Makes a value to draw. Readers store numbers as int64 or double, so a number that fits neither is
 * written as a text. */
static struct ra_pen_value make_value(struct ra_out_perfetto_payload *p,
                                      const struct ra_payload_value *value)
{
	switch (value->kind) {
	case RA_PAYLOAD_UNSIGNED:
		return value->bits > INT64_MAX
		               ? make_digits(p, snprintf(p->digits, sizeof(p->digits), "%" PRIu64,
		                                         value->bits))
		               : (struct ra_pen_value){ .type = RA_PEN_UINT, .bits = value->bits };
	case RA_PAYLOAD_SIGNED:
		return (struct ra_pen_value){ .type = RA_PEN_INT,
			                      .integer = (int64_t) value->bits };
	case RA_PAYLOAD_REAL:
		return (struct ra_pen_value){ .type = RA_PEN_REAL,
			                      .real = value->real,
			                      .digits = (int) value->digits };
	case RA_PAYLOAD_TEXT:
	case RA_PAYLOAD_WORD:
	case RA_PAYLOAD_DIGITS:
		return make_text(value->text, value->length);
	case RA_PAYLOAD_ADDRESS:
		return make_digits(
			p, snprintf(p->digits, sizeof(p->digits), "0x%" PRIx64, value->bits));
	case RA_PAYLOAD_COLOR:
		return value->bits >> 24 == 0xFF
		               ? make_digits(p, snprintf(p->digits, sizeof(p->digits),
		                                         "#%06" PRIX64, value->bits & 0xFFFFFF))
		               : make_digits(p, snprintf(p->digits, sizeof(p->digits),
		                                         "#%08" PRIX64, value->bits));
	case RA_PAYLOAD_BYTES:
		return make_hex(p, value);
	case RA_PAYLOAD_NULL:
		break;
	}
	return make_text("null", 4);
}

/* True if a later payload of the event has a field with this name. Then only the later field is
 * drawn. */
static bool is_overridden(const struct ra_out_perfetto_payload *p, struct rlog_string name)
{
	uint64_t hash;

	if (p->depth > 0 || p->later_count == 0) {
		return false;
	}
	hash = ra_util_string_hash(name.bytes != NULL ? name.bytes : WHOLE,
	                           name.bytes != NULL ? name.length : strlen(WHOLE));
	for (size_t i = 0; i < p->later_count; i++) {
		if (p->later[i] == hash) {
			return true;
		}
	}
	return false;
}

static void visit_value(void *context, const struct ra_payload_value *value)
{
	struct ra_out_perfetto_payload *p = context;

	if (p->hidden > 0 || value->is_hidden || is_overridden(p, value->name)) {
		return;
	}
	const struct ra_pen_value drawn = make_value(p, value);

	put_argument(p, value->name, &drawn);
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	struct ra_out_perfetto_payload *p = context;

	if (p->hidden > 0 || group->is_hidden || is_overridden(p, group->name)) {
		p->hidden++;
		return;
	}
	const struct ra_pen_value open = { .type = group->is_array ? RA_PEN_LIST : RA_PEN_OBJECT };

	put_argument(p, group->name, &open);
	p->depth++;
	if (p->depth < 64) {
		p->arrays &= ~(UINT64_C(1) << p->depth);
		p->arrays |= (uint64_t) group->is_array << p->depth;
	}
}

static void visit_close(void *context)
{
	struct ra_out_perfetto_payload *p = context;

	if (p->hidden > 0) {
		p->hidden--;
		return;
	}
	const struct ra_pen_value close = { .type = is_in_array(p) ? RA_PEN_END_LIST
		                                                   : RA_PEN_END_OBJECT };

	p->perfetto->pen->argument(p->perfetto->pen, NULL, &close);
	while (p->key_count > 0 && p->keys[p->key_count - 1].depth == p->depth) {
		p->key_count--;
	}
	p->depth--;
}

static void visit_problem(void *context, const char *text)
{
	struct ra_out_perfetto_payload *p = context;
	static const struct rlog_string key = { "problem", 7, 7 };
	const struct ra_pen_value value = make_text(text, strlen(text));

	if (p->hidden == 0) {
		put_argument(p, key, &value);
	}
}

/* Collects names in a first pass over the payloads that came with a range's end. */
static void note_name(struct ra_out_perfetto_payload *p, struct rlog_string name)
{
	if (p->depth == 0 && p->later_count < MAX_COMPARED) {
		RA_UTIL_APPEND(
			p->later, p->later_count, p->later_capacity,
			ra_util_string_hash(name.bytes != NULL ? name.bytes : WHOLE,
		                            name.bytes != NULL ? name.length : strlen(WHOLE)));
	}
}

static void note_value(void *context, const struct ra_payload_value *value)
{
	note_name(context, value->name);
}

static void note_open(void *context, const struct ra_payload_group *group)
{
	struct ra_out_perfetto_payload *p = context;

	note_name(p, group->name);
	p->depth++;
}

static void note_close(void *context)
{
	((struct ra_out_perfetto_payload *) context)->depth--;
}

static void decode(struct ra_out_perfetto_payload *p, const struct ra_data *data, uint16_t domain,
                   const struct ra_payload_visitor *visitor)
{
	const struct ra_model *model = p->perfetto->model;

	p->depth = 0;
	p->hidden = 0;
	(void) ra_payload_decode(p->decoder, model->domains[domain].id,
	                         model->data_bytes + data->from, data->length, visitor);
}

/* Marks as used the keys that out-perfetto-args.c writes. A field with such a name then gets a
 * number. */
static void take_keys(struct ra_out_perfetto_payload *p, uint16_t domain,
                      const struct ra_attr *attr)
{
	static const char *const keys[] = { "domain",     "category", "color",    "open",
		                            "lost_start", "lost_end", "crossing", "failed",
		                            "start_tid",  "end_tid" };
	const bool is_there[] = { domain != 0, attr != NULL && attr->category != 0,
		                  attr != NULL && attr->color != 0 };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (i >= sizeof(is_there) / sizeof(is_there[0]) || is_there[i]) {
			(void) count_key(p, ra_util_string_hash(keys[i], strlen(keys[i])));
		}
	}
}

void ra_out_perfetto_payload_put(struct ra_out_perfetto_payload *payload,
                                 const struct ra_data_list *list, uint32_t owner, uint16_t domain,
                                 const struct ra_attr *attr)
{
	const struct ra_payload_visitor writer = { visit_value, visit_open, visit_close,
		                                   visit_problem, payload };
	const struct ra_payload_visitor noter = { note_value, note_open, note_close, NULL,
		                                  payload };
	size_t count = 0;
	const struct ra_data *rows = ra_model_find_data(list, owner, &count);

	payload->key_count = 0;
	payload->later_count = 0;
	payload->depth = 0;
	if (count > 0) {
		take_keys(payload, domain, attr);
	}
	for (size_t i = 0; i < count; i++) {
		if (rows[i].is_end && !rows[0].is_end) {
			decode(payload, &rows[i], domain, &noter);
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (rows[i].is_end) {
			payload->later_count = 0;
		}
		decode(payload, &rows[i], domain, &writer);
	}
}
