/* SPDX-License-Identifier: MIT */
/* analyzer batch --emit: writes outputs for each input, besides its summary. */
#include "analyzer/commands/batch/batch-emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/commands/batch/batch-reports.h"
#include "analyzer/base/alloc.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/shared/out-list.h"
#include "analyzer/io/outfile.h"
#include "format/codec.h"

/* The folder in OUT that holds outputs, so that no input's name clashes with OUT's own files. */
#define FOLDER "traces"

/* "json" means the timeline, as with -o. Tables as JSON are in OUT/report.json. */
static const struct ra_table_form *find_form(const char *word)
{
	for (size_t i = 0; ra_table_forms_all[i] != NULL; i++) {
		const struct ra_table_form *form = ra_table_forms_all[i];

		if (form != &ra_table_forms_json &&
		    (strcmp(word, form->name) == 0 || strcmp(word, form->suffix) == 0)) {
			return form;
		}
	}
	return NULL;
}

/* Finds an output by suffix, with or without .gz, or by the name that --to takes. */
static const struct ra_out *find_out(const char *word, char *suffix, size_t size)
{
	const struct ra_out *out;
	char path[32];

	snprintf(path, sizeof(path), ".%s", word);
	out = ra_out_list_find_by_suffix(path);
	if (out != NULL && strncmp(path, out->suffix, strlen(out->suffix)) == 0) {
		snprintf(suffix, size, "%s", word);
		return out;
	}
	out = ra_out_list_find_by_name(word);
	if (out != NULL) {
		snprintf(suffix, size, "%s", out->suffix + 1);
	}
	return out;
}

static int take_word(struct ra_cmd_batch_emits *emits, const char *word)
{
	struct ra_cmd_batch_emit emit = { .form = find_form(word) };
	const char *lack;

	if (emit.form != NULL) {
		snprintf(emit.suffix, sizeof(emit.suffix), "%s", emit.form->suffix);
	} else {
		emit.out = find_out(word, emit.suffix, sizeof(emit.suffix));
	}
	if (emit.form == NULL && emit.out == NULL) {
		return ra_cmd_usage("--emit: expected a suffix that -o takes, or table, csv, tsv, "
		                    "jsonl, md or sql, found \"%s\"",
		                    word);
	}
	lack = emit.out != NULL && emit.out->find_lack != NULL ? emit.out->find_lack() : NULL;
	if (lack != NULL) {
		fprintf(stderr, "analyzer: --emit: %s: %s\n", word, lack);
		return RA_CMD_UNWRITTEN;
	}
	if (emit.out != NULL && emit.out->write_file != NULL &&
	    ra_outfile_has_suffix(emit.suffix, ".gz")) {
		return ra_cmd_usage("--emit: %s cannot be packed", emit.out->name);
	}
	for (size_t i = 0; i < emits->count; i++) {
		if (strcmp(emits->rows[i].suffix, emit.suffix) == 0) {
			return 0;
		}
	}
	if (emits->count == RA_CMD_BATCH_EMITS) {
		return ra_cmd_usage("--emit takes %d forms at most", RA_CMD_BATCH_EMITS);
	}
	emits->rows[emits->count++] = emit;
	return 0;
}

int ra_cmd_batch_emit_take(struct ra_cmd_batch_emits *emits, const char *words)
{
	for (const char *at = words;; at++) {
		const size_t length = strcspn(at, ",");
		char word[24];
		int code;

		if (length >= sizeof(word)) {
			return ra_cmd_usage(
				"--emit: expected a list such as json.gz,table, found \"%s\"",
				words);
		}
		memcpy(word, at, length);
		word[length] = '\0';
		code = take_word(emits, word);
		if (code != 0) {
			return code;
		}
		at += length;
		if (*at == '\0') {
			return 0;
		}
	}
}

char *ra_cmd_batch_emit_path(const struct ra_cmd_batch_emit *emit,
                             const struct ra_batch_input *input)
{
	return ra_alloc_format(FOLDER "/%s.%s", input->name, emit->suffix);
}

static char *join(const struct ra_cmd_batch_emits *emits, const struct ra_cmd_batch_emit *emit,
                  const struct ra_batch_input *input)
{
	char *below = ra_cmd_batch_emit_path(emit, input);
	char *path = ra_alloc_format("%s/%s", emits->output, below);

	free(below);
	return path;
}

