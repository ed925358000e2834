/* SPDX-License-Identifier: MIT */
/* Fields of NVTX payloads as arguments of events in Perfetto JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/base/util-string.h"
#include "analyzer/timeline/out-perfetto.h"
#include "analyzer/payload/payload.h"
#include "analyzer/base/util.h"

/* A key that an object of the JSON has; a reader keeps only one of equal ones. */
struct key {
	uint64_t hash;
	uint32_t depth; /* of its object */
	uint32_t times; /* that it was wanted there */
};

struct ra_out_perfetto_payload {
	struct ra_out_perfetto *perfetto; /* borrowed */
	struct ra_payload *decoder;       /* owned */
	struct key *keys;                 /* owned: of the objects around the value at hand */
	size_t key_count;
	size_t key_capacity;
	uint64_t *later; /* owned: hashes of names that later payloads of the event give */
	size_t later_count;
	size_t later_capacity;
	uint32_t depth;  /* of groups around the value at hand, the shown ones */
	uint32_t hidden; /* of groups around it from a hidden one on */
	uint64_t arrays; /* bit d: the group at depth d is an array */
	bool is_first;
	bool *is_open; /* of the event's arguments */
};

/* The key of a payload that is one value. */
#define WHOLE "payload"

/* Keys of one object beyond this many are not compared. */
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
	free(payload);
}

/* How often the object at hand has had a key, this time included. */
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

/* Writes what stands before a value: a comma, a key that the object does not have yet. */
static void begin_value(struct ra_out_perfetto_payload *p, struct rlog_string name)
{
	static const struct rlog_string whole = { WHOLE, sizeof(WHOLE) - 1, sizeof(WHOLE) - 1 };
	struct ra_outbuf *out = p->perfetto->out;
	uint32_t times;

	if (p->depth == 0) {
		ra_outbuf_text(out, *p->is_open ? "," : ",\"args\":{");
		*p->is_open = true;
	} else if (!p->is_first) {
		ra_outbuf_put(out, ",", 1);
	}
	p->is_first = false;
	if (is_in_array(p)) {
		return;
	}
	if (name.bytes == NULL) {
		name = whole;
	}
	times = count_key(p, ra_util_string_hash(name.bytes, name.length));
	ra_outbuf_put(out, "\"", 1);
	ra_jsonw_put_escaped(out, name.bytes, name.length);
	if (times > 1) {
		ra_outbuf_printf(out, "#%" PRIu32, times);
	}
	ra_outbuf_put(out, "\":", 2);
}

static void put_text(struct ra_outbuf *out, const char *bytes, size_t length)
{
	ra_outbuf_put(out, "\"", 1);
	ra_jsonw_put_escaped(out, bytes, length);
	ra_outbuf_put(out, "\"", 1);
}

static void put_hex(struct ra_outbuf *out, const char *bytes, size_t length)
{
	ra_outbuf_put(out, "\"", 1);
	ra_outbuf_put_hex(out, bytes, length);
	ra_outbuf_put(out, "\"", 1);
}

/* Readers hold numbers as int64 or double: what fits neither is text. */
static void put_value(struct ra_outbuf *out, const struct ra_payload_value *value)
{
	switch (value->kind) {
	case RA_PAYLOAD_UNSIGNED:
		ra_outbuf_printf(out, value->bits > INT64_MAX ? "\"%" PRIu64 "\"" : "%" PRIu64,
		                 value->bits);
		break;
	case RA_PAYLOAD_SIGNED:
		ra_outbuf_put_signed(out, (int64_t) value->bits);
		break;
	case RA_PAYLOAD_REAL:
		ra_outbuf_printf(out, isfinite(value->real) ? "%.*g" : "\"%.*g\"",
		                 (int) value->digits, value->real);
		break;
	case RA_PAYLOAD_TEXT:
	case RA_PAYLOAD_WORD:
	case RA_PAYLOAD_DIGITS:
		put_text(out, value->text, value->length);
		break;
	case RA_PAYLOAD_ADDRESS:
		ra_outbuf_printf(out, "\"0x%" PRIx64 "\"", value->bits);
		break;
	case RA_PAYLOAD_COLOR:
		ra_outbuf_printf(out,
		                 value->bits >> 24 == 0xFF ? "\"#%06" PRIX64 "\""
		                                           : "\"#%08" PRIX64 "\"",
		                 value->bits >> 24 == 0xFF ? value->bits & 0xFFFFFF : value->bits);
		break;
	case RA_PAYLOAD_BYTES:
		put_hex(out, value->text, value->length);
		break;
	case RA_PAYLOAD_NULL:
		ra_outbuf_text(out, "\"null\"");
		break;
	}
}

/* What a later payload says again of the event is left to that. */
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
	begin_value(p, value->name);
	put_value(p->perfetto->out, value);
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	struct ra_out_perfetto_payload *p = context;

	if (p->hidden > 0 || group->is_hidden || is_overridden(p, group->name)) {
		p->hidden++;
		return;
	}
	begin_value(p, group->name);
	ra_outbuf_text(p->perfetto->out, group->is_array ? "[" : "{");
	p->depth++;
	p->is_first = true;
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
	ra_outbuf_text(p->perfetto->out, is_in_array(p) ? "]" : "}");
	while (p->key_count > 0 && p->keys[p->key_count - 1].depth == p->depth) {
		p->key_count--;
	}
	p->depth--;
	p->is_first = false;
}

static void visit_problem(void *context, const char *text)
{
	struct ra_out_perfetto_payload *p = context;
	static const struct rlog_string key = { "problem", 7, 7 };
	static const struct rlog_string none = { NULL, 0, 0 };

	if (p->hidden == 0) {
		begin_value(p, is_in_array(p) ? none : key);
		put_text(p->perfetto->out, text, strlen(text));
	}
}

/* The first pass over what the end of a range brings: only names. */
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

/* Keys that out-perfetto-args.c has written or will: a field of that name is numbered. */
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
                                 const struct ra_attr *attr, bool *is_open)
{
	const struct ra_payload_visitor writer = { visit_value, visit_open, visit_close,
		                                   visit_problem, payload };
	const struct ra_payload_visitor noter = { note_value, note_open, note_close, NULL,
		                                  payload };
	size_t count = 0;
	const struct ra_data *rows = ra_model_find_data(list, owner, &count);

	payload->is_open = is_open;
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
