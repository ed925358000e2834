/* SPDX-License-Identifier: MIT */
/* Writes the sample log, and prints which ranges a reader must find in it (for
 * test-format-python.sh). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

/* A range that is open: of a thread and domain, or by its id. */
struct open_range {
	uint32_t stream; /* 0: by id */
	uint64_t key;    /* domain or id */
	uint64_t start;
	uint32_t name;
};

struct printer {
	struct open_range open[SAMPLE_EVENTS];
	size_t count;
	const struct rlog_string *strings;
};

/* As Python prints a str or a bytes object; the sample's texts have no quotes and no backslashes.
 */
static void print_name(const struct rlog_string *string)
{
	bool is_text = true;

	for (uint32_t i = 0; i < string->length; i++) {
		is_text = is_text && !((unsigned char) string->bytes[i] & 0x80);
	}
	fputs(is_text ? "" : "b'", stdout);
	for (uint32_t i = 0; i < string->length; i++) {
		const unsigned char c = (unsigned char) string->bytes[i];

		printf(c & 0x80 ? "\\x%02x" : "%c", c);
	}
	fputs(is_text ? "" : "'", stdout);
}

static void end_range(struct printer *printer, uint32_t on, const struct open_range *end)
{
	for (size_t i = printer->count; i > 0; i--) {
		const struct open_range range = printer->open[i - 1];

		if (range.stream == end->stream && range.key == end->key) {
			printf("%u ", on);
			print_name(&printer->strings[range.name]);
			printf(" %" PRIu64 " %" PRId64 "\n", range.start,
			       (int64_t) (end->start - range.start));
			printer->count--;
			memmove(&printer->open[i - 1], &printer->open[i],
			        (printer->count - (i - 1)) * sizeof(range));
			return;
		}
	}
}

static void print_batch(struct printer *printer, const struct rlog_batch *batch)
{
	for (size_t row = 0; row < batch->count; row++) {
		const uint8_t op = batch->op[row];
		const bool by_id = op == RLOG_OP_START || op == RLOG_OP_END;
		const struct open_range range = {
			.stream = by_id ? 0 : batch->stream,
			.key = by_id ? batch->id[row] : batch->domain[row],
			.start = batch->ticks[row],
			.name = batch->name[row],
		};

		if (op == RLOG_OP_PUSH || op == RLOG_OP_START) {
			printer->open[printer->count++] = range;
		} else if (op == RLOG_OP_POP || op == RLOG_OP_END) {
			end_range(printer, batch->stream, &range);
		}
	}
}

int main(int argc, char **argv)
{
	struct sample_bytes log = sample_make(argc > 2 ? (int) strtol(argv[2], NULL, 10) : 1);
	struct printer *const printer = calloc(1, sizeof(*printer));
	const int fd =
		argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	struct rlog_reader *reader = NULL;
	struct rlog_error err;
	size_t count = 0;

	if (fd < 0 || write(fd, log.bytes, log.size) != (ssize_t) log.size || !printer ||
	    rlog_reader_open_memory(&reader, log.bytes, log.size, &err)) {
		tap_bail("usage: format-tool FILE [LEVEL]");
	}
	(void) close(fd);
	printer->strings = rlog_reader_borrow_strings(reader, &count);
	for (uint32_t round = 0; round < SAMPLE_ROUNDS; round++) {
		for (uint32_t stream = 1; stream <= SAMPLE_STREAMS; stream++) {
			print_batch(printer, sample_batch(stream, round));
		}
	}
	rlog_reader_close(reader);
	free(printer);
	sample_free(&log);
	return 0;
}
