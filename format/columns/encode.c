/* SPDX-License-Identifier: MIT */
/* Packs facts, strings, definitions, clock points, losses and the index. */
#include "format/columns/encode.h"

#include <stdbool.h>

#include "format/columns/column.h"
#include "format/error.h"
#include "format/wire.h"

/* A column, and the field of a row struct from which it is made. */
struct field {
	const char *key;
	size_t offset;
	size_t width; /* 4 or 8 */
};

#define FIELD(type, member, name)                                            \
	{                                                                    \
		(name), offsetof(type, member), sizeof(((type *) 0)->member) \
	}

struct rows {
	const char *bytes; /* the array of structs */
	size_t stride;
	size_t count;
};

static uint64_t field_of_row(const struct rows *rows, const struct field *field, size_t row)
{
	const void *const at = rows->bytes + row * rows->stride + field->offset;

	return field->width == 4 ? *(const uint32_t *) at : *(const uint64_t *) at;
}

static bool is_constant(const struct rows *rows, const struct field *field)
{
	const uint64_t first = field_of_row(rows, field, 0);

	for (size_t row = 1; row < rows->count; row++) {
		if (field_of_row(rows, field, row) != first) {
			return false;
		}
	}
	return true;
}

static void pack_field(struct rlog_pack *pack, const struct rows *rows, const struct field *field,
                       bool dense)
{
	uint64_t values[256];
	const size_t block = sizeof(values) / sizeof(values[0]);

	rlog_pack_key(pack, field->key);
	if (!dense && is_constant(rows, field)) {
		rlog_pack_uint(pack, field_of_row(rows, field, 0));
		return;
	}
	rlog_pack_array(pack, rows->count);
	for (size_t row = 0; row < rows->count; row += block) {
		const size_t n = rows->count - row < block ? rows->count - row : block;

		for (size_t i = 0; i < n; i++) {
			values[i] = field_of_row(rows, field, row + i);
		}
		rlog_column_pack_values(pack, values, n);
	}
}

/* Packs all columns. The first one is always dense, so that a payload has more bytes than rows. */
static void pack_fields(struct rlog_pack *pack, const struct rows *rows, const struct field *fields,
                        size_t count)
{
	for (size_t i = 0; i < count; i++) {
		pack_field(pack, rows, &fields[i], i == 0);
	}
}

int rlog_encode_defs(struct rlog_pack *pack, const struct rlog_def *defs, size_t count)
{
	static const struct field fields[] = {
		FIELD(struct rlog_def, kind, "kind"),     FIELD(struct rlog_def, id, "id"),
		FIELD(struct rlog_def, parent, "parent"), FIELD(struct rlog_def, string, "str"),
		FIELD(struct rlog_def, value, "val"),
	};
	const struct rows rows = { (const char *) defs, sizeof(*defs), count };

	rlog_pack_map(pack, sizeof(fields) / sizeof(fields[0]));
	pack_fields(pack, &rows, fields, sizeof(fields) / sizeof(fields[0]));
	return pack->full ? -RLOG_E_FULL : 0;
}

int rlog_encode_clock(struct rlog_pack *pack, const struct rlog_clock_point *points, size_t count)
{
	static const struct field fields[] = {
		FIELD(struct rlog_clock_point, ticks, "ticks"),
		FIELD(struct rlog_clock_point, mono_ns, "mono"),
		FIELD(struct rlog_clock_point, real_ns, "real"),
		FIELD(struct rlog_clock_point, boot_ns, "boot"),
		FIELD(struct rlog_clock_point, err_ns, "err"),
	};
	const struct rows rows = { (const char *) points, sizeof(*points), count };

	rlog_pack_map(pack, sizeof(fields) / sizeof(fields[0]));
	pack_fields(pack, &rows, fields, sizeof(fields) / sizeof(fields[0]));
	return pack->full ? -RLOG_E_FULL : 0;
}

int rlog_encode_losses(struct rlog_pack *pack, const struct rlog_loss *losses, size_t count)
{
	static const struct field fields[] = {
		FIELD(struct rlog_loss, stream, "stream"),
		FIELD(struct rlog_loss, cause, "cause"),
		FIELD(struct rlog_loss, count, "count"),
	};
	const struct rows rows = { (const char *) losses, sizeof(*losses), count };

	rlog_pack_map(pack, sizeof(fields) / sizeof(fields[0]));
	pack_fields(pack, &rows, fields, sizeof(fields) / sizeof(fields[0]));
	return pack->full ? -RLOG_E_FULL : 0;
}

