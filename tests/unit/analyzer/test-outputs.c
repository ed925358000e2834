/* SPDX-License-Identifier: MIT */
/* Tests the building blocks of outputs: numbers, escaped names, files that are complete or absent,
 * rows of Perfetto. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/io/jsonw.h"
#include "analyzer/timeline/layout/layout.h"
#include "analyzer/io/outfile.h"
#include "tests/tap.h"

static void test_numbers(void)
{
	char got[64];
	char wanted[64];
	bool is_same = true;
	uint64_t power = 1;

	for (int digits = 1; digits <= 20; digits++, power *= 10) {
		for (uint64_t i = 0; i < 3; i++) {
			const uint64_t value = power + i - 1;

			*ra_outbuf_decimal(got, value) = '\0';
			snprintf(wanted, sizeof(wanted), "%" PRIu64, value);
			is_same = is_same && strcmp(got, wanted) == 0;
		}
	}
	tap_ok(is_same, "numbers around every power of ten are as printf writes them");
	*ra_outbuf_decimal(got, UINT64_MAX) = '\0';
	tap_is_text(got, "18446744073709551615", "the largest number has its 20 digits");
	*ra_outbuf_signed(got, INT64_MIN) = '\0';
	tap_is_text(got, "-9223372036854775808", "the smallest number has its sign");
	*ra_outbuf_micros(got, 0) = '\0';
	tap_is_text(got, "0.000", "0 ns are 0.000 us");
	*ra_outbuf_micros(got, 1234567) = '\0';
	tap_is_text(got, "1234.567", "ns become the decimals of us");
	*ra_outbuf_micros(got, -1005) = '\0';
	tap_is_text(got, "-1.005", "a negative time keeps its zeros");
	*ra_outbuf_micros(got, INT64_MAX) = '\0';
	tap_is_text(got, "9223372036854775.807", "the latest time is exact");
	*ra_outbuf_micros_within(got, 50607) = '\0';
	tap_is_text(got, "0050.607", "the last digits of a time have their zeros");
	*ra_outbuf_micros_within(got, RA_OUTBUF_STRETCH_NS - 1) = '\0';
	tap_is_text(got, "9999.999", "and are at most seven");
}

static void check_escape(const char *bytes, size_t count, const char *wanted, const char *sentence)
{
	char *got = malloc(count * RA_UTIL_JSON_GROWTH + 1);

	if (got == NULL) {
		tap_bail("no memory");
	}
	*ra_util_json_escape(got, bytes, count) = '\0';
	tap_is_text(got, wanted, "%s", sentence);
	free(got);
}

static void test_escape(void)
{
	check_escape("a\"b\\c/", 6, "a\\\"b\\\\c/", "quotes and backslashes are escaped");
	check_escape("\b\f\n\r\t\x01\x1F\x00", 8, "\\b\\f\\n\\r\\t\\u0001\\u001f\\u0000",
	             "control characters are escaped, NUL too");
	check_escape("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 9,
	             "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "UTF-8 stays as it is");
	check_escape("\xFF.\xC3", 3, "\xEF\xBF\xBD.\xEF\xBF\xBD",
	             "what is no UTF-8 becomes U+FFFD");
	check_escape("\xE2\x82.", 3, "\xEF\xBF\xBD.", "half a character becomes one U+FFFD");
	check_escape("\xED\xA0\x80", 3, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
	             "a surrogate is no UTF-8");
	check_escape("\xC0\x80\xE0\x80\x80", 5,
	             "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
	             "longer forms than needed are no UTF-8");
	check_escape("\xF4\x8F\xBF\xBF\xF4\x90\x80\x80", 8,
	             "\xF4\x8F\xBF\xBF\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
	             "U+10FFFF is the last character");
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
		tap_bail("cannot write %s", path);
	}
}

static long size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (long) status.st_size : -1;
}

static void test_files(const char *folder)
{
	char path[300];
	struct ra_outfile file;

	snprintf(path, sizeof(path), "%s/out.json", folder);
	write_file(path, "old");
	tap_is_int(ra_outfile_open(&file, path), 0, "a file that exists can be written");
	ra_outbuf_text(&file.buffer, "new text");
	ra_outbuf_flush(&file.buffer);
	tap_is_int(size_of(path), 3, "until the end the old text is there");
	ra_outfile_abandon(&file);
	tap_is_int(size_of(path), 3, "and also when the output is given up");
	ra_outfile_open(&file, path);
	for (int i = 0; i < 3000; i++) {
		ra_outbuf_printf(&file.buffer, "%01000d", i);
	}
	tap_is_int(ra_outfile_commit(&file), 0, "an output larger than the buffer is completed");
	tap_is_int(size_of(path), 3000000, "and all of it is there");
	unlink(path);
	ra_outfile_open(&file, path);
	tap_is_int(ra_outfile_commit(&file), 0, "an empty output is completed");
	tap_is_int(size_of(path), 0, "as an empty file");
	unlink(path);
	snprintf(path, sizeof(path), "%s/none/out.json", folder);
	tap_is_int(ra_outfile_open(&file, path), ENOENT, "a folder that is not there is an error");
	tap_ok(rmdir(folder) == 0, "nothing else was left in the folder");
}

/* True if the file has this text: `head`, then so many lines with their numbers. */
static bool has_lines(const char *path, const char *head, int lines)
{
	FILE *in = fopen(path, "r");
	char line[32];
	char wanted[32];
	bool is_same =
		in != NULL && fgets(line, sizeof(line), in) != NULL && strcmp(line, head) == 0;

	for (int i = 0; i < lines && is_same; i++) {
		snprintf(wanted, sizeof(wanted), "%d\n", i);
		is_same = fgets(line, sizeof(line), in) != NULL && strcmp(line, wanted) == 0;
	}
	is_same = is_same && fgetc(in) == EOF;
	if (in != NULL) {
		fclose(in);
	}
	return is_same;
}

