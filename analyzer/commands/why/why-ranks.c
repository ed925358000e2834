/* SPDX-License-Identifier: MIT */
/* analyzer why FILE...: says which ranks of a run delay the others, and why. */
#include "analyzer/commands/why/why-ranks.h"

#include <stdio.h>

#include "analyzer/advice/advice-ranks.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/why/why-alone.h"
#include "analyzer/footer/footer.h"
#include "analyzer/reports/reports.h"
#include "analyzer/table/table-wrap.h"

#define LEAST_BYTES 1000 /* the tables get at least this many bytes with --brief */

/* Appends "Of 8 ranks rank 5 is slower: ..." as a paragraph. Return: false if nothing could be
 * compared. */
static bool put_paragraph(struct ra_util_text *text, const struct ra_cmd_inputs *inputs,
                          size_t width)
{
	const struct ra_files files = { inputs->models[0], inputs->models, inputs->ranks,
		                        inputs->count };
	struct ra_advice_ranks ranks = { 0 };
	size_t start;
	bool has;

	ra_advice_ranks_init(&ranks, &files);
	ra_util_text_format(text, "Of %zu ranks ", inputs->count);
	start = text->length;
	ra_advice_ranks_put(text, &ranks);
	has = text->length > start;
	ra_util_text_format(text, ".\n\n");
	ra_table_wrap_from(text, 0, width);
	ra_advice_ranks_fini(&ranks);
	return has;
}

/* Prints the paragraph, and leaves the rest of the bytes of --brief for the tables. Return: false
 * if nothing could be compared. */
static bool print_paragraph(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	struct ra_util_text text = { 0 };

	if (!put_paragraph(&text, inputs, options->width)) {
		ra_util_text_free(&text);
		return false;
	}
	if (options->brief > 0) {
		options->brief = options->brief > text.length + LEAST_BYTES
		                         ? options->brief - text.length
		                         : LEAST_BYTES;
	}
	options->has_finding = true;
	(void) ra_util_text_write(&text, stdout); /* main() checks whether stdout was written */
	ra_util_text_free(&text);
	return true;
}

int ra_why_ranks(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	int code = ra_cmd_stats_check_inputs(options, inputs);

	if (code != 0) {
		return code;
	}
	ra_cmd_stats_select(options, inputs);
	options->model = inputs->models[0];
	options->reports[0] = &ra_report_stragglers;
	options->reports[1] = &ra_report_overlap;
	options->report_count = 2;
	ra_cmd_screen_page();
	code = options->form->frame == RA_TABLE_FRAME_JSON || print_paragraph(options, inputs)
	               ? ra_cmd_stats_print(options, inputs)
	               : ra_why_alone(options, false);
	ra_cmd_stats_free_selects(options);
	fflush(stdout); /* errors come after the results */
	for (size_t i = 0; i < inputs->count; i++) {
		(void) ra_cmd_print_lacks(inputs->paths[i], inputs->models[i]);
		if (code == 0 && options->strict && ra_footer_is_incomplete(inputs->models[i])) {
			code = RA_CMD_INCOMPLETE;
		}
	}
	return code;
}
