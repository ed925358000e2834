/* SPDX-License-Identifier: MIT */
/* What the commands on summaries share. */
#include "analyzer/commands/cmd-sums.h"

#include <errno.h>
#include <string.h>

#include "analyzer/commands/cmd-rules.h"
#include "analyzer/commands/cmd.h"
#include "analyzer/io/outfile.h"

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
	case 'T':
		sums->batch.step_range = value;
		code = 0;
		break;
	case 'P':
		sums->batch.load.with_python = true;
		code = 0;
		break;
	default:
		break;
	}
	if (code == 0) {
		ra_util_text_format(&sums->words, "%s%c %s", sums->words.length == 0 ? "" : "\n",
		                    option, value == NULL ? "" : value);
	}
	return code;
}

static int refuse_memory(void)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };

	(void) rlog_error_set(&err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "not enough memory");
	return ra_cmd_print_error("files", &err);
}

int ra_cmd_sums_finish(struct ra_cmd_sums *sums)
{
	ra_util_text_put_char(&sums->words, '\0');
	if (sums->words.failed) {
		return refuse_memory();
	}
	sums->batch.words = sums->words.bytes;
	sums->batch.names = sums->names.labels;
	return 0;
}

void ra_cmd_sums_fini(struct ra_cmd_sums *sums)
{
	ra_cmd_names_free(&sums->names);
	ra_util_text_free(&sums->words);
}

int ra_cmd_sums_collect(struct ra_batch_inputs *inputs, char *const *names, size_t count,
                        const char *leave_out)
{
	if (count == 0) {
		return ra_cmd_usage("no file given");
	}
	for (size_t i = 0; i < count; i++) {
		const size_t before = inputs->count;
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };

		if (ra_batch_inputs_add(inputs, names[i], leave_out, &err) != 0) {
			return ra_cmd_print_error(names[i], &err);
		}
		if (inputs->count == before) {
			return ra_cmd_usage(
				"%s: no file here ends in .bin, .json, .json.gz or .sum", names[i]);
		}
	}
	ra_batch_inputs_order(inputs);
	return 0;
}

int ra_cmd_sums_read(struct ra_sum_file *file, const struct ra_batch_inputs *inputs,
                     const struct ra_cmd_sums *sums)
{
	size_t bad = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };

		if (ra_batch_one(file, &inputs->rows[i], &sums->batch, &err) != 0) {
			(void) ra_cmd_print_error(inputs->rows[i].path, &err);
			bad++;
		}
	}
	return bad == 0 ? 0 : bad == inputs->count ? RA_CMD_UNREADABLE : RA_CMD_PARTLY;
}

int ra_cmd_sums_write(const struct ra_sum_file *file, const char *path)
{
	struct ra_outfile out;
	int code = ra_outfile_open(&out, path);

	if (code == 0) {
		ra_sum_file_write(file, &out.buffer);
		code = ra_outfile_commit(&out);
	}
	return code == 0 ? 0 : ra_cmd_print_unwritten(path, code);
}

int ra_cmd_sums_merge(struct ra_sum_file *file, const char *path)
{
	const size_t dropped = ra_sum_file_order(file);

	if (dropped > 0) {
		fprintf(stderr, "analyzer: %s: %zu %s there more than once: taken once\n", path,
		        dropped, dropped == 1 ? "input was" : "inputs were");
	}
	return ra_cmd_sums_write(file, path);
}
