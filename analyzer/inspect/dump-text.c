/* SPDX-License-Identifier: MIT */
/* Writes the lines of `analyzer dump`: a word for the kind of line, then key=value pairs. */
#include "analyzer/inspect/dump-text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-code.h"
#include "analyzer/model/calls.h"
#include "analyzer/inspect/dump-data.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/model/names.h"
#include "format/columns/attr.h"
#include "format/wire.h"

struct ra_dump_text {
	const struct rlog_reader *reader;
	struct ra_outbuf *out;
	const struct rlog_string *strings;
	size_t string_count;
	struct ra_dump_data *data;    /* owned */
	const struct ra_defs *knowns; /* borrowed from `data` */
};

/* Finds the string id in a definition; 0: there is none. */
static uint32_t find_known(const struct ra_dump_text *text, uint32_t kind, uint64_t parent,
                           uint64_t id)
{
	const struct rlog_def *def = ra_defs_find(text->knowns, kind, parent, id);

	return def != NULL ? def->string : 0;
}

struct ra_dump_text *ra_dump_text_create(const struct rlog_reader *reader, struct ra_outbuf *out)
{
	struct ra_dump_text *text = ra_alloc_zeros(1, sizeof(*text));

	text->reader = reader;
	text->out = out;
	text->strings = rlog_reader_borrow_strings(reader, &text->string_count);
	text->data = ra_dump_data_create(reader, out);
	text->knowns = ra_dump_data_borrow_defs(text->data);
	return text;
}

void ra_dump_text_destroy(struct ra_dump_text *text)
{
	ra_dump_data_destroy(text->data);
	free(text);
}

static void quote_ascii(struct ra_outbuf *out, char byte)
{
	static const char letters[] = "\"\"\\\\\nn\tt\rr";

	for (size_t i = 0; i + 1 < sizeof(letters); i += 2) {
		if (byte == letters[i]) {
			ra_outbuf_put(out, "\\", 1);
			ra_outbuf_put(out, &letters[i + 1], 1);
			return;
		}
	}
	if (byte >= 0x20 && byte < 0x7F) {
		ra_outbuf_put(out, &byte, 1);
	} else {
		ra_outbuf_printf(out, "\\x%02x", (unsigned) (unsigned char) byte);
	}
}

void ra_dump_text_quote(struct ra_outbuf *out, const char *bytes, size_t count)
{
	ra_outbuf_put(out, "\"", 1);
	for (size_t i = 0; i < count;) {
		size_t bad = 0;
		const size_t length = ra_util_json_utf8_length(bytes + i, count - i, &bad);
		const uint32_t code = length > 0 ? ra_util_code_read(bytes + i, length) : 0;

		if (length == 1) {
			quote_ascii(out, bytes[i]);
		} else if (length == 0) {
			for (size_t k = 0; k < bad; k++) {
				quote_ascii(out, bytes[i + k]);
			}
		} else if (code <= 0xFFFF && ra_util_code_is_control(code)) {
			ra_outbuf_printf(out, "\\u%04" PRIx32, code);
		} else {
			ra_outbuf_put(out, bytes + i, length);
		}
		i += length > 0 ? length : bad;
	}
	ra_outbuf_put(out, "\"", 1);
}

static void put_key(struct ra_outbuf *out, const char *key)
{
	ra_outbuf_put(out, " ", 1);
	ra_outbuf_text(out, key);
	ra_outbuf_put(out, "=", 1);
}

static void put_number(struct ra_outbuf *out, const char *key, uint64_t value)
{
	put_key(out, key);
	ra_outbuf_put_decimal(out, value);
}

/* Writes a name, or #ID if the log has lost it. */
static void put_string(const struct ra_dump_text *text, const char *key, uint32_t id)
{
	put_key(text->out, key);
	if (id < text->string_count && text->strings[id].bytes != NULL) {
		ra_dump_text_quote(text->out, text->strings[id].bytes, text->strings[id].length);
	} else {
		ra_outbuf_put(text->out, "#", 1);
		ra_outbuf_put_decimal(text->out, id);
	}
}

