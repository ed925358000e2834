/* SPDX-License-Identifier: MIT */
/* analyzer stats --by rank, for reports that read one file: makes them for each input and joins
 * their rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/batch/batch-inputs.h"
#include "analyzer/commands/shared/messages.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/footer/footer.h"
#include "analyzer/summary-file/report/sum-set.h"
#include "analyzer/table/table-wrap.h"

#define MOST_FEET 20 /* for at most this many inputs, users are told what is missing */

/* The data of an input that are kept, while its model is freed. */
struct rank {
	const char *path;            /* borrowed from the inputs, as are the texts in `source` */
	struct ra_sum_source source; /* its rank and number of events */
	struct ra_table *tables;     /* owned; one for each report */
	size_t table_count;
	struct ra_util_text foot; /* remarks on this input alone */
};

struct ranks {
	struct ra_cmd_stats *options;
	struct rank *all; /* owned; the inputs that could be read */
	size_t count;
	struct ra_model *first; /* owned: the first model, which explains why a table is empty */
};

static void free_rank(struct rank *rank)
{
	for (size_t i = 0; i < rank->table_count; i++) {
		ra_table_fini(&rank->tables[i]);
	}
	free(rank->tables);
	ra_util_text_free(&rank->foot);
}

/* Copies a table with its texts, which are borrowed from the model. */
static void copy_rows(struct ra_table *to, const struct ra_table *from)
{
	ra_table_init(to, from->columns, from->column_count);
	to->absent = from->absent;
	to->cut_count = from->cut_count;
	to->unmade_count = from->unmade_count;
	to->unmade_ns = from->unmade_ns;
	for (size_t row = 0; row < from->row_count; row++) {
		struct ra_table_cell *cells = ra_table_add_row(to);

		for (size_t c = 0; c < from->column_count; c++) {
			cells[c] = from->cells[row * from->column_count + c];
			if (from->columns[c].kind == RA_TABLE_TEXT && cells[c].has_value) {
				cells[c].u.text = ra_table_keep_text(to, cells[c].u.text.bytes,
				                                     cells[c].u.text.length);
			}
		}
	}
}

static void make_tables(struct rank *rank, const struct ra_cmd_stats *options,
                        struct ra_report_input *input)
{
	struct ra_query query = options->query;

	/* With --sort, the rows of all inputs are sorted together and cut afterwards. */
	query.limit = query.sort == NULL ? query.limit : 0;
	for (size_t i = 0; i < options->report_count; i++) {
		struct ra_table table;

		ra_report_make(options->reports[i], input, &query, &table);
		copy_rows(&rank->tables[rank->table_count++], &table);
		ra_table_fini(&table);
	}
}

/* Keeps the remarks on this input alone. */
static void put_foot(struct rank *rank, const struct ra_cmd_stats *options,
                     const struct ra_model *model, const struct ra_report_input *input)
{
	struct ra_footer_line lines[RA_FOOTER_LINES];
	struct ra_util_text *foot = &rank->foot;

	switch (options->form->frame) {
	case RA_TABLE_FRAME_JSON:
		ra_util_text_put_char(foot, '{');
		ra_report_put_figures_json(foot, input);
		ra_cmd_stats_put_steps_json(foot, options, 0);
		ra_footer_put_json_members(foot, model);
		ra_util_text_put_char(foot, '}');
		break;
	case RA_TABLE_FRAME_TITLES:
		ra_report_put_figures(foot, input);
		ra_cmd_stats_put_steps(foot, options, 0, "");
		ra_cmd_stats_put_others(foot, options, model);
		if (ra_footer_collect(model, lines) > 0) {
			ra_footer_put_text(foot, model, "");
		}
		break;
	case RA_TABLE_FRAME_ROWS:
		ra_cmd_stats_put_steps(foot, options, 0, "analyzer: ");
		if (ra_footer_collect(model, lines) > 0) {
			ra_footer_put_text(foot, model, "analyzer: ");
		}
		break;
	}
}

/* Makes all reports of a model. Return: 0; an exit code with a line on stderr. */
static int make_rank(struct rank *rank, struct ra_cmd_stats *options, struct ra_model *model,
                     struct ra_cmd_inputs *one)
{
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_report_input input = {
		.model = model,
		.model_count = 1,
		.settings = &options->settings,
		.group_by = options->query.group_by,
		.labels = &labels,
		.kernels = &kernels,
	};
	const int code = ra_cmd_stats_check_inputs(options, one);

