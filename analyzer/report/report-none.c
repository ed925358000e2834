/* SPDX-License-Identifier: MIT */
/* Tells in one line why a report has no rows. */
#include "analyzer/report/report-none.h"

#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/read-log/gpu/gpu-status.h"
#include "analyzer/footer/footer.h"

static bool has_gpu(const struct ra_gpu *gpu)
{
	return gpu->events > 0 || gpu->op_count > 0 || gpu->api_count > 0 || gpu->sync_count > 0;
}

/* Finds the capture's own reason: its line on missing data, or the last failure. */
static bool find_status(const struct rlog_reader *reader, struct ra_gpu_status *out, bool *has_any)
{
	static const char start[] = "no GPU data";
	struct ra_gpu_status status;
	bool found = false;
	size_t at = 0;

	*has_any = false;
	while (ra_gpu_status_next(reader, &at, &status)) {
		*has_any = true;
		if (status.text.length >= sizeof(start) - 1 &&
		    memcmp(status.text.bytes, start, sizeof(start) - 1) == 0) {
			*out = status;
			return true;
		}
		if (status.result != 0) {
			*out = status;
			found = true;
		}
	}
	return found;
}

static void put_no_gpu(struct ra_util_text *text, const struct rlog_reader *reader)
{
	struct ra_gpu_status status;
	bool has_any = false;

	if (reader != NULL && find_status(reader, &status, &has_any)) {
		if (status.text.length < 6 || memcmp(status.text.bytes, "no GPU", 6) != 0) {
			ra_util_text_format(text, "no GPU data: ");
		}
		ra_util_text_put_name(text, status.text, RA_TEXT_TERMINAL);
	} else if (reader != NULL && ra_gpu_status_is_missing(reader)) {
		ra_util_text_format(text, RA_GPU_STATUS_MISSING);
	} else if (reader != NULL && ra_gpu_status_is_off(reader)) {
		ra_util_text_format(text, RA_GPU_STATUS_OFF);
	} else if (has_any) {
		ra_util_text_format(text, "no GPU data: the program used no GPU");
	} else {
		ra_util_text_format(text, "no GPU data");
	}
}

/* For reports that look for faults: tells "nothing found" from "there was nothing to look at". */
static void put_unjudged(struct ra_util_text *text, const struct ra_report *report,
                         const struct ra_model *model)
{
	if (model->gpu.op_count > 0) {
		ra_util_text_format(text, "%s", report->none);
	} else if (has_gpu(&model->gpu)) {
		ra_util_text_format(text, "no operation of a GPU was recorded: %s",
		                    report->none_without_gpu);
	} else {
		put_no_gpu(text, model->reader);
		ra_util_text_format(text, ": %s", report->none_without_gpu);
	}
	if (ra_footer_is_incomplete(model)) {
		ra_util_text_format(text, "; events are missing, and could change that");
	}
}

/* Appends the log's line that begins with `words`. Return: false if there is none. */
static bool put_status(struct ra_util_text *text, const char *words,
                       const struct rlog_reader *reader)
{
	struct ra_gpu_status status;
	size_t at = 0;

	while (reader != NULL && ra_gpu_status_next(reader, &at, &status)) {
		if (ra_util_string_has_prefix(status.text, words)) {
			ra_util_text_put_name(text, status.text, RA_TEXT_TERMINAL);
			return true;
		}
	}
	return false;
}

void ra_report_none_put(struct ra_util_text *text, const struct ra_report *report,
                        const struct ra_model *model)
{
	ra_util_text_put_char(text, '(');
	if (ra_model_has(model, RA_HAS_ROWS) && report->none_trace != NULL) {
		ra_util_text_format(text, "%s", report->none_trace);
	} else if (report->none_status != NULL &&
	           put_status(text, report->none_status, model->reader)) {
		/* was told above */
	} else if (report->is_gpu && !has_gpu(&model->gpu)) {
		put_no_gpu(text, model->reader);
	} else if (report->none_without_gpu != NULL) {
		put_unjudged(text, report, model);
	} else {
		ra_util_text_format(text, "%s", report->none);
	}
	ra_util_text_format(text, ")\n");
}