/* Makes all folders around the file below OUT. Return: 0, or an errno. */
static int make_folders(char *path, size_t output)
{
	for (size_t i = output + 1; path[i] != '\0'; i++) {
		int code = 0;

		if (path[i] != '/') {
			continue;
		}
		path[i] = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST) {
			code = errno;
		}
		path[i] = '/';
		if (code != 0) {
			return code;
		}
	}
	return 0;
}

static int refuse(struct rlog_error *err, const struct ra_cmd_batch_emit *emit, int code)
{
	errno = code == RA_OUTFILE_IS_INPUT ? 0 : code;
	return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
	                      code == RA_OUTFILE_IS_INPUT ? "its output .%s would replace an input"
	                                                  : "its output .%s cannot be written",
	                      emit->suffix);
}

/* A model and, with --steps, its view of the chosen steps. */
struct seen {
	const struct ra_model *model;
	const struct ra_select *select; /* the view; NULL: all steps */
};

/* Return: 0, or an errno. */
static int write_out(const struct ra_cmd_batch_emits *emits, const struct ra_cmd_batch_emit *emit,
                     const struct ra_batch_input *input, const struct seen *seen, const char *path)
{
	const bool is_view = seen->select != NULL && !emit->out->has_reports;
	const struct ra_model *model = is_view ? &seen->select->things : seen->model;
	const int64_t own = model->process_count > 0 ? model->processes[0].rank : -1;
	const int64_t rank = own >= 0 ? own : 0;
	struct ra_out_options options = {
		.output_name = strrchr(path, '/') + 1,
		.input_name = input->source,
		.names = emits->sums->names.labels,
		.step_range = emits->sums->batch.step_range,
		.steps = emits->sums->batch.steps,
		.select = is_view ? NULL : seen->select,
		.without_log = seen->select != NULL,
		.ranks = &rank,
		.model_count = 1,
	};
	struct ra_out_report report = { 0 };
	struct ra_outfile file;
	int code = ra_outfile_open(&file, path);

	if (!emits->sums->names.has_form) {
		options.names.is_raw = !emit->out->has_figures;
	}
	if (code != 0) {
		return code;
	}
	if (emit->out->write_file != NULL) {
		code = file.temp_path == NULL
		               ? EINVAL
		               : emit->out->write_file(model, &options, file.temp_path, &report);
	} else {
		emit->out->write(model, &options, &file.buffer, &report);
	}
	if (code != 0) {
		ra_outfile_abandon(&file);
		return code;
	}
	return ra_outfile_commit(&file);
}

/* Makes the path of a file which records that the outputs of this name belong to this part. An
 * earlier input of the same name may have had other content. */
static char *name_mark(const struct ra_cmd_batch_emits *emits, const struct ra_batch_input *input)
{
	const uint32_t crc = rlog_codec_crc(input->name, strlen(input->name));

	return ra_alloc_format("%s/parts/%08x" RA_CMD_BATCH_EMIT_MARK, emits->output,
	                       (unsigned) crc);
}

static void put_mark(struct ra_util_text *text, const struct ra_cmd_batch_emits *emits,
                     const struct ra_batch_input *input, const char *part)
{
	ra_util_text_format(text, "%s\n%s\n", part, input->name);
	for (size_t i = 0; i < emits->count; i++) {
		ra_util_text_format(text, "%s\n", emits->rows[i].suffix);
	}
}

static void remove_mark(const struct ra_cmd_batch_emits *emits, const struct ra_batch_input *input)
{
	char *path = name_mark(emits, input);

	(void) unlink(path);
	free(path);
}

/* If this fails, a later batch only makes the outputs again. */
static void write_mark(const struct ra_cmd_batch_emits *emits, const struct ra_batch_input *input,
                       const char *part)
{
	char *path = name_mark(emits, input);
	struct ra_util_text text = { 0 };
	struct ra_outfile out;

	put_mark(&text, emits, input, part);
	if (ra_outfile_open(&out, path) == 0) {
		ra_outbuf_put(&out.buffer, text.bytes, text.length);
		(void) ra_outfile_commit(&out);
	}
	ra_util_text_free(&text);
	free(path);
}

static bool has_mark(const struct ra_cmd_batch_emits *emits, const struct ra_batch_input *input,
                     const char *part)
{
	char *path = name_mark(emits, input);
	FILE *file = fopen(path, "re");
	struct ra_util_text text = { 0 };
	bool has = file != NULL;

	put_mark(&text, emits, input, part);
	for (size_t i = 0; i < text.length && has; i++) {
		has = fgetc(file) == (unsigned char) text.bytes[i];
	}
	has = has && fgetc(file) == EOF;
	if (file != NULL) {
		fclose(file);
	}
	ra_util_text_free(&text);
	free(path);
	return has;
}

