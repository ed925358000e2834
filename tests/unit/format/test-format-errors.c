/* SPDX-License-Identifier: MIT */
/* Tests every error code: its name, what causes it, and the offset that is reported with it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/codec.h"
#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

static char folder[] = "/tmp/test-format-XXXXXX";
static char path[sizeof(folder) + 8];

/* Opens the file at `path` with these bytes in it. */
static int open_bytes(const void *bytes, size_t size, struct rlog_error *err)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct rlog_reader *reader = NULL;
	int code = 0;

	if (fd < 0 || pwrite(fd, bytes, size, 0) != (ssize_t) size) {
		tap_bail("cannot write %s", path);
	}
	(void) close(fd);
	memset(err, 0xAA, sizeof(*err));
	code = rlog_reader_open(&reader, path, err);
	if (!code) {
		rlog_reader_close(reader);
		err->code = 0;
	}
	return code;
}

static void test_names(void)
{
	tap_is_text(rlog_error_name(RLOG_OK), "OK", "0 is OK");
	tap_is_text(rlog_error_name(RLOG_E_SYSTEM), "E_SYSTEM", "1 is E_SYSTEM");
	tap_is_text(rlog_error_name(RLOG_E_ARGUMENT), "E_ARGUMENT", "14 is E_ARGUMENT");
	tap_is_text(rlog_error_name(RLOG_E_TOO_DENSE), "E_TOO_DENSE", "15 is E_TOO_DENSE");
	tap_is_text(rlog_error_name(16), "E_UNKNOWN", "16 is none yet");
	tap_is_text(rlog_error_name(-1), "E_UNKNOWN", "-1 is none");
}

static void test_set(void)
{
	struct rlog_error err;
	char longer[300];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	errno = ENOENT;
	tap_is_int(rlog_error_set(&err, RLOG_E_SYSTEM, 5, "%s", longer), -1,
	           "setting returns -code");
	tap_ok(err.sys_errno == ENOENT && errno == ENOENT && err.offset == 5,
	       "errno is kept and told");
	tap_is_uint(strlen(err.message), sizeof(err.message) - 1, "a long message is cut");
	(void) rlog_error_set(&err, RLOG_E_FULL, RLOG_NO_OFFSET, "x");
	tap_ok(err.sys_errno == 0 && err.offset == RLOG_NO_OFFSET, "other codes have no errno");
	tap_is_int(rlog_error_set(NULL, RLOG_E_FULL, 0, "x"), -13, "nobody need listen");
}

static void test_open(void)
{
	struct rlog_error err;
	struct rlog_reader *reader = NULL;
	struct sample_bytes log = sample_make(1);
	struct rlog_chunk_header header = { .type = 200, .flags = RLOG_FLAG_STORED };
	char junk[200];

	tap_ok(rlog_reader_open(&reader, "/nonexistent/log", &err) == -RLOG_E_SYSTEM &&
	               err.sys_errno == ENOENT && err.offset == RLOG_NO_OFFSET && !reader,
	       "E_SYSTEM: a file that is not there");
	tap_ok(rlog_reader_open(&reader, folder, &err) == -RLOG_E_NOT_A_FILE,
	       "E_NOT_A_FILE: a folder");
	tap_ok(rlog_reader_open(&reader, "/dev/null", &err) == -RLOG_E_NOT_A_FILE,
	       "E_NOT_A_FILE: a device");
	tap_ok(open_bytes("", 0, &err) == -RLOG_E_EMPTY && err.offset == 0, "E_EMPTY: no bytes");
	memset(junk, 'x', sizeof(junk));
	tap_ok(open_bytes(junk, sizeof(junk), &err) == -RLOG_E_NOT_A_LOG && err.offset == 0,
	       "E_NOT_A_LOG: another file");
	tap_is_text(err.message, "expected a log (C1 F7 72 6C), found 78 78 78 78",
	            "it says what was expected and found");
	tap_ok(open_bytes(log.bytes, 63, &err) == -RLOG_E_NOT_A_LOG && err.offset == 0,
	       "E_NOT_A_LOG: less than a header");
	tap_is_int(open_bytes(log.bytes, log.size, &err), 0, "a log opens from a file");
	sample_free(&log);

	/* A chunk of version 2 behind 100 other bytes. */
	log.bytes = malloc(100);
	if (!log.bytes) {
		tap_bail("no memory");
	}
	memset(log.bytes, 'x', 100);
	log.size = 100;
	sample_forge(&log, header, "x", 1);
	log.bytes[108] = 2;
	for (int i = 0; i < 4; i++) {
		log.bytes[160 + i] = (uint8_t) (rlog_codec_crc(log.bytes + 100, 60) >> (8 * i));
	}
	tap_ok(open_bytes(log.bytes, log.size, &err) == -RLOG_E_VERSION && err.offset == 100,
	       "E_VERSION: a newer log");
	tap_is_text(err.message, "format version 2, this program reads up to 1",
	            "it says which one, and which we read");
	sample_free(&log);
}