/* Writes the word for a number, or the number. */
static void put_word(struct ra_outbuf *out, const char *key, const char *word, uint64_t number)
{
	put_key(out, key);
	if (word != NULL) {
		ra_outbuf_text(out, word);
	} else {
		ra_outbuf_put_decimal(out, number);
	}
}

static void put_payload(struct ra_outbuf *out, uint32_t type, uint64_t bits)
{
	const char *word = ra_names_payload(type);
	double real = 0.0;

	if (word != NULL) {
		ra_outbuf_printf(out, " payload=%s:", word);
	} else {
		ra_outbuf_printf(out, " payload=%" PRIu32 ":", type);
	}
	switch (type) {
	case RLOG_PAYLOAD_I64:
	case RLOG_PAYLOAD_I32:
		ra_outbuf_put_signed(out, (int64_t) bits);
		break;
	case RLOG_PAYLOAD_DOUBLE:
	case RLOG_PAYLOAD_FLOAT:
		memcpy(&real, &bits, sizeof(real));
		ra_outbuf_printf(out, "%.*g", type == RLOG_PAYLOAD_DOUBLE ? 17 : 9, real);
		break;
	default:
		ra_outbuf_put_decimal(out, bits);
	}
}

static void put_domain(const struct ra_dump_text *text, uint32_t domain)
{
	const uint32_t name = find_known(text, RLOG_DEF_DOMAIN, 0, domain);

	if (name != 0) {
		put_string(text, "domain", name);
	} else if (domain != 0) {
		put_number(text->out, "domain", domain);
	}
}

static void put_attributes(const struct ra_dump_text *text, const struct ra_dump_events_row *row)
{
	const uint64_t category = row->attr[RLOG_ATTR_CATEGORY];
	const uint64_t type = row->attr[RLOG_ATTR_PTYPE];

	if (category != 0) {
		const uint32_t name = find_known(text, RLOG_DEF_CATEGORY, row->domain, category);

		if (name != 0) {
			put_string(text, "category", name);
		} else {
			put_number(text->out, "category", category);
		}
	}
	if (row->attr[RLOG_ATTR_COLOR] != 0) {
		ra_outbuf_printf(text->out, " color=#%08" PRIX64, row->attr[RLOG_ATTR_COLOR]);
	}
	if (type != RLOG_PAYLOAD_NONE) {
		put_payload(text->out, (uint32_t) type, row->attr[RLOG_ATTR_PAYLOAD]);
	}
	if (row->attr[RLOG_ATTR_LOST] != 0 || row->op == RLOG_OP_LOSS) {
		put_number(text->out, "lost", row->attr[RLOG_ATTR_LOST]);
		put_word(text->out, "cause", ra_names_cause((uint32_t) row->attr[RLOG_ATTR_CAUSE]),
		         row->attr[RLOG_ATTR_CAUSE]);
		put_number(text->out, "span", row->attr[RLOG_ATTR_SPAN]);
	}
	if (row->op == RLOG_OP_BEGUN) {
		put_number(text->out, "span", row->attr[RLOG_ATTR_SPAN]);
	}
	if (row->attr[RLOG_ATTR_DEPTH] != 0 || row->op == RLOG_OP_DEPTH) {
		put_number(text->out, "depth", row->attr[RLOG_ATTR_DEPTH]);
		put_number(text->out, "min_depth", row->attr[RLOG_ATTR_MIN_DEPTH]);
	}
	for (enum rlog_attr attr = RLOG_ATTR_DUR; attr < RLOG_ATTRS; attr++) {
		if (row->attr[attr] != 0) {
			put_number(text->out, rlog_attr_name(attr), row->attr[attr]);
		}
	}
}

