/* SPDX-License-Identifier: MIT */
/* Prints the output that all subcommands share: errors, damage, usage. */
#include "analyzer/commands/shared/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/io/outfile.h"
#include "analyzer/model/model.h"
#include "analyzer/read-log/chunks/density.h"
#include "analyzer/footer/kineto-footer.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/table/forms/table-forms.h"
#include "format/wire.h"

/* At most this many damaged stretches get a line each. Further ones are only counted. */
#define DAMAGE_LINES 10

const char *ra_cmd_find_path(const char *word)
{
	return strcmp(word, "-") == 0 ? "/dev/stdin" : word;
}

const char *ra_cmd_running = "";

int ra_cmd_usage(const char *format, ...)
{
	va_list list;

	fputs("analyzer: ", stderr);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, "; see analyzer %s%s--help\n", ra_cmd_running,
	        ra_cmd_running[0] == '\0' ? "" : " ");
	return RA_CMD_USAGE;
}

int ra_cmd_take_form(const char *word, const struct ra_table_form **form)
{
	for (size_t i = 0; ra_table_forms_all[i] != NULL; i++) {
		if (strcmp(ra_table_forms_all[i]->name, word) == 0) {
			*form = ra_table_forms_all[i];
			return 0;
		}
	}
	return ra_cmd_usage("--format: \"%s\" is not a form of tables", word);
}

int ra_cmd_take_output(const char **output, const char *value)
{
	if (*output != NULL) {
		return ra_cmd_usage("-o is given twice: %s and %s", *output, value);
	}
	*output = value;
	return 0;
}

int ra_cmd_take_size(const char *option, const char *value, size_t *size)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number > UINT32_MAX) {
		return ra_cmd_usage("%s: \"%s\" is not a number of rows or columns", option, value);
	}
	*size = (size_t) number;
	return 0;
}

int ra_cmd_print_error(const char *path, const struct rlog_error *err)
{
	char text[100];

	fprintf(stderr, "analyzer: %s: ", path);
	if (err->offset != RLOG_NO_OFFSET) {
		fprintf(stderr, "offset %" PRIu64 ": ", err->offset);
	}
	fputs(err->message, stderr);
	if (err->code == RLOG_E_SYSTEM && err->sys_errno != 0) {
		fprintf(stderr, ": %s", ra_cmd_errno_text(err->sys_errno, text, sizeof(text)));
	}
	fputc('\n', stderr);
	return RA_CMD_UNREADABLE;
}

bool ra_cmd_print_damages(const char *path, const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(reader, &count);

	for (size_t i = 0; i < count && i < DAMAGE_LINES; i++) {
		fprintf(stderr, "analyzer: %s: offset %" PRIu64 ": %" PRIu64 " bytes skipped: %s\n",
		        path, damages[i].offset, damages[i].bytes, damages[i].what);
	}
	if (count > DAMAGE_LINES) {
		fprintf(stderr, "analyzer: %s: and %zu more damaged stretches\n", path,
		        count - DAMAGE_LINES);
	}
	/* If the file ends inside a chunk, that has been reported already. */
	if (count > 0 && damages[count - 1].code == RLOG_E_TRUNCATED) {
		return false;
	}
	if (!rlog_reader_is_closed(reader)) {
		fprintf(stderr,
		        "analyzer: %s: offset %" PRIu64
		        ": the log ends without its end mark; all before is shown\n",
		        path, rlog_reader_size_bytes(reader));
		return false;
	}
	return count == 0;
}

/* Reports what is wrong with the traces of captures that were read beside the input. */
static void print_captures(const char *path, const struct ra_kineto_captured *captured)
{
	const char *line = captured != NULL ? captured->notes : NULL;

	while (line != NULL && *line != '\0') {
		const int length = (int) strcspn(line, "\n");

		fprintf(stderr, "analyzer: %s: %.*s\n", path, length, line);
		line += length;
		line += *line == '\n';
	}
}

void ra_cmd_print_unmatched(const char *path, const struct ra_model *model)
{
	const char *text = ra_model_has(model, RA_HAS_ROWS)
	                           ? ra_kineto_footer_find_unmatched(model->kineto)
	                           : NULL;

	if (text != NULL) {
		fprintf(stderr, "analyzer: %s: %s\n", path, text);
	}
}