	if (code != 0) {
		return code;
	}
	ra_cmd_stats_select(options, one);
	input.selects = options->selects;
	ra_labels_init(&labels, model, &options->names.labels);
	ra_labels_init(&kernels, model, &options->kernels);
	rank->tables = ra_alloc_zeros(options->report_count, sizeof(*rank->tables));
	make_tables(rank, options, &input);
	put_foot(rank, options, model, &input);
	ra_report_fini_input(&input);
	ra_cmd_stats_free_selects(options);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
	return 0;
}

static void describe(struct rank *rank, const struct ra_batch_input *input,
                     const struct ra_model *model)
{
	const struct ra_quality *quality = &model->quality;
	struct ra_sum_source *source = &rank->source;

	rank->path = input->path;
	source->run = ra_util_string(input->run);
	source->source = ra_util_string(input->source);
	source->rank = model->process_count > 0 ? model->processes[0].rank : -1;
	source->state = ra_footer_is_complete(model)     ? RA_SUM_COMPLETE
	                : ra_footer_is_incomplete(model) ? RA_SUM_INCOMPLETE
	                                                 : RA_SUM_LOSSY;
	source->events = quality->events;
	source->lost = quality->missing_rows;
	for (size_t i = 0; i < sizeof(quality->lost) / sizeof(quality->lost[0]); i++) {
		source->lost = ra_util_add(source->lost, quality->lost[i]);
	}
}

/* Reads an input and makes its reports. Return: 0, RA_CMD_PARTLY if the file can't be read, another
 * exit code. */
static int read_rank(struct ranks *ranks, const struct ra_batch_input *input,
                     const struct ra_load_options *load)
{
	struct rank *rank = &ranks->all[ranks->count];
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_cmd_inputs one = { .paths = (char **) &input->path, .count = 1 };
	struct ra_model *model = NULL;
	int code;

	if (ra_sum_file_is(input->path)) {
		fprintf(stderr, "analyzer: %s: a summary has no figures for these reports\n",
		        input->path);
		return RA_CMD_PARTLY;
	}
	if (ra_load_file(&model, input->path, load, &err) != 0) {
		(void) ra_cmd_print_error(input->path, &err);
		return RA_CMD_PARTLY;
	}
	describe(rank, input, model);
	one.models = &model;
	one.ranks = &rank->source.rank;
	ranks->count++;
	code = make_rank(rank, ranks->options, model, &one);
	(void) ra_cmd_print_lacks(input->path, model);
	if (ranks->first == NULL) {
		ranks->first = model; /* if all tables are empty, it explains why */
	} else {
		ra_model_destroy(model);
	}
	return code;
}

/* Orders by run, then by rank. Files without a rank in their name keep their order. */
static int compare_ranks(const void *a, const void *b)
{
	const struct rank *left = a;
	const struct rank *right = b;
	int order = ra_util_string_compare(left->source.run, right->source.run);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, source.rank));
	return RA_ORDER_THEN(order, strcmp(left->path, right->path));
}

/* Joins the tables of a report into one, with the rank in front of each row. Its texts belong to
 * the tables. */
static void join_tables(struct ra_table *all, struct ra_table_column *columns,
                        const struct ranks *ranks, size_t report)
{
	const struct ra_report *made = ranks->options->reports[report];
	uint64_t absent = ~UINT64_C(0); /* columns hidden in all tables that have rows … */
	uint64_t never = absent;        /* … and in all tables */

	columns[0] = (struct ra_table_column){ "rank", "Rank", RA_TABLE_TEXT, NULL };
	memcpy(columns + 1, made->columns, made->column_count * sizeof(*columns));
	ra_table_init(all, columns, made->column_count + 1);
	for (size_t i = 0; i < ranks->count; i++) {
		const struct ra_table *table = &ranks->all[i].tables[report];
		struct ra_util_text name = { 0 };
		struct ra_table_cell rank;

		ra_sum_set_put_source(&name, &ranks->all[i].source);
		rank = ra_table_make_text(ra_table_take_text(all, &name));
		for (size_t row = 0; row < table->row_count; row++) {
			struct ra_table_cell *cells = ra_table_add_row(all);

			cells[0] = rank;
			memcpy(cells + 1, table->cells + row * table->column_count,
			       table->column_count * sizeof(*cells));
		}
		never &= table->absent << 1;
		absent &= table->row_count > 0 ? table->absent << 1 : absent;
		all->cut_count += table->cut_count;
		all->unmade_count += table->unmade_count;
		all->unmade_ns = ra_util_add_time(all->unmade_ns, table->unmade_ns);
	}
	/* A column is shown if any rank has it. */
	all->absent = all->row_count > 0 ? absent : never;
	if (ranks->options->query.sort != NULL) {
		ra_query_apply(&ranks->options->query, NULL, all);
	}
}