/* A file that can't be mapped is read instead: a log that comes through a pipe. */
static void test_pipe(void)
{
	struct sample_bytes log = sample_make(1);
	struct rlog_reader *reader = NULL;
	struct rlog_error err = { 0 };
	char name[40];
	uint64_t events = 0;
	int ends[2];

	/* Less than a pipe holds, so that nobody need read meanwhile. */
	if (pipe2(ends, O_CLOEXEC) != 0 ||
	    write(ends[1], log.bytes, log.size) != (ssize_t) log.size) {
		tap_bail("no pipe");
	}
	(void) close(ends[1]);
	(void) snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
	if (tap_is_int(rlog_reader_open(&reader, name, &err), 0, "a log is read from a pipe")) {
		tap_ok(!sample_find_lie(reader, &events) && events == SAMPLE_EVENTS, "all of it");
	}
	rlog_reader_close(reader);
	(void) close(ends[0]);
	sample_free(&log);
}

/* The first damage of some bytes. */
static bool has_damage(const struct sample_bytes *log, int code, uint64_t offset)
{
	struct rlog_reader *reader = NULL;
	const struct rlog_damage *damages = NULL;
	struct rlog_error err;
	size_t count = 0;
	bool found = false;

	if (rlog_reader_open_memory(&reader, log->bytes, log->size, &err)) {
		return false;
	}
	damages = rlog_reader_borrow_damages(reader, &count);
	found = count == 1 && damages[0].code == code && damages[0].offset == offset &&
	        damages[0].what[0] != '\0';
	rlog_reader_close(reader);
	return found;
}

static void test_damage(void)
{
	const struct rlog_chunk_header harmless = { .type = 200, .flags = RLOG_FLAG_STORED };
	const struct rlog_chunk_header strings = {
		.type = RLOG_CHUNK_STRINGS,
		.sequence = 1,
		.count = 1,
		.flags = RLOG_FLAG_STORED,
	};
	const struct rlog_chunk_header packed = { .type = RLOG_CHUNK_STRINGS,
		                                  .sequence = 1,
		                                  .count = 1 };
	const uint64_t at = RLOG_HEADER_BYTES + 1; /* of the second chunk */
	struct sample_bytes log = { 0 };

	sample_forge(&log, harmless, "x", 1);
	sample_forge(&log, strings, "\x81\xA1s\x91\xA1x", 6);
	log.bytes[at + 20] ^= 1;
	tap_ok(has_damage(&log, RLOG_E_HEADER, at), "E_HEADER: a header changed");
	log.bytes[at + 20] ^= 1;
	log.bytes[at + 66] ^= 1;
	tap_ok(has_damage(&log, RLOG_E_PAYLOAD_CRC, at), "E_PAYLOAD_CRC: a payload changed");
	log.bytes[at + 66] ^= 1;
	log.size--;
	tap_ok(has_damage(&log, RLOG_E_TRUNCATED, at), "E_TRUNCATED: the file ends in a chunk");
	log.size = RLOG_HEADER_BYTES + 1;
	sample_forge(&log, strings, "\x81\xA1s\x91\xA1", 5);
	tap_ok(has_damage(&log, RLOG_E_MSGPACK, at), "E_MSGPACK: a table that is no msgpack");
	log.size = RLOG_HEADER_BYTES + 1;
	sample_forge(&log, strings, "\x81\xA1s\x91\x05", 5);
	tap_ok(has_damage(&log, RLOG_E_SCHEMA, at), "E_SCHEMA: strings that are numbers");
	log.size = RLOG_HEADER_BYTES + 1;
	sample_forge(&log, packed, "\x81\xA1s\x91\x05", 5);
	tap_ok(has_damage(&log, RLOG_E_INFLATE, at), "E_INFLATE: a payload that is no zlib stream");
	sample_free(&log);
}

