/* SPDX-License-Identifier: MIT */
/* Tests payloads and schemas from hostile files: decoding ends soon, and reads only their bytes. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/payload/payload.h"
#include "format/columns/pack.h"
#include "format/read/reader.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define OUTER    ((uint64_t) RLOG_TYPE_FIRST_SCHEMA)
#define INNER    (OUTER + 1)
#define COLORS   (OUTER + 2)
#define UNION_ID (OUTER + 3)
#define CAPACITY 2048

enum part {
	PART_OUTER,
	PART_INNER,
	PART_ENUM,
	PART_UNION,
	PART_DATA,
	PARTS,
};

struct bytes {
	uint8_t bytes[CAPACITY];
	size_t count;
};

static struct bytes parts[PARTS];

/* What a visitor has seen. */
struct seen {
	uint64_t values;
	uint64_t opened;
	uint64_t closed;
	uint64_t problems;
	uint64_t sum; /* of all bytes given: a sanitizer sees those that are not there */
};

static void visit_value(void *context, const struct ra_payload_value *value)
{
	struct seen *seen = context;

	seen->values++;
	for (size_t i = 0; i < value->length; i++) {
		seen->sum += (unsigned char) value->text[i];
	}
	for (uint32_t i = 0; i < value->name.length; i++) {
		seen->sum += (unsigned char) value->name.bytes[i];
	}
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	(void) group;
	((struct seen *) context)->opened++;
}

static void visit_close(void *context)
{
	((struct seen *) context)->closed++;
}

static void visit_problem(void *context, const char *text)
{
	struct seen *seen = context;

	seen->problems++;
	seen->sum += strlen(text);
}

static struct rlog_pack begin_part(enum part part)
{
	struct rlog_pack pack;

	rlog_pack_init(&pack, parts[part].bytes, CAPACITY - RLOG_PACK_SLACK);
	return pack;
}

static void begin_schema(struct rlog_pack *pack, enum rlog_schema_type type, size_t entries)
{
	rlog_pack_array(pack, 5);
	rlog_pack_uint(pack, type);
	rlog_pack_uint(pack, 0);
	rlog_pack_uint(pack, 0);
	rlog_pack_uint(pack, 0);
	rlog_pack_array(pack, entries);
}

static void put_entry(struct rlog_pack *pack, uint64_t flags, uint64_t type, uint64_t detail)
{
	rlog_pack_array(pack, 7);
	rlog_pack_uint(pack, flags);
	rlog_pack_uint(pack, type);
	rlog_pack_text(pack, "n", 1);
	rlog_pack_nil(pack);
	rlog_pack_uint(pack, detail);
	rlog_pack_uint(pack, 0);
	rlog_pack_nil(pack);
}

static void make_schemas(void)
{
	struct rlog_pack pack = begin_part(PART_OUTER);

	begin_schema(&pack, RLOG_SCHEMA_DYNAMIC, 9);
	put_entry(&pack, 0, RLOG_TYPE_UINT8, 0);
	put_entry(&pack, RLOG_ARRAY_LENGTH_ENTRY << RLOG_ENTRY_ARRAY_SHIFT, INNER, 0);
	put_entry(&pack, RLOG_ENTRY_POINTER, OUTER, 0);
	put_entry(&pack, 0, RLOG_TYPE_TEXT, 0);
	put_entry(&pack, RLOG_ARRAY_ZERO_TERMINATED << RLOG_ENTRY_ARRAY_SHIFT, RLOG_TYPE_UTF16, 0);
	put_entry(&pack, 0, COLORS, 0);
	put_entry(&pack, 0, UNION_ID, 0);
	put_entry(&pack, RLOG_ENTRY_FROM_BASE, RLOG_TYPE_INT, 0);
	put_entry(&pack, RLOG_ARRAY_FIXED << RLOG_ENTRY_ARRAY_SHIFT, RLOG_TYPE_DOUBLE, 3);
	parts[PART_OUTER].count = pack.used;
	pack = begin_part(PART_INNER);
	begin_schema(&pack, RLOG_SCHEMA_STATIC, 2);
	put_entry(&pack, 0, RLOG_TYPE_INT16, 0);
	put_entry(&pack, 0, RLOG_TYPE_FLOAT16, 0);
	parts[PART_INNER].count = pack.used;
	pack = begin_part(PART_UNION);
	begin_schema(&pack, RLOG_SCHEMA_UNION, 2);
	put_entry(&pack, 0, RLOG_TYPE_LONG_DOUBLE, 0);
	put_entry(&pack, 0, INNER, 0);
	parts[PART_UNION].count = pack.used;
	pack = begin_part(PART_ENUM);
	rlog_pack_array(&pack, 2);
	rlog_pack_uint(&pack, 4);
	rlog_pack_array(&pack, 2);
	for (unsigned int i = 1; i <= 2; i++) {
		rlog_pack_array(&pack, 3);
		rlog_pack_text(&pack, i == 1 ? "RED" : "BLUE", i == 1 ? 3 : 4);
		rlog_pack_uint(&pack, i);
		rlog_pack_bool(&pack, true);
	}
	parts[PART_ENUM].count = pack.used;
}

static void make_data(void)
{
	uint8_t body[128] = { 2, 0, 1, 0, 0, 0x3C, 2, 0, 0, 0x40 };
	struct rlog_pack pack = begin_part(PART_DATA);

	body[17] = 0x10; /* pointers: 0x1000 */
	body[25] = 0x10;
	body[32] = 'a';
	body[34] = 'b';
	body[40] = 3;
	body[72] = 1;
	rlog_pack_array(&pack, 1);
	rlog_pack_array(&pack, 6);
	rlog_pack_uint(&pack, OUTER);
	rlog_pack_uint(&pack, sizeof(body));
	rlog_pack_uint(&pack, 0x8000);
	rlog_pack_bin(&pack, body, sizeof(body));
	rlog_pack_uint(&pack, 0x1000);
	rlog_pack_bin(&pack, body, 64);
	parts[PART_DATA].count = pack.used;
}