static void put_lines(struct ra_outbuf *out, int lines)
{
	for (int i = 0; i < lines; i++) {
		ra_outbuf_printf(out, "%d\n", i);
	}
}

static void test_insertion(const char *folder)
{
	char path[300];
	struct ra_outfile file;
	int ends[2];

	snprintf(path, sizeof(path), "%s/out.pftrace", folder);
	ra_outfile_open(&file, path);
	tap_ok(ra_outbuf_can_insert(&file.buffer), "bytes can be inserted into a new file");
	put_lines(&file.buffer, 1000);
	ra_outbuf_flush(&file.buffer);
	tap_ok(!ra_outbuf_can_insert(&file.buffer), "not into one that has some already");
	ra_outbuf_restart(&file.buffer);
	put_lines(&file.buffer, 300000); /* several parts to move */
	ra_outbuf_insert(&file.buffer, "head\n", 5);
	tap_ok(file.buffer.flushed_bytes == 5 + 1988890, "inserted bytes are counted");
	tap_is_int(ra_outfile_commit(&file), 0, "the output is completed");
	tap_ok(has_lines(path, "head\n", 300000), "what was inserted is before all else");
	unlink(path);
	snprintf(path, sizeof(path), "%s/out.gz", folder);
	ra_outfile_open(&file, path);
	tap_ok(!ra_outbuf_can_insert(&file.buffer), "a packed file can't be changed");
	ra_outfile_abandon(&file);
	if (pipe(ends) == 0) {
		struct ra_outbuf out;

		ra_outbuf_init(&out, ends[1], false);
		tap_ok(!ra_outbuf_can_insert(&out), "nor can a pipe");
		ra_outbuf_fini(&out);
		close(ends[0]);
		close(ends[1]);
	}
}

/* Two processes whose numbers collide, and threads without proper numbers. */
static void test_rows(void)
{
	struct ra_process processes[4] = {
		{ .pid = 100 }, { .pid = 100 }, { .pid = 15 }, { .pid = 0 }
	};
	struct ra_track tracks[5] = {
		{ .process = 0, .tid = 7, .first_ns = 0, .last_ns = 10 },
		{ .process = 0, .tid = 7, .first_ns = 11, .last_ns = 20 },
		{ .process = 0, .tid = 7, .first_ns = 20, .last_ns = 30 },
		{ .process = 1, .tid = 7, .first_ns = 0, .last_ns = 10 },
		{ .process = 1, .tid = 4194304, .first_ns = 0, .last_ns = 10 },
	};
	const struct ra_model model = {
		.processes = processes,
		.process_count = 4,
		.tracks = tracks,
		.track_count = 5,
	};
	struct ra_layout *layout = ra_layout_create(&model);

	if (layout == NULL) {
		tap_bail("no memory");
	}
	tap_is_uint(ra_layout_find_pid(layout, 0), 100, "a process keeps its number");
	tap_is_uint(ra_layout_find_pid(layout, 1), 5000001,
	            "a second one of that number gets another");
	tap_is_uint(ra_layout_find_pid(layout, 2), 5000002, "and so does one that would be a GPU");
	tap_is_uint(ra_layout_find_pid(layout, 3), 5000003, "and one without a number");
	tap_is_uint(ra_layout_find_tid(layout, 0), 7, "a thread keeps its number");
	tap_is_uint(ra_layout_find_tid(layout, 1), 7,
	            "a later one with that number shares the row");
	tap_is_uint(ra_layout_find_tid(layout, 2), 10000000, "one at the same time has its own");
	tap_is_uint(ra_layout_find_tid(layout, 3), 7, "the other process has its own numbers");
	tap_is_uint(ra_layout_find_tid(layout, 4), 10000001, "no thread of Linux has this number");
	ra_layout_destroy(layout);
}

int main(void)
{
	char folder[] = "/tmp/test-outputs.XXXXXX";

	test_numbers();
	test_escape();
	if (mkdtemp(folder) == NULL) {
		tap_bail("no folder");
	}
	test_insertion(folder);
	test_files(folder);
	test_rows();
	return tap_done();
}