void ra_dump_text_event(struct ra_dump_text *text, const struct ra_dump_events_row *row)
{
	const char *op = ra_names_op(row->op);
	struct ra_outbuf *out = text->out;
	char *place = ra_outbuf_reserve(out, 4 * RA_DECIMAL_BYTES + 16);

	place = ra_outbuf_copy(place, "event ", 6);
	place = ra_outbuf_decimal(place, row->stream);
	*place++ = ' ';
	place = ra_outbuf_decimal(place, row->ordinal);
	*place++ = ' ';
	place = ra_outbuf_decimal(place, row->ticks);
	*place++ = ' ';
	if (op == NULL) {
		place = ra_outbuf_copy(place, "op", 2);
		place = ra_outbuf_decimal(place, row->op);
	}
	ra_outbuf_commit(out, place);
	if (op != NULL) {
		ra_outbuf_text(out, op);
	}
	if (row->name != 0) {
		put_string(text, "name", row->name);
	}
	if (row->domain != 0) {
		put_domain(text, row->domain);
	}
	if (row->op == RLOG_OP_CALL && ra_calls_find(row->id) != NULL) {
		put_word(out, "function", ra_calls_find(row->id)->name, 0);
	} else if (row->id != 0) {
		put_number(out, "id", row->id);
	}
	put_attributes(text, row);
	if (row->data != NULL) {
		ra_dump_data_put_event(text->data, row);
	}
	ra_outbuf_put(out, "\n", 1);
}

/* A key that is no plain word gets quotes. Only a forged log has such keys. */
static void put_fact_key(struct ra_outbuf *out, const char *key)
{
	const size_t length = strlen(key);

	if (length > 0 && strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_") == length) {
		ra_outbuf_put(out, key, length);
	} else {
		ra_dump_text_quote(out, key, length);
	}
}

static void put_fact(struct ra_outbuf *out, const struct rlog_fact *fact)
{
	switch (fact->type) {
	case RLOG_FACT_U64:
		ra_outbuf_put_decimal(out, fact->u64);
		break;
	case RLOG_FACT_I64:
		ra_outbuf_put_signed(out, fact->i64);
		break;
	case RLOG_FACT_BOOL:
		ra_outbuf_text(out, fact->u64 != 0 ? "true" : "false");
		break;
	case RLOG_FACT_TEXT:
	case RLOG_FACT_TEXTS:
		for (size_t i = 0; i < fact->text_count; i++) {
			ra_outbuf_put(out, " ", i > 0);
			ra_dump_text_quote(out, fact->texts[i].bytes, fact->texts[i].length);
		}
		break;
	}
}

void ra_dump_text_facts(struct ra_dump_text *text, const char *word, const struct rlog_fact *facts,
                        size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ra_outbuf_text(text->out, word);
		ra_outbuf_put(text->out, " ", 1);
		put_fact_key(text->out, facts[i].key);
		ra_outbuf_put(text->out, "=", 1);
		put_fact(text->out, &facts[i]);
		ra_outbuf_put(text->out, "\n", 1);
	}
}

void ra_dump_text_strings(struct ra_dump_text *text)
{
	for (size_t i = 1; i < text->string_count; i++) {
		const struct rlog_string *string = &text->strings[i];

		ra_outbuf_printf(text->out, "string %zu ", i);
		if (string->bytes == NULL) {
			ra_outbuf_text(text->out, "lost");
		} else {
			ra_dump_text_quote(text->out, string->bytes, string->length);
		}
		if (string->full_length > string->length) {
			put_number(text->out, "full", string->full_length);
		}
		ra_outbuf_put(text->out, "\n", 1);
	}
}

/* Writes what a definition belongs to. */
static void put_parent(const struct ra_dump_text *text, const struct rlog_def *def)
{
	const char *object;

	switch (def->kind) {
	case RLOG_DEF_CATEGORY:
	case RLOG_DEF_RESOURCE:
	case RLOG_DEF_SYNC_OBJECT:
	case RLOG_DEF_REGISTERED_STRING:
	case RLOG_DEF_PAYLOAD_SCHEMA:
	case RLOG_DEF_PAYLOAD_ENUM:
	case RLOG_DEF_SCOPE:
	case RLOG_DEF_TIME_DOMAIN:
	case RLOG_DEF_COUNTER:
		put_domain(text, (uint32_t) def->parent);
		return;
	case RLOG_DEF_OBJECT_NAME:
		object = ra_names_object(def->parent);
		if (object != NULL) {
			put_word(text->out, "type", object, 0);
			return;
		}
		break;
	default:
		break;
	}
	if (def->parent != 0) {
		put_number(text->out, "parent", def->parent);
	}
}