static int write_outs(const struct ra_cmd_batch_emits *emits, const struct ra_batch_input *input,
                      const struct seen *seen, struct rlog_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < emits->count && rc == 0; i++) {
		const struct ra_cmd_batch_emit *emit = &emits->rows[i];
		char *path;
		int code;

		if (emit->out == NULL) {
			continue;
		}
		path = join(emits, emit, input);
		code = make_folders(path, strlen(emits->output));
		code = code != 0 ? code : write_out(emits, emit, input, seen, path);
		rc = code == 0 ? 0 : refuse(err, emit, code);
		free(path);
	}
	return rc;
}

static bool has_steps(const struct ra_model *model, const struct ra_steps_options *chosen)
{
	const struct ra_steps_options all = { .range = chosen->range };
	struct ra_steps steps;

	ra_steps_init(&steps, model, &all);
	const bool has = ra_steps_has_any(&steps, chosen->only);

	ra_steps_fini(&steps);
	return has;
}

/* Runs in the worker, as does the next function. */
static int see_model(void *context, const struct ra_batch_input *input,
                     const struct ra_model *model, struct rlog_error *err)
{
	const struct ra_cmd_batch_emits *emits = context;
	const struct ra_steps_options chosen = { emits->sums->batch.step_range,
		                                 emits->sums->batch.steps };
	struct seen seen = { .model = model };
	struct ra_select select;
	int rc;

	ra_cmd_print_captures(input->path, model);
	remove_mark(emits, input);
	if (chosen.only == NULL) {
		return write_outs(emits, input, &seen, err);
	}
	if (!has_steps(model, &chosen)) {
		return 0; /* the code that summarises reports the error */
	}
	seen.select = &select;
	ra_select_init(&select, model, &chosen);
	rc = write_outs(emits, input, &seen, err);
	ra_select_fini(&select);
	return rc;
}

static int see_summary(void *context, const struct ra_batch_input *input, const char *part,
                       const struct ra_sum_file *file, struct rlog_error *err)
{
	const struct ra_cmd_batch_emits *emits = context;
	struct ra_sum_set set = { 0 };
	int rc = ra_sum_set_add_file(&set, file);

	remove_mark(emits, input);
	if (rc != 0) {
		rc = rlog_error_set(err, -rc, RLOG_NO_OFFSET, "its summary cannot be read");
	}
	for (size_t i = 0; i < emits->count && rc == 0; i++) {
		const struct ra_cmd_batch_emit *emit = &emits->rows[i];
		char *path;
		int code;

		if (emit->form == NULL) {
			continue;
		}
		path = join(emits, emit, input);
		code = make_folders(path, strlen(emits->output));
		code = code != 0 ? code : ra_cmd_batch_reports_put(&set, path, emit->form);
		rc = code == 0 ? 0 : refuse(err, emit, code);
		free(path);
	}
	ra_sum_set_fini(&set);
	if (rc == 0) {
		write_mark(emits, input, part);
	}
	return rc;
}

/* A summary has no timeline. */
static bool has_outputs(void *context, const struct ra_batch_input *input, const char *part)
{
	const struct ra_cmd_batch_emits *emits = context;
	const bool is_sum = ra_sum_file_is(input->path);
	bool has = has_mark(emits, input, part);

	for (size_t i = 0; i < emits->count && has; i++) {
		const struct ra_cmd_batch_emit *emit = &emits->rows[i];
		char *path = join(emits, emit, input);

		has = (is_sum && emit->out != NULL) || access(path, F_OK) == 0;
		free(path);
	}
	return has;
}

static bool has_timelines(const struct ra_cmd_batch_emits *emits)
{
	bool has = false;

	for (size_t i = 0; i < emits->count; i++) {
		has |= emits->rows[i].out != NULL;
	}
	return has;
}

void ra_cmd_batch_emit_set_options(struct ra_batch_options *options,
                                   struct ra_cmd_batch_emits *emits)
{
	if (emits->count > 0) {
		options->see_model = see_model;
		options->see_context = emits;
		options->sees_ranges = has_timelines(emits);
	}
}

void ra_cmd_batch_emit_set_job(struct ra_batch_job *job, struct ra_cmd_batch_emits *emits)
{
	if (emits->count > 0) {
		job->see_summary = see_summary;
		job->has_outputs = has_outputs;
		job->context = emits;
	}
}
