/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a trace of Perfetto, as they are and as what a packet holds that is
 * packed by zlib: in that no byte could be changed that means something. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyzer/read-perfetto/perfetto-packets.h"
#include "analyzer/read-perfetto/perfetto-read.h"

/* The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t read_rows(const void *bytes, size_t size)
{
	struct rlog_error stop = { 0 };
	struct ra_kineto *kineto = ra_perfetto_read(bytes, size, &stop);
	const size_t count = kineto->count;

	if (memchr(stop.message, '\0', sizeof(stop.message)) == NULL) {
		abort();
	}
	for (size_t i = 0; i < count; i++) {
		struct ra_kineto_rest rest;

		if (ra_kineto_get_thread(kineto, i) >= kineto->thread_count ||
		    kineto->name[i] >= kineto->string_count) {
			abort();
		}
		ra_kineto_rest_init(&rest, kineto, (uint32_t) i);
		while (ra_kineto_rest_next(&rest, kineto)) {
		}
	}
	ra_kineto_destroy(kineto);
	return count;
}

static size_t put_varint(uint8_t *place, size_t value)
{
	size_t count = 0;

	for (; value >= 0x80; value >>= 7) {
		place[count++] = (uint8_t) (value | 0x80);
	}
	place[count++] = (uint8_t) value;
	return count;
}

/* One packet that holds the bytes, packed. Return: rows. */
static size_t read_packed(const uint8_t *data, size_t size)
{
	uLongf packed = compressBound(size);
	uint8_t *const inner = malloc(packed + 40);
	uint8_t *const outer = malloc(packed + 40);
	uint8_t head[12];
	size_t rows = 0;

	if (inner != NULL && outer != NULL &&
	    compress2(inner + 12, &packed, data, size, 1) == Z_OK) {
		const size_t length = put_varint(head, packed);
		size_t used = 1;

		outer[0] = 1 << 3 | 2;
		used += put_varint(outer + used, 2 + length + packed);
		outer[used++] = (uint8_t) ((50 << 3 & 0x7F) | 2 | 0x80);
		outer[used++] = 50 << 3 >> 7;
		memcpy(outer + used, head, length);
		memcpy(outer + used + length, inner + 12, packed);
		rows = read_rows(outer, used + length + packed);
	}
	free(inner);
	free(outer);
	return rows;
}

/* A target that reads nothing finds nothing: it would not be noticed otherwise. */
static void check_target(void)
{
	/* A packet with a time and an instant without a name. */
	static const uint8_t trace[] = { 1 << 3 | 2, 8,      8 << 3, 5,       11 << 3 | 2,
		                         2,          9 << 3, 3,      10 << 3, 1 };
	static bool is_checked;

	if (!is_checked &&
	    (read_rows(trace, sizeof(trace)) != 1 || read_packed(trace, sizeof(trace)) != 1)) {
		abort();
	}
	is_checked = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_target();
	(void) ra_perfetto_packets_probe(data, size);
	(void) read_rows(data, size);
	(void) read_packed(data, size);
	return 0;
}