void ra_dump_text_defs(struct ra_dump_text *text)
{
	size_t count = 0;
	const struct rlog_def *defs = rlog_reader_borrow_defs(text->reader, &count);

	for (size_t i = 0; i < count; i++) {
		const char *kind = ra_names_def(defs[i].kind);

		if (kind != NULL) {
			ra_outbuf_printf(text->out, "def %s", kind);
		} else {
			ra_outbuf_printf(text->out, "def kind%" PRIu32, defs[i].kind);
		}
		put_number(text->out, "id", defs[i].id);
		put_parent(text, &defs[i]);
		if (defs[i].kind == RLOG_DEF_STREAM) {
			put_number(text->out, "tid", defs[i].value);
		}
		if (defs[i].string != 0) {
			put_string(text, "name", defs[i].string);
		}
		if (!ra_dump_data_put_def(text->data, &defs[i]) && defs[i].value != 0 &&
		    defs[i].kind != RLOG_DEF_STREAM) {
			put_number(text->out, "val", defs[i].value);
		}
		ra_outbuf_put(text->out, "\n", 1);
	}
}

void ra_dump_text_clock(struct ra_dump_text *text)
{
	size_t count = 0;
	const struct rlog_clock_point *points = rlog_reader_borrow_clock(text->reader, &count);

	for (size_t i = 0; i < count; i++) {
		ra_outbuf_printf(text->out,
		                 "clock ticks=%" PRIu64 " mono=%" PRIu64 " real=%" PRIu64
		                 " boot=%" PRIu64 " err=%" PRIu64 "\n",
		                 points[i].ticks, points[i].mono_ns, points[i].real_ns,
		                 points[i].boot_ns, points[i].err_ns);
	}
}

void ra_dump_text_losses(struct ra_dump_text *text)
{
	size_t count = 0;
	const struct rlog_loss *losses = rlog_reader_borrow_losses(text->reader, &count);

	for (size_t i = 0; i < count; i++) {
		ra_outbuf_text(text->out, "loss");
		put_number(text->out, "stream", losses[i].stream);
		put_word(text->out, "cause", ra_names_cause(losses[i].cause), losses[i].cause);
		put_number(text->out, "count", losses[i].count);
		ra_outbuf_put(text->out, "\n", 1);
	}
}

void ra_dump_text_damages(struct ra_dump_text *text)
{
	size_t count = 0;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(text->reader, &count);

	for (size_t i = 0; i < count; i++) {
		ra_outbuf_printf(text->out,
		                 "damage offset=%" PRIu64 " bytes=%" PRIu64 " rows=%" PRIu64
		                 " stream=%" PRIu32 " code=%s what=",
		                 damages[i].offset, damages[i].bytes, damages[i].rows,
		                 damages[i].stream, rlog_error_name(damages[i].code));
		ra_dump_text_quote(text->out, damages[i].what, strlen(damages[i].what));
		ra_outbuf_put(text->out, "\n", 1);
	}
}

void ra_dump_text_bad_chunk(struct ra_dump_text *text, const struct rlog_chunk *chunk,
                            const struct rlog_error *err)
{
	ra_outbuf_printf(text->out,
	                 "damage offset=%" PRIu64 " bytes=%" PRIu32 " rows=%" PRIu32
	                 " stream=%" PRIu32 " code=%s what=",
	                 chunk->offset, chunk->stored_bytes + RLOG_HEADER_BYTES, chunk->count,
	                 chunk->stream, rlog_error_name(err->code));
	ra_dump_text_quote(text->out, err->message, strlen(err->message));
	ra_outbuf_put(text->out, "\n", 1);
}