static bool has_line(const struct ra_util_text *foot, const char *line, size_t length)
{
	for (size_t at = 0; at < foot->length;) {
		const char *here = foot->bytes + at;
		const char *end = memchr(here, '\n', foot->length - at);
		const size_t size = end == NULL ? foot->length - at : (size_t) (end - here) + 1;

		if (size == length && memcmp(here, line, length) == 0) {
			return true;
		}
		at += size;
	}
	return false;
}

static bool is_of_all(const struct ranks *ranks, const char *line, size_t length)
{
	for (size_t i = 0; i < ranks->count; i++) {
		if (!has_line(&ranks->all[i].foot, line, length)) {
			return false;
		}
	}
	return true;
}

/* Appends a heading, if `head` is not NULL, and those lines of a footer that all inputs have, or
 * those that only some have. Return: false if there are none. */
static bool put_lines(struct ra_util_text *text, const struct ranks *ranks, size_t rank,
                      bool of_all, const char *head)
{
	const struct ra_util_text *foot = &ranks->all[rank].foot;
	const size_t before = text->length;

	for (size_t at = 0; at < foot->length;) {
		const char *line = foot->bytes + at;
		const char *end = memchr(line, '\n', foot->length - at);
		const size_t size = end == NULL ? foot->length - at : (size_t) (end - line) + 1;

		if (is_of_all(ranks, line, size) == of_all) {
			if (text->length == before && head != NULL) {
				ra_util_text_format(text, "%s%s:\n", head, ranks->all[rank].path);
			}
			ra_util_text_put(text, line, size);
		}
		at += size;
	}
	return text->length > before;
}

/* Appends the remarks on all inputs, or a line that they lack nothing; then the remarks on single
 * inputs. */
static void put_notes(struct ra_util_text *text, const struct ranks *ranks)
{
	const bool is_rows = ranks->options->form->frame == RA_TABLE_FRAME_ROWS;
	struct ra_sum_source *sources = ra_alloc_zeros(ranks->count + 1, sizeof(*sources));
	struct ra_sum_set set = { .sources = sources, .source_count = ranks->count };
	size_t told = 0;
	size_t more = 0;

	for (size_t i = 0; i < ranks->count; i++) {
		sources[i] = ranks->all[i].source;
	}
	ra_sum_set_put_footer(text, &set, is_rows ? "analyzer: " : "");
	(void) put_lines(text, ranks, 0, true, NULL);
	for (size_t i = 0; i < ranks->count; i++) {
		const size_t before = text->length;

		if (put_lines(text, ranks, i, false, is_rows ? "analyzer: " : "\n") &&
		    ++told > MOST_FEET) {
			text->length = before;
			more++;
		}
	}
	if (more > 0) {
		ra_util_text_format(text, "%sand %zu more inputs with remarks\n",
		                    is_rows ? "analyzer: " : "\n", more);
	}
	free(sources);
}

static void put_json_feet(struct ra_util_text *text, const struct ranks *ranks)
{
	ra_util_text_format(text, "},\n\"footers\":[");
	for (size_t i = 0; i < ranks->count; i++) {
		const struct ra_util_text *foot = &ranks->all[i].foot;

		ra_util_text_put(text, ",\n", i == 0 ? 0 : 2);
		ra_util_text_put(text, foot->bytes, foot->length);
	}
	ra_util_text_format(text, "]}\n");
}

/* The form has no place for the footer, so the footer goes to stderr after the last report. */
static void put_feet(struct ra_util_text *text, const struct ranks *ranks, bool is_last)
{
	const struct ra_cmd_stats *options = ranks->options;
	const size_t start = text->length;
	struct ra_util_text notes = { 0 };

	switch (options->form->frame) {
	case RA_TABLE_FRAME_JSON:
		put_json_feet(text, ranks);
		break;
	case RA_TABLE_FRAME_TITLES:
		ra_util_text_put_char(text, '\n');
		put_notes(text, ranks);
		if (options->form->is_wrapped) {
			ra_table_wrap_from(text, start, options->width);
		}
		break;
	case RA_TABLE_FRAME_ROWS:
		if (is_last) {
			put_notes(&notes, ranks);
			ra_cmd_messages_put_lines(&notes);
			ra_util_text_free(&notes);
		}
		break;
	}
}

/* Writes a report. The first report also gets the text before all reports, the last one the text
 * after them; a report in its own file gets both. Return: an exit code. */