/* The definitions as a log in memory; the caller closes the reader, then the log. */
static struct rlog_reader *write_definitions(struct analyzer_log *log)
{
	static const uint32_t kinds[] = { RLOG_DEF_PAYLOAD_SCHEMA, RLOG_DEF_PAYLOAD_SCHEMA,
		                          RLOG_DEF_PAYLOAD_ENUM, RLOG_DEF_PAYLOAD_SCHEMA };
	static const uint64_t ids[] = { OUTER, INNER, COLORS, UNION_ID };
	struct rlog_string strings[PARTS - 1];
	struct rlog_def defs[PARTS - 1];
	struct rlog_error err = { 0 };

	for (uint32_t i = 0; i < PARTS - 1; i++) {
		strings[i] = (struct rlog_string){ (const char *) parts[i].bytes,
			                           (uint32_t) parts[i].count,
			                           (uint32_t) parts[i].count };
		defs[i] = (struct rlog_def){ .kind = kinds[i], .id = ids[i], .value = i + 1 };
	}
	analyzer_log_init_bare(log);
	if (rlog_writer_put_strings(log->writer, 1, strings, PARTS - 1, &err) ||
	    rlog_writer_put_defs(log->writer, 0, defs, PARTS - 1, &err)) {
		tap_bail("no definitions: %s", err.message);
	}
	return analyzer_log_open(log);
}

/* Return: what ra_payload_decode() does. */
static int decode(struct seen *seen)
{
	const struct ra_payload_visitor visitor = {
		.value = visit_value,
		.open = visit_open,
		.close = visit_close,
		.problem = visit_problem,
		.context = seen,
	};
	struct analyzer_log log;
	struct rlog_reader *reader = write_definitions(&log);
	/* An allocation of its own: valgrind and sanitizers see every byte beyond. */
	const size_t bytes = parts[PART_DATA].count;
	uint8_t *data = malloc(bytes > 0 ? bytes : 1);
	struct ra_schemas schemas;
	struct ra_payload *payload;
	int code;

	memset(seen, 0, sizeof(*seen));
	if (!data) {
		tap_bail("no memory");
	}
	ra_schemas_init(&schemas, reader);
	payload = ra_payload_create(&schemas);
	if (bytes > 0) {
		memcpy(data, parts[PART_DATA].bytes, bytes);
	}
	code = ra_payload_decode(payload, 0, data, bytes, &visitor);
	ra_payload_destroy(payload);
	ra_schemas_fini(&schemas);
	rlog_reader_close(reader);
	analyzer_log_fini(&log);
	free(data);
	return code;
}

/* A few values of each byte; each cut. Return: results that are none. */
static unsigned int damage(enum part part, unsigned int *problems)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7F, 0x80, 0x91, 0xC4, 0xCF, 0xDD, 0xFF };
	struct bytes *bytes = &parts[part];
	const size_t whole = bytes->count;
	unsigned int odd = 0;
	struct seen seen;

	for (size_t at = 0; at < whole; at++) {
		const uint8_t kept = bytes->bytes[at];

		for (size_t i = 0; i <= sizeof(values); i++) {
			bytes->bytes[at] = i < sizeof(values) ? values[i] : kept;
			bytes->count = i < sizeof(values) ? whole : at; /* last: cut off here */
			*problems += decode(&seen) > 0;
			odd += seen.opened != seen.closed || seen.values > 2048;
		}
		bytes->bytes[at] = kept;
		bytes->count = whole;
	}
	return odd;
}

/* A schema whose entries all name the whole payload again. */
static void multiply(void)
{
	struct rlog_pack pack = begin_part(PART_OUTER);
	struct seen seen;

	begin_schema(&pack, RLOG_SCHEMA_STATIC, 60);
	for (int i = 0; i < 60; i++) {
		put_entry(&pack, RLOG_ENTRY_POINTER, OUTER, 0);
	}
	parts[PART_OUTER].count = pack.used;
	pack = begin_part(PART_DATA);
	rlog_pack_array(&pack, 1);
	rlog_pack_array(&pack, 4);
	rlog_pack_uint(&pack, OUTER);
	rlog_pack_uint(&pack, 480);
	rlog_pack_uint(&pack, 0x100000001000000);
	{
		uint8_t body[480];

		for (size_t i = 0; i < sizeof(body); i++) {
			body[i] = i % 8 == 3 || i % 8 == 7;
		}
		rlog_pack_bin(&pack, body, sizeof(body));
	}
	parts[PART_DATA].count = pack.used;
	tap_ok(decode(&seen) > 0 && seen.values + seen.opened < 2048,
	       "what a payload shows stays in proportion to its bytes");
}

int main(void)
{
	static const char *const names[] = { "a schema", "a nested schema", "an enum", "a union",
		                             "the data" };
	unsigned int problems = 0;
	struct seen seen;

	make_schemas();
	make_data();
	tap_ok(decode(&seen) >= 0 && seen.values > 10 && seen.opened > 3, "the sample is decoded");
	for (unsigned int part = 0; part < PARTS; part++) {
		tap_is_uint(damage((enum part) part, &problems), 0,
		            "no damage to %s is worse than a problem", names[part]);
	}
	tap_ok(problems > 100, "damage is told (%u times)", problems);
	multiply();
	return tap_done();
}
