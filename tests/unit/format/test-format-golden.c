/* SPDX-License-Identifier: MIT */
/* Tests that the writer writes the worked example of doc/format.md, section 12, byte for byte. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

static const struct rlog_string names[] = {
	{ .bytes = "step", .length = 4 },
	{ .bytes = "load", .length = 4 },
};

static void put_facts(struct rlog_writer *writer)
{
	const struct rlog_string tool = { .bytes = "example 1", .length = 9 };
	const struct rlog_string clock = { .bytes = "monotonic", .length = 9 };
	const struct rlog_fact facts[] = {
		{ .key = "tool", .type = RLOG_FACT_TEXT, .texts = &tool, .text_count = 1 },
		{ .key = "clock", .type = RLOG_FACT_TEXT, .texts = &clock, .text_count = 1 },
		{ .key = "pid", .type = RLOG_FACT_U64, .u64 = 4711 },
	};
	struct rlog_error err;

	if (rlog_writer_put_capture(writer, facts, 3, &err)) {
		tap_bail("%s", err.message);
	}
}

/* Two ranges in each other and a mark with a payload. */
static void put_events(struct rlog_writer *writer)
{
	struct rlog_batch batch;
	struct rlog_error err;

	if (rlog_batch_init(&batch, 8)) {
		tap_bail("no memory");
	}
	batch.stream = 1;
	batch.flags = RLOG_FLAG_LAST;
	rlog_batch_append(&batch, 5000, RLOG_OP_PUSH, 1, 0, 0);
	rlog_batch_append(&batch, 5100, RLOG_OP_PUSH, 2, 0, 0);
	rlog_batch_append(&batch, 5300, RLOG_OP_POP, 0, 0, 0);
	rlog_batch_append(&batch, 5301, RLOG_OP_MARK, 2, 0, 0);
	rlog_batch_append(&batch, 75301, RLOG_OP_POP, 0, 0, 0);
	rlog_batch_add_attr(&batch, RLOG_ATTR_PTYPE, 3, RLOG_PAYLOAD_I64);
	rlog_batch_add_attr(&batch, RLOG_ATTR_PAYLOAD, 3, (uint64_t) -7);
	if (rlog_writer_put_events(writer, &batch, 0, &err)) {
		tap_bail("%s", err.message);
	}
	rlog_batch_fini(&batch);
}

static struct sample_bytes make_example(void)
{
	const struct rlog_def stream = { .kind = RLOG_DEF_STREAM, .id = 1, .value = 4712 };
	const struct rlog_clock_point point = {
		.ticks = 5000,
		.mono_ns = 5000,
		.real_ns = UINT64_C(1700000000000005000),
		.boot_ns = 5000,
		.err_ns = 40,
	};
	const struct rlog_writer_options options = { .tag = SAMPLE_TAG };
	const int fd = sample_open_memory();
	struct rlog_writer *writer = NULL;
	struct sample_bytes log;
	struct rlog_error err;

	if (rlog_writer_create(&writer, fd, &options, &err)) {
		tap_bail("%s", err.message);
	}
	put_facts(writer);
	if (rlog_writer_put_clock(writer, &point, 1, &err) ||
	    rlog_writer_put_strings(writer, 1, names, 2, &err) ||
	    rlog_writer_put_defs(writer, 0, &stream, 1, &err)) {
		tap_bail("%s", err.message);
	}
	put_events(writer);
	if (rlog_writer_finish(writer, "clean", 0, &err)) {
		tap_bail("%s", err.message);
	}
	log = sample_read_file(fd);
	rlog_writer_destroy(writer);
	(void) close(fd);
	return log;
}

/* One line: offset, bytes, and what they mean or, without a meaning, how they look as text. */
static void print_line(FILE *out, const struct sample_bytes *log, size_t at, size_t count,
                       const char *meaning)
{
	fprintf(out, "%04zx ", at);
	for (size_t i = 0; i < 16; i++) {
		if (i < count) {
			fprintf(out, "%s%02X", i == 8 ? "  " : " ", log->bytes[at + i]);
		} else if (!meaning || meaning[0]) {
			fprintf(out, "%s  ", i == 8 ? "  " : " ");
		}
	}
	fprintf(out, "  ");
	if (meaning) {
		fprintf(out, "%s\n", meaning);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const int c = log->bytes[at + i];

		fputc(c >= ' ' && c < 0x7F ? c : '.', out);
	}
	fputc('\n', out);
}