int rlog_encode_index(struct rlog_pack *pack, const struct rlog_index_row *index, size_t count,
                      uint64_t prev)
{
	static const struct field fields[] = {
		FIELD(struct rlog_index_row, offset, "off"),
		FIELD(struct rlog_index_row, type, "type"),
		FIELD(struct rlog_index_row, flags, "flags"),
		FIELD(struct rlog_index_row, stream, "stream"),
		FIELD(struct rlog_index_row, sequence, "seq"),
		FIELD(struct rlog_index_row, count, "count"),
		FIELD(struct rlog_index_row, stored_bytes, "stored"),
		FIELD(struct rlog_index_row, raw_bytes, "raw"),
		FIELD(struct rlog_index_row, first_ticks, "t0"),
		FIELD(struct rlog_index_row, last_ticks, "t1"),
	};
	const struct rows rows = { (const char *) index, sizeof(*index), count };
	const bool is_first = prev == UINT64_MAX;

	rlog_pack_map(pack, sizeof(fields) / sizeof(fields[0]) + !is_first);
	pack_fields(pack, &rows, fields, sizeof(fields) / sizeof(fields[0]));
	if (!is_first) {
		rlog_pack_key(pack, "prev");
		rlog_pack_uint(pack, prev);
	}
	return pack->full ? -RLOG_E_FULL : 0;
}

static bool is_cut(const struct rlog_string *string)
{
	return string->full_length > string->length;
}

/* Packs the sparse column `full`. */
static void pack_full_lengths(struct rlog_pack *pack, const struct rlog_string *strings,
                              size_t count, size_t cut)
{
	size_t before = 0;

	rlog_pack_key(pack, "full");
	rlog_pack_array(pack, 2);
	rlog_pack_array(pack, cut);
	for (size_t i = 0; i < count; i++) {
		if (is_cut(&strings[i])) {
			rlog_pack_uint(pack, i - before);
			before = i;
		}
	}
	rlog_pack_array(pack, cut);
	for (size_t i = 0; i < count; i++) {
		if (is_cut(&strings[i])) {
			rlog_pack_uint(pack, strings[i].full_length);
		}
	}
}

int rlog_encode_strings(struct rlog_pack *pack, const struct rlog_string *strings, size_t count)
{
	size_t cut = 0;

	for (size_t i = 0; i < count; i++) {
		cut += is_cut(&strings[i]);
	}
	rlog_pack_map(pack, cut ? 2 : 1);
	rlog_pack_key(pack, "s");
	rlog_pack_array(pack, count);
	for (size_t i = 0; i < count; i++) {
		rlog_pack_text(pack, strings[i].bytes, strings[i].length);
	}
	if (cut) {
		pack_full_lengths(pack, strings, count, cut);
	}
	return pack->full ? -RLOG_E_FULL : 0;
}

struct rlog_string rlog_encode_cut(const struct rlog_string *text)
{
	struct rlog_string kept = *text;

	if (kept.full_length < kept.length) {
		kept.full_length = kept.length;
	}
	if (kept.length > RLOG_MAX_STRING_BYTES) {
		kept.length = RLOG_MAX_STRING_BYTES;
		for (int i = 0; i < 3 && ((unsigned char) kept.bytes[kept.length] & 0xC0) == 0x80;
		     i++) {
			kept.length--;
		}
	}
	return kept;
}

static void pack_cut(struct rlog_pack *pack, const struct rlog_string *text)
{
	const struct rlog_string kept = rlog_encode_cut(text);

	rlog_pack_text(pack, kept.bytes, kept.length);
}

static void pack_fact(struct rlog_pack *pack, const struct rlog_fact *fact)
{
	rlog_pack_key(pack, fact->key);
	switch (fact->type) {
	case RLOG_FACT_U64:
		rlog_pack_uint(pack, fact->u64);
		break;
	case RLOG_FACT_I64:
		rlog_pack_int(pack, fact->i64);
		break;
	case RLOG_FACT_BOOL:
		rlog_pack_bool(pack, fact->u64 != 0);
		break;
	case RLOG_FACT_TEXT:
		pack_cut(pack, &fact->texts[0]);
		break;
	default:
		rlog_pack_array(pack, fact->text_count);
		for (size_t i = 0; i < fact->text_count; i++) {
			pack_cut(pack, &fact->texts[i]);
		}
		break;
	}
}

int rlog_encode_facts(struct rlog_pack *pack, const struct rlog_fact *facts, size_t count)
{
	rlog_pack_map(pack, count);
	for (size_t i = 0; i < count; i++) {
		pack_fact(pack, &facts[i]);
	}
	return pack->full ? -RLOG_E_FULL : 0;
}
