/* SPDX-License-Identifier: MIT */
/* Does what the commands on summaries share. */
#include "analyzer/commands/shared/sums.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/side/pool.h"
#include "analyzer/batch/batch-ahead.h"
#include "analyzer/commands/shared/messages.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/rules.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/io/outfile.h"
#include "analyzer/load/load.h"
#include "analyzer/steps/steps.h"

#define MOST_WHOLE 20 /* at most this many inputs without a step are named */

static int take_steps(struct ra_cmd_sums *sums, const char *value)
{
	const char *wrong = ra_steps_check_only(value);

	sums->batch.steps = value;
	return wrong == NULL ? 0 : ra_cmd_usage("--steps: \"%s\" is not %s", value, wrong);
}

int ra_cmd_sums_take(struct ra_cmd_sums *sums, int option, const char *value)
{
	int code = -1;

	switch (option) {
	case 'n':
		code = ra_cmd_names_take_form(&sums->names, value);
		break;
	case 'R':
		code = ra_cmd_names_take_rename(&sums->names, value);
		break;
	case 'A':
		code = ra_cmd_rules_take(&sums->batch.load.link, value);
		break;
	case 'G':
		code = ra_cmd_rules_take_captures(&sums->batch.load.captures, value);
		break;
	case 'T':
		sums->batch.step_range = value;
		code = 0;
		break;
	case 'Q':
		code = take_steps(sums, value);
		break;
	case 'P':
		sums->batch.load.with_python = true;
		code = 0;
		break;
	default:
		break;
	}
	if (code == 0) {
		if (sums->option == NULL && option != 'Q') {
			sums->option = rlog_options_find_name(ra_cmd_option_table, option);
		}
		ra_util_text_format(&sums->words, "%s%c %s", sums->words.length == 0 ? "" : "\n",
		                    option, value == NULL ? "" : value);
	}
	return code;
}

int ra_cmd_sums_take_jobs(size_t *workers, const char *value)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number == 0 ||
	    number > RA_CMD_SUMS_MOST_JOBS) {
		return ra_cmd_usage("--jobs: \"%s\" is not a number from 1 to %u", value,
		                    RA_CMD_SUMS_MOST_JOBS);
	}
	*workers = (size_t) number;
	ra_pool_set_jobs(*workers);
	return 0;
}

int ra_cmd_sums_check(const struct ra_cmd_sums *sums, const struct ra_batch_inputs *inputs)
{
	const char *option = sums->option != NULL        ? sums->option
	                     : sums->batch.steps != NULL ? "steps"
	                                                 : NULL;

	if (option == NULL || inputs->count == 0) {
		return 0;
	}
	for (size_t i = 0; i < inputs->count; i++) {
		if (!ra_sum_file_is(inputs->rows[i].path)) {
			return 0;
		}
	}
	return ra_cmd_usage("--%s takes logs or traces, not summaries", option);
}

void ra_cmd_sums_finish(struct ra_cmd_sums *sums)
{
	ra_util_text_put_char(&sums->words, '\0');
	sums->batch.words = sums->words.bytes;
	sums->batch.names = sums->names.labels;
}

static int tell_lacks(void *context, const struct ra_batch_input *input,
                      const struct ra_model *model, struct rlog_error *err)
{
	(void) context;
	(void) err;
	(void) ra_cmd_print_lacks(input->path, model);
	ra_cmd_print_unmatched(input->path, model);
	return 0;
}

static int tell_captures(void *context, const struct ra_batch_input *input,
                         const struct ra_model *model, struct rlog_error *err)
{
	(void) context;
	(void) err;
	ra_cmd_print_captures(input->path, model);
	return 0;
}

void ra_cmd_sums_tell_captures(struct ra_cmd_sums *sums)
{
	sums->batch.see_model = tell_captures;
}

void ra_cmd_sums_tell_lacks(struct ra_cmd_sums *sums)
{
	sums->batch.see_model = tell_lacks;
}

void ra_cmd_sums_fini(struct ra_cmd_sums *sums)
{
	ra_cmd_names_free(&sums->names);
	ra_util_text_free(&sums->words);
}