void ra_cmd_print_captures(const char *path, const struct ra_model *model)
{
	if (ra_model_has(model, RA_HAS_ROWS)) {
		print_captures(path, model->kineto->captured);
		ra_cmd_print_unmatched(path, model);
	}
}

bool ra_cmd_print_lacks(const char *path, const struct ra_model *model)
{
	const struct rlog_error *stop;

	if (ra_model_has(model, RA_HAS_LOG)) {
		return ra_cmd_print_damages(path, model->reader);
	}
	if (!ra_model_has(model, RA_HAS_ROWS)) {
		return true; /* a file with such damage is rejected as a whole */
	}
	stop = model->kineto->stop;
	print_captures(path, model->kineto->captured);
	if (stop->code != 0) {
		fprintf(stderr, "analyzer: %s: offset %" PRIu64 ": %s; %s is shown\n", path,
		        stop->offset, stop->message,
		        model->kineto->goes_on ? "the rest" : "what stands before");
	}
	return stop->code == 0;
}

/* A part of a log also says what is missing in the log from which it was cut. */
static bool is_of_incomplete(const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_fact *end = rlog_reader_borrow_end(reader, &count);
	bool is = false;

	for (size_t i = 0; i < count; i++) {
		is |= end[i].u64 > 0 && (strcmp(end[i].key, "part_missing") == 0 ||
		                         strcmp(end[i].key, "part_damaged") == 0 ||
		                         strcmp(end[i].key, "part_unclosed") == 0);
	}
	return is;
}

bool ra_cmd_is_incomplete(const struct rlog_reader *reader)
{
	size_t damages = 0;
	size_t count = 0;
	const struct rlog_loss *losses = rlog_reader_borrow_losses(reader, &count);

	rlog_reader_borrow_damages(reader, &damages);
	if (is_of_incomplete(reader)) {
		return true;
	}
	for (size_t i = 0; i < count; i++) {
		if (losses[i].cause != RLOG_CAUSE_INTERN_OVERFLOW && losses[i].count > 0) {
			return true;
		}
	}
	return damages > 0 || !rlog_reader_is_closed(reader) ||
	       rlog_reader_missing_rows(reader) > 0;
}

int ra_cmd_choose(const char *option, const char *value, const char *const words[])
{
	return ra_cmd_choose_part(option, value, strlen(value), words);
}

int ra_cmd_choose_part(const char *option, const char *value, size_t length,
                       const char *const words[])
{
	for (int i = 0; words[i] != NULL; i++) {
		if (strlen(words[i]) == length && memcmp(words[i], value, length) == 0) {
			return i;
		}
	}
	fprintf(stderr, "analyzer: %s: \"%.*s\" is not one of", option, (int) length, value);
	for (int i = 0; words[i] != NULL; i++) {
		fprintf(stderr, "%s %s", i > 0 ? "," : "", words[i]);
	}
	fputc('\n', stderr);
	return -1;
}

const char *ra_cmd_errno_text(int sys_errno, char *buffer, size_t size)
{
	const char *text = strerrordesc_np(sys_errno);

	if (text != NULL) {
		snprintf(buffer, size, "%s", text);
	} else {
		snprintf(buffer, size, "error %d", sys_errno);
	}
	return buffer;
}

int ra_cmd_print_unwritten(const char *path, int sys_errno)
{
	char text[100];

	if (sys_errno == ENOMEM) {
		fprintf(stderr, "analyzer: %s: not enough memory for the output%s\n", path,
		        ra_density_is_bound() ? "; --max-memory=SIZE allows for more" : "");
		return RA_CMD_UNREADABLE;
	}
	if (sys_errno == RA_OUTFILE_IS_INPUT) {
		return ra_cmd_usage("%s: the output would replace an input", path);
	}
	if (sys_errno != EPIPE) {
		fprintf(stderr, "analyzer: %s: cannot write: %s\n", path,
		        ra_cmd_errno_text(sys_errno, text, sizeof(text)));
	}
	return RA_CMD_UNWRITTEN;
}

int ra_cmd_join_exits(int sum, int next, bool is_first)
{
	if (is_first || sum == next) {
		return next;
	}
	if (sum == RA_CMD_UNWRITTEN || next == RA_CMD_UNWRITTEN) {
		return RA_CMD_UNWRITTEN;
	}
	if (sum == RA_CMD_UNREADABLE || sum == RA_CMD_PARTLY || next == RA_CMD_UNREADABLE) {
		return RA_CMD_PARTLY;
	}
	return sum > next ? sum : next;
}