static void test_arguments(void)
{
	const struct rlog_writer_options wrong = { .level = 10 };
	const struct rlog_string string = { .bytes = "x", .length = 1 };
	const struct rlog_string nothing = { 0 };
	const struct rlog_def def = { .kind = 1 };
	const int fd = sample_open_memory();
	struct rlog_writer *writer = NULL;
	struct rlog_string *const many = calloc(20, sizeof(*many));
	struct rlog_fact fact = { .key = "argv", .type = RLOG_FACT_TEXTS, .texts = many };
	char *const text = calloc(1, RLOG_MAX_STRING_BYTES);
	struct rlog_batch batch;
	struct rlog_error err;

	if (!many || !text || rlog_batch_init(&batch, 4)) {
		tap_bail("no memory");
	}
	tap_ok(rlog_writer_create(&writer, fd, &wrong, &err) == -RLOG_E_ARGUMENT && !writer,
	       "E_ARGUMENT: level 10");
	writer = sample_create(fd, 1);
	tap_is_int(rlog_writer_put_capture(writer, NULL, 0, &err), 0, "no facts are taken");
	tap_is_int(rlog_writer_put_strings(writer, 1, &nothing, 1, &err), 0,
	           "so is an empty string");
	tap_is_int(rlog_writer_put_strings(writer, 0, many, 9, NULL), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: string 0");
	tap_is_int(rlog_writer_put_strings(writer, 3, &string, 1, &err), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: a string beyond the next one");
	tap_is_int(rlog_writer_put_defs(writer, 1, &def, 1, &err), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: a definition beyond the next one");
	batch.stream = 1;
	tap_is_int(rlog_writer_put_events(writer, &batch, 0, &err), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: no events");
	rlog_batch_append(&batch, 1, RLOG_OP_POP, 0, 0, 0);
	batch.stream = 0;
	tap_is_int(rlog_writer_put_events(writer, &batch, 0, &err), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: events of stream 0");
	batch.stream = 1;
	tap_is_int(rlog_writer_put_events(writer, &batch, 0, &err), 0, "one event is taken");
	tap_is_int(rlog_writer_put_events(writer, &batch, 0, &err), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: the same event again");
	for (fact.text_count = 0; fact.text_count < 20; fact.text_count++) {
		many[fact.text_count] = (struct rlog_string){ text, RLOG_MAX_STRING_BYTES, 0 };
	}
	tap_is_int(rlog_writer_put_capture(writer, &fact, 1, &err), -RLOG_E_FULL,
	           "E_FULL: facts over 1 MiB");
	tap_is_int(rlog_writer_finish(writer, "clean", 0, &err), 0, "the log is finished");
	batch.sequence = 1;
	tap_is_int(rlog_writer_put_events(writer, &batch, 0, &err), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: events behind the end");
	tap_is_int(rlog_writer_finish(writer, "clean", 0, &err), -RLOG_E_ARGUMENT,
	           "E_ARGUMENT: a second end");
	rlog_writer_destroy(writer);
	rlog_batch_fini(&batch);
	free(many);
	free(text);
	(void) close(fd);
}

int main(void)
{
	if (!mkdtemp(folder)) {
		tap_bail("no temporary folder");
	}
	memcpy(path, folder, sizeof(folder) - 1);
	memcpy(path + sizeof(folder) - 1, "/log", sizeof("/log"));
	test_names();
	test_set();
	test_open();
	test_pipe();
	test_damage();
	test_arguments();
	(void) unlink(path);
	(void) rmdir(folder);
	return tap_done();
}