static int collect(struct ra_batch_inputs *inputs, const char *name, const char *leave_out)
{
	const size_t before = inputs->count;
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };

	if (ra_batch_inputs_add(inputs, name, leave_out, &err) != 0) {
		return ra_cmd_print_error(name, &err);
	}
	return inputs->count > before
	               ? 0
	               : ra_cmd_usage(
				 "%s: no file here ends in .bin, .json, .json.gz, .sqlite or .sum",
				 name);
}

int ra_cmd_sums_collect(struct ra_batch_inputs *inputs, char *const *names, size_t count,
                        const char *leave_out)
{
	int code = count == 0 ? ra_cmd_usage("no file given") : 0;

	for (size_t i = 0; i < count && code == 0; i++) {
		code = collect(inputs, names[i], leave_out);
	}
	ra_batch_inputs_order(inputs, 0);
	return code;
}

int ra_cmd_sums_list(struct ra_batch_inputs *inputs, char *const *names, size_t count)
{
	int code = count == 0 ? ra_cmd_usage("no file given") : 0;

	for (size_t i = 0; i < count && code == 0; i++) {
		const size_t before = inputs->count;

		code = collect(inputs, ra_cmd_find_path(names[i]), NULL);
		ra_batch_inputs_order(inputs, before);
	}
	return code;
}

static int load_set(struct ra_sum_set *set, const char *path, struct rlog_error *err)
{
	struct ra_batch_options options = { .words = "", .without_paths = true };
	struct ra_cmd_progress progress = { 0 };
	const char *slash = strrchr(path, '/');
	const struct ra_batch_input input = { .path = (char *) path,
		                              .run = (char *) "",
		                              .source = slash == NULL ? path : slash + 1 };
	struct ra_sum_file file = { 0 };
	int rc;

	ra_cmd_progress_watch(&progress, &options.load);
	rc = ra_batch_one(&file, &input, &options, err);
	ra_cmd_progress_end(&progress);
	if (rc == 0) {
		rc = ra_sum_set_add_file(set, &file);
		if (rc != 0) {
			(void) rlog_error_set(err, -rc, RLOG_NO_OFFSET, "the summary is damaged");
		}
	}
	ra_sum_file_fini(&file);
	return rc;
}

int ra_cmd_sums_open(struct rlog_reader **reader, struct ra_sum_set *set, const char *path,
                     struct rlog_error *err)
{
	struct rlog_error other = { .offset = RLOG_NO_OFFSET };
	int rc;

	*reader = NULL;
	if (ra_sum_file_is(path)) {
		return load_set(set, path, err);
	}
	rc = ra_load_log(reader, path, err);
	if (rc == -RLOG_E_NOT_A_LOG) {
		const int other_rc = load_set(set, path, &other);

		if (other_rc == 0 || other_rc == -RLOG_E_NO_MEMORY) {
			*err = other;
			return other_rc;
		}
	}
	return rc;
}

/* Reads the next input. Return: as ra_batch_one(), with a line on stderr. */
static int read_next(struct ra_batch_ahead *ahead, struct ra_sum_file *file,
                     const struct ra_batch_input *input, struct ra_cmd_progress *progress)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_util_text messages = { 0 };
	const int rc = ra_batch_ahead_take(ahead, file, &messages, &err);

	ra_cmd_progress_end(progress);
	ra_cmd_messages_put_lines(&messages);
	ra_util_text_free(&messages);
	if (rc != 0) {
		(void) ra_cmd_print_error(input->path, &err);
	}
	return rc;
}