static void print_chunk(FILE *out, const struct sample_bytes *log, const struct rlog_chunk *chunk)
{
	static const char *const types[] = { "",      "CAPTURE", "STRINGS", "DEFS", "EVENTS",
		                             "CLOCK", "LOSS",    "INDEX",   "END" };
	const size_t payload = chunk->offset + RLOG_HEADER_BYTES;
	char meaning[100];

	(void) snprintf(meaning, sizeof(meaning),
	                "%s: marker, tag; version, type, flags %u, stream %u", types[chunk->type],
	                chunk->flags, chunk->stream);
	print_line(out, log, chunk->offset, 16, meaning);
	(void) snprintf(meaning, sizeof(meaning), "sequence %" PRIu64 "; stored, raw %u",
	                chunk->sequence, chunk->raw_bytes);
	print_line(out, log, chunk->offset + 16, 16, meaning);
	(void) snprintf(meaning, sizeof(meaning), "count %u, lost %u; first time %" PRIu64,
	                chunk->count, chunk->lost, chunk->first_ticks);
	print_line(out, log, chunk->offset + 32, 16, meaning);
	(void) snprintf(meaning, sizeof(meaning),
	                "last time %" PRIu64 "; CRC of payload, of header", chunk->last_ticks);
	print_line(out, log, chunk->offset + 48, 16, meaning);
	for (size_t at = 0; at < chunk->stored_bytes; at += 16) {
		const size_t left = chunk->stored_bytes - at;

		print_line(out, log, payload + at, left < 16 ? left : 16, NULL);
	}
}

/* The text of the example, to be freed. */
static char *describe(const struct sample_bytes *log)
{
	const struct rlog_chunk *chunks = NULL;
	struct rlog_reader *reader = NULL;
	struct rlog_error err;
	char *text = NULL;
	size_t size = 0;
	size_t count = 0;
	FILE *const out = open_memstream(&text, &size);

	if (!out || rlog_reader_open_memory(&reader, log->bytes, log->size, &err)) {
		tap_bail("the example cannot be read");
	}
	chunks = rlog_reader_borrow_chunks(reader, &count);
	for (size_t i = 0; i < count; i++) {
		print_chunk(out, log, &chunks[i]);
	}
	print_line(out, log, log->size - 40, 16,
	           "trailer: offset of the last INDEX; length of the file");
	print_line(out, log, log->size - 24, 16, "chunks; tag, CRC");
	print_line(out, log, log->size - 8, 8, NULL);
	rlog_reader_close(reader);
	if (fclose(out) != 0) {
		tap_bail("no memory");
	}
	return text;
}

/* The code block of section 12, to be freed. */
static char *read_block(void)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	const char *const top = getenv("top_srcdir");
	char path[4096];
	char line[1024];
	char *text = NULL;
	size_t size = 0;
	bool inside = false;
	bool in_section = false;
	FILE *in = NULL;
	FILE *const out = open_memstream(&text, &size);

	(void) snprintf(path, sizeof(path), "%s/doc/format.md", top ? top : TOP_SRCDIR);
	in = fopen(path, "re");
	if (!in || !out) {
		tap_bail("cannot read %s", path);
	}
	while (fgets(line, sizeof(line), in)) {
		if (strncmp(line, "## ", 3) == 0) {
			in_section = strncmp(line, "## 12.", 6) == 0;
		} else if (in_section && strncmp(line, "```", 3) == 0) {
			/* The first block is the one. */
			in_section = !inside;
			inside = !inside;
		} else if (inside && in_section) {
			fputs(line, out);
		}
	}
	(void) fclose(in);
	if (fclose(out) != 0) {
		tap_bail("no memory");
	}
	return text;
}

/* Shows the first line that is not the same. */
static void show_difference(const char *got, const char *wanted)
{
	while (*got && *wanted) {
		const size_t got_length = strcspn(got, "\n");
		const size_t wanted_length = strcspn(wanted, "\n");

		if (got_length != wanted_length || memcmp(got, wanted, got_length) != 0) {
			break;
		}
		got += got_length + (got[got_length] == '\n');
		wanted += wanted_length + (wanted[wanted_length] == '\n');
	}
	tap_diag("code: %.*s", (int) strcspn(got, "\n"), got);
	tap_diag("text: %.*s", (int) strcspn(wanted, "\n"), wanted);
}

int main(int argc, char **argv)
{
	struct sample_bytes log = make_example();
	char *const text = describe(&log);
	char *block = NULL;

	if (argc > 1 && strcmp(argv[1], "--print") == 0) {
		fputs(text, stdout);
	} else {
		block = read_block();
		if (!tap_ok(strcmp(text, block) == 0,
		            "the example of doc/format.md is what the writer writes")) {
			show_difference(text, block);
			tap_diag("to renew it: %s --print", argv[0]);
		}
	}
	free(block);
	free(text);
	sample_free(&log);
	return argc > 1 ? 0 : tap_done();
}
