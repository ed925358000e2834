/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as the details of a schema and an enum, and as the data of an event that
 * uses them. The first 4 bytes tell where the parts end. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/payload/payload.h"
#include "format/wire.h"
#include "format/write/writer.h"

#define SCHEMA ((uint64_t) RLOG_TYPE_FIRST_SCHEMA)

/* The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touched with every byte that a visitor is given, so that a sanitizer looks at them. */
static volatile uint64_t sink;

static void touch(const char *bytes, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		sum += (unsigned char) bytes[i];
	}
	sink = sink + sum;
}

static void visit_value(void *context, const struct ra_payload_value *value)
{
	(void) context;
	touch(value->text, value->length);
	touch(value->name.bytes, value->name.length);
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	++*(int *) context;
	touch(group->name.bytes, group->name.length);
}

static void visit_close(void *context)
{
	--*(int *) context;
}

static void visit_problem(void *context, const char *text)
{
	(void) context;
	touch(text, strlen(text));
}

/* A log that defines the schema (id 2^24) and the enum (the next). NULL: they are no definitions.
 */
static struct rlog_reader *define(const struct rlog_string strings[2], void **bytes)
{
	const struct rlog_def defs[2] = {
		{ .kind = RLOG_DEF_PAYLOAD_SCHEMA, .id = SCHEMA, .value = 1 },
		{ .kind = RLOG_DEF_PAYLOAD_ENUM, .id = SCHEMA + 1, .value = 2 },
	};
	const struct rlog_writer_options options = { .tag = 1, .level = 0 };
	const int fd = memfd_create("log", MFD_CLOEXEC);
	struct rlog_writer *writer = NULL;
	struct rlog_reader *reader = NULL;
	size_t size = 0;

	if (fd >= 0 && rlog_writer_create(&writer, fd, &options, NULL) == 0 &&
	    rlog_writer_put_strings(writer, 1, strings, 2, NULL) == 0 &&
	    rlog_writer_put_defs(writer, 0, defs, 2, NULL) == 0 &&
	    rlog_writer_finish(writer, "clean", 0, NULL) == 0) {
		size = (size_t) rlog_writer_size_bytes(writer);
		*bytes = malloc(size);
		if (*bytes == NULL || pread(fd, *bytes, size, 0) != (ssize_t) size ||
		    rlog_reader_open_memory(&reader, *bytes, size, NULL) != 0) {
			reader = NULL;
		}
	}
	rlog_writer_destroy(writer);
	if (fd >= 0) {
		(void) close(fd);
	}
	return reader;
}

static void decode(const struct ra_schemas *schemas, const uint8_t *data, size_t size)
{
	int depth = 0;
	const struct ra_payload_visitor visitor = { visit_value, visit_open, visit_close,
		                                    visit_problem, &depth };
	struct ra_payload *payload = ra_payload_create(schemas);

	if (payload != NULL) {
		(void) ra_payload_decode(payload, 0, data, size, &visitor);
		(void) ra_payload_decode_one(payload, 0, data, size, &visitor);
		(void) ra_payload_decode_bytes(payload, 0, SCHEMA, data, size, &visitor);
		if (depth != 0) {
			abort();
		}
	}
	ra_payload_destroy(payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rlog_string strings[2];
	struct rlog_reader *reader;
	struct ra_schemas schemas;
	void *bytes = NULL;
	size_t first;
	size_t second;

	if (size < 4) {
		return 0;
	}
	first = data[0] | (size_t) data[1] << 8;
	second = data[2] | (size_t) data[3] << 8;
	data += 4;
	size -= 4;
	first = first < size ? first : size;
	second = second < size - first ? second : size - first;
	strings[0] =
		(struct rlog_string){ (const char *) data, (uint32_t) first, (uint32_t) first };
	strings[1] = (struct rlog_string){ (const char *) data + first, (uint32_t) second,
		                           (uint32_t) second };
	reader = define(strings, &bytes);
	if (reader != NULL) {
		ra_schemas_init(&schemas, reader);
		decode(&schemas, data + first + second, size - first - second);
		ra_schemas_fini(&schemas);
	}
	rlog_reader_close(reader);
	free(bytes);
	return 0;
}