void ra_cmd_sums_whole_see(struct ra_cmd_sums_whole *whole, const struct ra_sum_file_part *from)
{
	struct ra_sum_part part = { 0 };

	if (whole->range == NULL) {
		return;
	}
	/* If a part can't be unpacked, the code that uses it reports that. */
	if (ra_sum_file_unpack(from, &part) == 0) {
		whole->seen++;
		if (part.is_whole && whole->whole++ < MOST_WHOLE) {
			ra_util_text_format(&whole->lines, "analyzer: ");
			ra_util_text_put_name(&whole->lines, from->origin.run, RA_TEXT_TERMINAL);
			ra_util_text_format(&whole->lines, from->origin.run.length > 0 ? "/" : "");
			ra_util_text_put_name(&whole->lines, from->origin.source, RA_TEXT_TERMINAL);
			ra_util_text_format(&whole->lines,
			                    ": no range is named %s: the whole recording is step "
			                    "0\n",
			                    whole->range);
		}
	}
	ra_sum_fini(&part);
}

void ra_cmd_sums_whole_tell(struct ra_cmd_sums_whole *whole)
{
	if (whole->whole > 1 && whole->whole == whole->seen) {
		ra_util_text_clear(&whole->lines);
		ra_util_text_format(&whole->lines,
		                    "analyzer: no range of these %zu inputs is named %s: each "
		                    "whole recording is step 0\n",
		                    whole->seen, whole->range);
	} else if (whole->whole > MOST_WHOLE) {
		ra_util_text_format(&whole->lines,
		                    "analyzer: and %zu more inputs, of %zu, without a range named "
		                    "%s\n",
		                    whole->whole - MOST_WHOLE, whole->seen, whole->range);
	}
	(void) ra_util_text_write(&whole->lines, stderr);
	ra_util_text_free(&whole->lines);
}

int ra_cmd_sums_read(struct ra_sum_file *file, const struct ra_batch_inputs *inputs,
                     const struct ra_cmd_sums *sums)
{
	struct ra_batch_options options = sums->batch;
	struct ra_cmd_progress progress = { .count = inputs->count };
	struct ra_cmd_sums_whole whole = { .range = sums->batch.step_range };
	struct ra_batch_ahead *ahead;
	size_t bad = 0;

	ra_cmd_progress_watch(&progress, &options.load);
	ahead = ra_batch_ahead_create(inputs, &options, sums->workers);
	for (size_t i = 0; i < inputs->count; i++) {
		const size_t before = file->count;
		const bool is_summary = ra_sum_file_is(inputs->rows[i].path);

		progress.index = i;
		bad += read_next(ahead, file, &inputs->rows[i], &progress) != 0;
		for (size_t part = before; part < file->count && !is_summary; part++) {
			ra_cmd_sums_whole_see(&whole, &file->parts[part]);
		}
	}
	ra_batch_ahead_destroy(ahead);
	ra_cmd_sums_whole_tell(&whole);
	return bad == 0 ? 0 : bad == inputs->count ? RA_CMD_UNREADABLE : RA_CMD_PARTLY;
}

int ra_cmd_sums_write(const struct ra_sum_file *file, const char *path)
{
	struct ra_outfile out;
	int code = ra_outfile_open(&out, path);
	int rc;

	if (code != 0) {
		return ra_cmd_print_unwritten(path, code);
	}
	rc = ra_sum_file_write(file, &out.buffer);
	if (rc == 0) {
		code = ra_outfile_commit(&out);
	} else {
		ra_outfile_abandon(&out);
		/* EIO: an input that was good can't be read a second time */
		code = rc == -RLOG_E_NO_MEMORY ? ENOMEM : EIO;
	}
	return code == 0 ? 0 : ra_cmd_print_unwritten(path, code);
}

void ra_cmd_sums_order(struct ra_sum_file *file)
{
	const size_t dropped = ra_sum_file_order(file);

	if (dropped > 0) {
		fprintf(stderr, "analyzer: %zu %s given more than once: read once\n", dropped,
		        dropped == 1 ? "input was" : "inputs were");
	}
}

int ra_cmd_sums_merge(struct ra_sum_file *file, const char *path)
{
	const size_t dropped = ra_sum_file_order(file);

	if (dropped > 0) {
		fprintf(stderr, "analyzer: %s: %zu %s there more than once: read once\n", path,
		        dropped, dropped == 1 ? "input was" : "inputs were");
	}
	return ra_cmd_sums_write(file, path);
}
