/* SPDX-License-Identifier: MIT */
/* The reports that a batch writes for a summary. */
#include "analyzer/commands/batch/batch-reports.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/io/outfile.h"
#include "analyzer/page/page-of.h"

const char *const ra_cmd_batch_reports_names[] = {
	"report.txt", "report.csv", "report.json", "report.html", NULL,
};

/* The forms of these files; NULL: the page. */
static const struct ra_table_form *const forms[] = {
	&ra_table_forms_text,
	&ra_table_forms_csv,
	&ra_table_forms_json,
	NULL,
};

int ra_cmd_batch_reports_put(const struct ra_sum_set *set, const char *path,
                             const struct ra_table_form *form)
{
	struct ra_sum_report_options options = { .reports = ra_sum_report_all, .form = form };
	struct ra_util_text text = { 0 };
	struct ra_outfile out;
	int code;

	while (ra_sum_report_all[options.report_count] != NULL) {
		options.report_count++;
	}
	ra_sum_report_put(&text, set, &options);
	code = ra_outfile_open(&out, path);
	if (code == 0) {
		ra_outbuf_put(&out.buffer, text.bytes, text.length);
		code = ra_outfile_commit(&out);
	}
	ra_util_text_free(&text);
	return code;
}

static int put_page(const struct ra_sum_set *set, const char *path)
{
	struct ra_outfile out;
	int code = ra_outfile_open(&out, path);

	if (code != 0) {
		return code;
	}
	ra_page_of_sums_write(set, "report", &out.buffer);
	return ra_outfile_commit(&out);
}

int ra_cmd_batch_reports_write(const struct ra_sum_file *file, const char *output)
{
	struct ra_sum_set set = { 0 };
	int code = 0;

	if (ra_sum_set_add_file(&set, file) != 0) {
		code = ra_cmd_print_unwritten(output, ENOMEM);
	}
	for (size_t i = 0; ra_cmd_batch_reports_names[i] != NULL && code == 0; i++) {
		char *path = ra_alloc_format("%s/%s", output, ra_cmd_batch_reports_names[i]);

		code = forms[i] == NULL ? put_page(&set, path)
		                        : ra_cmd_batch_reports_put(&set, path, forms[i]);
		if (code != 0) {
			code = ra_cmd_print_unwritten(path, code);
		}
		free(path);
	}
	ra_sum_set_fini(&set);
	return code;
}
