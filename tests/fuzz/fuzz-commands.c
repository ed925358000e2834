/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a file given to the analyzer's commands, as they are and as a log with
 * its CRCs put right. Whatever it is, a command ends with one of its exit codes. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/commands/list.h"
#include "format/wire.h"
#include "tests/fuzz/fuzz-repair.h"

#define WORDS 10

/* The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* IN and OUT stand for files. */
static const char *const lines[][WORDS] = {
	{ "stats", "-r", "all", "IN" },
	{ "stats", "-r", "all", "-f", "json", "--python", "--group-by", "path", "IN" },
	{ "stats", "-r", "all", "--compat=hta", "-f", "csv", "IN" },
	{ "stats", "-r", "all", "--compat=tb", "IN" },
	{ "stats", "-r", "all", "--compat=torch", "-f", "md", "IN" },
	{ "stats", "-r", "ranges,kernels,launch", "--steps", "1-2", "-w", "80", "IN" },
	{ "analyze", "IN" },
	{ "analyze", "-o", "OUT.json", "IN" },
	{ "summarize", "-o", "OUT.sum", "IN" },
	{ "diff", "IN", "IN" },
	{ "slice", "--from", "1us", "--to", "1ms", "-o", "OUT.bin", "IN" },
	{ "dump", "IN" },
	{ "dump", "--slices", "IN" },
	{ "info", "IN" },
	{ "verify", "IN" },
};

#define LINES (sizeof(lines) / sizeof(lines[0]))

/* The folder for what is written, in memory where there is such a place; removed at the end. */
static char folder[] = "/dev/shm/fuzz-commands.XXXXXX";

static void remove_outputs(void)
{
	static const char *const names[] = { "out.json", "out.sum", "out.bin" };
	char path[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void) snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		(void) unlink(path);
	}
}

static void remove_folder(void)
{
	remove_outputs();
	(void) rmdir(folder);
}

/* The words of a line, IN and OUT replaced; they begin at argv[0]. Return: their number. */
static int fill(char *const texts[WORDS], char **argv, const char *const *line, const char *in)
{
	int count = 0;

	for (; count < WORDS && line[count] != NULL; count++) {
		argv[count] = texts[count];
		if (strcmp(line[count], "IN") == 0) {
			(void) snprintf(texts[count], 256, "%s", in);
		} else if (strncmp(line[count], "OUT", 3) == 0) {
			(void) snprintf(texts[count], 256, "%s/out%s", folder, line[count] + 3);
		} else {
			(void) snprintf(texts[count], 256, "%s", line[count]);
		}
	}
	argv[count] = NULL;
	return count;
}

static void run(const char *const *line, const char *in)
{
	char buffers[WORDS][256];
	char *texts[WORDS];
	char *argv[WORDS + 1];
	const struct ra_cmd *const command = ra_cmd_list_find(line[0]);
	int code;

	for (int i = 0; i < WORDS; i++) {
		texts[i] = buffers[i];
	}
	optind = 0; /* getopt begins again */
	code = command->run(fill(texts, argv, line, in), argv);
	/* A command without options is always understood. If it is not, options of the command
	 * before were not reset, and every line but the first would fail. */
	if (code < RA_CMD_OK || code > RA_CMD_UNWRITTEN ||
	    (code == RA_CMD_USAGE && strcmp(line[1], "IN") == 0)) {
		abort();
	}
}

static void run_lines(const uint8_t *data, size_t size)
{
	const int file = memfd_create("input", MFD_CLOEXEC);
	char in[64];

	(void) snprintf(in, sizeof(in), "/proc/self/fd/%d", file);
	if (file >= 0 && write(file, data, size) == (ssize_t) size) {
		for (size_t i = 0; i < LINES; i++) {
			run(lines[i], in);
			remove_outputs();
		}
	}
	(void) close(file);
}

/* What commands print goes nowhere, but a sanitizer's words stay visible: these go to descriptor 2.
 */
static FILE *hush(void)
{
	static bool has_folder;
	FILE *const nowhere = fopen("/dev/null", "we");

	if (!has_folder) {
		has_folder = mkdtemp(folder) != NULL && atexit(remove_folder) == 0;
	}
	if (nowhere == NULL || !has_folder) {
		abort();
	}
	return nowhere;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *const nowhere = hush();
	FILE *const err = stderr;
	uint8_t *const copy = malloc(size + 1);
	int out;

	(void) fflush(stdout);
	out = dup(STDOUT_FILENO);
	(void) dup2(fileno(nowhere), STDOUT_FILENO);
	stderr = nowhere;
	run_lines(data, size);
	if (copy != NULL && size >= RLOG_HEADER_BYTES &&
	    memcmp(data, RLOG_MARKER, RLOG_MARKER_BYTES) == 0) {
		memcpy(copy, data, size);
		fuzz_repair(copy, size);
		run_lines(copy, size);
	}
	(void) fflush(stdout);
	stderr = err;
	(void) dup2(out, STDOUT_FILENO);
	(void) close(out);
	(void) fclose(nowhere);
	free(copy);
	return 0;
}
