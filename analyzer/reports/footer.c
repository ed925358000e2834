/* SPDX-License-Identifier: MIT */
/* The report "footer": which data a file lacks, and which repairs were made, as a table. */
#include "analyzer/reports/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/model/files.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/footer/footer.h"
#include "analyzer/footer/footer-graphs.h"
#include "analyzer/footer/footer-lacks.h"
#include "analyzer/report/report-steps.h"

enum column {
	CAUSE,
	COUNT,
	RANKS,
	TEXT,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[CAUSE] = { "cause", "Cause", RA_TABLE_TEXT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[RANKS] = { "ranks", "Ranks", RA_TABLE_TEXT, NULL },
	[TEXT] = { "text", "Meaning", RA_TABLE_TEXT, NULL },
};

/* A statement about one file, or about several. */
struct said {
	const char *cause;
	const char *text;
	uint64_t count;  /* sum over all these files; 0: there is nothing to count */
	int64_t time_ns; /* time over all these files, which is shown before the text; 0: none */
	size_t files;
	struct ra_util_text ranks; /* numbers of their ranks */
};

struct sayings {
	struct said *rows; /* owned; in order of first use */
	size_t count;
	size_t capacity;
	int64_t rank; /* rank of the current file */
};

/* Adds a statement about the current file. Return: its row, valid until the next call. */
static struct said *say(struct sayings *sayings, const char *cause, uint64_t count,
                        const char *text)
{
	size_t at = 0;

	while (at < sayings->count && (strcmp(sayings->rows[at].cause, cause) != 0 ||
	                               strcmp(sayings->rows[at].text, text) != 0)) {
		at++;
	}
	if (at == sayings->count) {
		RA_UTIL_APPEND(sayings->rows, sayings->count, sayings->capacity,
		               (struct said){ .cause = cause, .text = text });
	}
	sayings->rows[at].count = ra_util_add(sayings->rows[at].count, count);
	ra_util_text_format(&sayings->rows[at].ranks, "%s%lld",
	                    sayings->rows[at].files == 0 ? "" : ", ", (long long) sayings->rank);
	sayings->rows[at].files++;
	return &sayings->rows[at];
}

static void put_row(struct sayings *sayings, const char *cause, const char *text)
{
	(void) say(sayings, cause, 0, text);
}

/* True if kernels ran on a GPU whose name is unknown. */
static bool lacks_name(const struct ra_gpu *gpu)
{
	for (size_t i = 0; i < gpu->queue_count; i++) {
		const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[i].device);

		if (device == NULL || device->name == 0) {
			return gpu->op_count > 0;
		}
	}
	return false;
}

static bool has_shapes(const struct ra_kineto *kineto)
{
	for (uint32_t i = 0; i < kineto->count; i++) {
		if (kineto->kind[i] == RA_KINETO_CPU_OP && ra_kineto_get_shape(kineto, i) != 0) {
			return true;
		}
	}
	return false;
}

/* True if the trace tells that a profiler option was on. */
static bool was_on(const struct ra_kineto *kineto, const char *option)
{
	bool was = false;

	for (size_t i = 0; i < kineto->fact_count; i++) {
		if (ra_kineto_is_text(kineto, kineto->facts[i].key, option)) {
			was = ra_kineto_is_text(kineto, kineto->facts[i].json, "1") ||
			      ra_kineto_is_text(kineto, kineto->facts[i].json, "true");
		}
	}
	return was;
}

/* True if Python functions are ranges in this model (--python). */
static bool has_python(const struct ra_model *model)
{
	for (size_t i = 0; i < model->domain_count; i++) {
		if (ra_util_string_is(ra_model_string(model, model->domains[i].name),
		                      "python_function")) {
			return true;
		}
	}
	return false;
}

/* Adds statements about data that PyTorch's profiler records only on request. */
static void put_options(const struct ra_model *model, struct sayings *said)
{
	const struct ra_kineto *kineto = model->kineto;

	if (kineto->kind_count[RA_KINETO_CPU_OP] == 0) {
		return;
	}
	if (kineto->kind_count[RA_KINETO_MEMORY] == 0) {
		put_row(said, "no_memory",
		        was_on(kineto, "profile_memory")
		                ? "the trace has no memory events, though profile_memory was on: "
		                  "PyTorch allocated nothing, or did not record it"
		                : "the trace has no memory events: who holds memory is "
		                  "not known (profile_memory=True)");
	}
	if (!has_shapes(kineto)) {
		put_row(said, "no_shapes",
		        was_on(kineto, "record_shapes")
		                ? "no operator has the sizes of its inputs, though record_shapes "
		                  "was on: FLOP/s are not known"
		                : "no operator has the sizes of its inputs: FLOP/s are "
		                  "not known (record_shapes=True)");
	}
	if (kineto->kind_count[RA_KINETO_PYTHON_FUNCTION] > 0 && !has_python(model)) {
		(void) say(
			said, "python_unused", kineto->kind_count[RA_KINETO_PYTHON_FUNCTION],
			"Python functions are recorded: gaps, advice and critical-path show them; "
			"--python makes them ranges, too");
	}
	if (kineto->kind_count[RA_KINETO_PYTHON_FUNCTION] == 0) {
		put_row(said, "no_python",
		        was_on(kineto, "with_stack")
		                ? "the trace has no Python functions, though with_stack was on: "
		                  "the launching lines are not known"
		                : "the trace has no Python functions: the launching lines are not "
		                  "known (with_stack=True)");
	}
}