static int print_report(struct ra_util_text *text, const struct ranks *ranks, char *const *paths,
                        size_t index)
{
	const struct ra_cmd_stats *options = ranks->options;
	const struct ra_report *report = options->reports[index];
	const bool has_file = options->prefix != NULL;
	const bool is_last = index + 1 == options->report_count;
	struct ra_table_column columns[RA_TABLE_MOST_COLUMNS];
	struct ra_table table;
	int code = 0;

	join_tables(&table, columns, ranks, index);
	if (has_file || index == 0) {
		ra_cmd_stats_put_head(text, options, paths, ranks->count, true);
	}
	table.name = report->name;
	ra_cmd_stats_put_table(text, options, report, &table);
	if (has_file || is_last) {
		put_feet(text, ranks, is_last);
	}
	ra_table_fini(&table);
	if (has_file) {
		code = ra_cmd_stats_save(options, report->name, text);
		ra_util_text_clear(text);
	}
	return code;
}

/* Writes all reports. Return: 0, an exit code with a line on stderr. */
static int print_all(const struct ranks *ranks)
{
	const struct ra_cmd_stats *options = ranks->options;
	struct ra_util_text text = { .out = options->prefix == NULL ? stdout : NULL };
	char **paths = ra_alloc_zeros(ranks->count + 1, sizeof(*paths));
	int code = 0;

	for (size_t i = 0; i < ranks->count; i++) {
		paths[i] = (char *) ranks->all[i].path;
	}
	for (size_t i = 0; i < options->report_count && code == 0; i++) {
		code = print_report(&text, ranks, paths, i);
	}
	if (code == 0 && options->prefix == NULL) {
		(void) ra_util_text_write(&text, stdout);
	}
	fflush(stdout);
	ra_util_text_free(&text);
	free(paths);
	return code;
}

int ra_cmd_stats_check_ranks(const struct ra_cmd_stats *options)
{
	for (size_t i = 0; i < options->report_count; i++) {
		if (options->reports[i]->reads_several) {
			return ra_cmd_usage("--by: the report \"%s\" covers all ranks already",
			                    options->reports[i]->name);
		}
	}
	if (options->form == &ra_cmd_stats_torch) {
		return ra_cmd_usage("--format torch: torch has no table of several ranks");
	}
	return 0;
}

/* Reads all inputs. Return: 0; RA_CMD_PARTLY if some could not be read; another exit code, at which
 * reading stops. */
static int read_all(struct ranks *ranks, const struct ra_batch_inputs *inputs)
{
	struct ra_load_options load = ranks->options->load;
	struct ra_cmd_progress progress = { .count = inputs->count };
	int code = 0;

	ranks->all = ra_alloc_zeros(inputs->count + 1, sizeof(*ranks->all));
	load.few_args = true;
	load.few_rows =
		ranks->options->compat == RA_COMPAT_NONE && ranks->options->settings.steps == NULL;
	ra_cmd_progress_watch(&progress, &load);
	for (size_t i = 0; i < inputs->count && (code == 0 || code == RA_CMD_PARTLY); i++) {
		int next;

		progress.index = i;
		next = read_rank(ranks, &inputs->rows[i], &load);
		ra_cmd_progress_end(&progress);
		code = next != 0 ? next : code;
	}
	if (ranks->count == 0) {
		return code == RA_CMD_PARTLY ? RA_CMD_UNREADABLE : code;
	}
	RA_SORT(ranks->all, ranks->count, compare_ranks);
	return code;
}

int ra_cmd_stats_run_ranks(struct ra_cmd_stats *options)
{
	struct ranks ranks = { .options = options };
	struct ra_batch_inputs inputs = { 0 };
	int code = ra_cmd_sums_collect(&inputs, options->files, options->file_count, NULL);

	if (code == 0) {
		code = read_all(&ranks, &inputs);
	}
	if (code == 0 || code == RA_CMD_PARTLY) {
		int printed;

		options->model = ranks.first;
		if (options->prefix == NULL) {
			ra_cmd_screen_page();
		}
		printed = print_all(&ranks);
		code = printed != 0 ? printed : code;
	}
	for (size_t i = 0; i < ranks.count && options->strict && code == 0; i++) {
		code = ranks.all[i].source.state == RA_SUM_INCOMPLETE ? RA_CMD_INCOMPLETE : 0;
	}
	for (size_t i = 0; i < ranks.count; i++) {
		free_rank(&ranks.all[i]);
	}
	free(ranks.all);
	ra_model_destroy(ranks.first);
	ra_batch_inputs_fini(&inputs);
	return code;
}