/*
 * Adds statements about data that a trace could have and this one lacks. Nothing is lost, but some
 * questions can't be answered. For a log, `analyzer info` tells what was captured. In a compat
 * mode, the model has only the data that the lines above need. The report `ranks` tells which of
 * several traces have steps.
 */
static void put_absent(struct ra_report_input *input, const struct ra_model *model,
                       struct sayings *said)
{
	if (model->reader != NULL || input->compat != RA_COMPAT_NONE) {
		return;
	}
	if (input->model_count <= 1 && ra_report_steps_is_whole(input)) {
		put_row(said, "no_steps",
		        "no range is a step: times are of the whole recording (--step-range NAME "
		        "makes ranges steps)");
	}
	if (model->gpu.op_count == 0) {
		put_row(said, "no_gpu_work", "the trace has no GPU work");
	}
	if (lacks_name(&model->gpu)) {
		put_row(said, "no_gpu_name", "a GPU has no name: shares of its peak are not known");
	}
	if (ra_model_has(model, RA_HAS_ROWS)) {
		put_options(model, said);
	}
}

/* Adds statements about data on ranks, waits and collectives that the trace lacks. The table owns
 * the texts. */
static void put_lacks(struct ra_report_input *input, const struct ra_model *model,
                      struct ra_table *table, struct sayings *said)
{
	struct ra_footer_lack lacks[RA_FOOTER_LACKS];
	size_t count = 0;

	if (input->compat == RA_COMPAT_NONE) {
		count = ra_footer_lacks_find(model, ra_report_file_count(input), lacks);
	}
	for (size_t i = 0; i < count; i++) {
		const struct rlog_string text = ra_table_take_text(table, &lacks[i].text);

		(void) say(said, lacks[i].key, lacks[i].count, text.bytes);
	}
}

/* Adds statements about work whose call the file lacks. */
static void put_gpu(const struct ra_gpu *gpu, struct sayings *said)
{
	if (gpu->lacks_calls) {
		return;
	}
	if (gpu->early > 0) {
		(void) say(said, "early", gpu->early,
		           "GPU operations were launched before the recording");
	}
	if (gpu->no_call > gpu->early) {
		(void) say(said, "no_call", gpu->no_call - gpu->early,
		           "GPU operations have no API call in the file");
	}
}

/* Adds a statement about kernels of CUDA graphs that the file probably lacks. */
static void put_graphs(const struct ra_model *model, struct sayings *said)
{
	const int64_t idle_ns = ra_footer_graphs_find(model);

	if (idle_ns > 0) {
		struct said *row = say(said, "graph_gaps", 0, ra_footer_graphs_words);

		row->time_ns = ra_util_add_time(row->time_ns, idle_ns);
	}
}

static struct ra_table_cell make_text(const struct said *said, struct ra_table *table)
{
	struct ra_util_text text = { 0 };

	if (said->time_ns == 0) {
		return ra_table_make_word(said->text);
	}
	ra_util_text_put_time(&text, said->time_ns);
	ra_util_text_format(&text, " %s", said->text);
	return ra_table_make_text(ra_table_take_text(table, &text));
}

static void put_table(const struct said *said, size_t files, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	struct ra_util_text ranks = { 0 };

	cells[CAUSE] = ra_table_make_word(said->cause);
	cells[TEXT] = make_text(said, table);
	if (said->count > 0) {
		cells[COUNT] = ra_table_make_count(said->count);
	}
	if (files > 1 && said->files == files) {
		cells[RANKS] = ra_table_make_word("all");
	} else if (files > 1) {
		ra_util_text_put(&ranks, said->ranks.bytes, said->ranks.length);
		cells[RANKS] = ra_table_make_text(ra_table_take_text(table, &ranks));
	}
}

static void fill_footer(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_files files = ra_report_files(input);
	const size_t file_count = ra_files_count(&files);
	struct sayings sayings = { 0 };

	for (size_t f = 0; f < file_count; f++) {
		struct ra_footer_line lines[RA_FOOTER_LINES];
		const struct ra_model *model = ra_files_model(&files, f);
		const size_t count = ra_footer_collect(model, lines);

		sayings.rank = ra_files_rank(&files, f);
		for (size_t i = 0; i < count; i++) {
			(void) say(&sayings, lines[i].key, lines[i].count, lines[i].text);
		}
		put_gpu(&model->gpu, &sayings);
		put_graphs(model, &sayings);
		put_absent(input, model, &sayings);
		put_lacks(input, model, table, &sayings);
	}
	if (file_count == 1) {
		ra_table_hide(table, RANKS);
	}
	for (size_t i = 0; i < sayings.count; i++) {
		put_table(&sayings.rows[i], file_count, table);
		ra_util_text_free(&sayings.rows[i].ranks);
	}
	free(sayings.rows);
}

const struct ra_report ra_report_footer = {
	.name = "footer",
	.reads_several = true,
	.scope = RA_REPORT_OF_ALL,
	.needs = RA_REPORT_NEEDS_FACTS,
	.compat = ~0u,
	.title = "Footer",
	.summary = "what the file lacks, and what was repaired in it",
	.columns = columns,
	.column_count = COLUMNS,
	.none = "nothing that was recorded is missing; `analyzer why` says how much time was in no "
		"range and no call",
	.fill = fill_footer,
};
