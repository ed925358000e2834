/* SPDX-License-Identifier: MIT */
/*
 * The page: one HTML file that needs nothing else. Tables are HTML, so that they can be read
 * without a script; the script reads what it draws and sorts from the data at the end of the page,
 * which are those of `analyzer stats --format json`.
 */
#include "analyzer/page/page-of-sums.h"

#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/report/footer.h"
#include "format/error.h"

#define MEMORY_POINTS 1000 /* of a curve */

static void put_name(struct ra_util_text *html, const char *name)
{
	const struct rlog_string string = { name, (uint32_t) strlen(name), 0 };

	ra_page_html_name(html, string);
}

/* Nothing is fetched, and nothing runs but the script below, whatever a name has in it. */
static void put_head(struct ra_util_text *html, const struct ra_out_options *options)
{
	ra_util_text_format(html,
	                    "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n");
	ra_util_text_format(html,
	                    "<meta http-equiv=Content-Security-Policy content=\"default-src "
	                    "'none'; style-src '%s'; script-src '%s'; base-uri 'none'; "
	                    "form-action 'none'\">\n",
	                    ra_page_assets_css_hash, ra_page_assets_js_hash);
	ra_util_text_format(html, "<meta name=viewport content=\"width=device-width, "
	                          "initial-scale=1\">\n<meta name=color-scheme "
	                          "content=\"light dark\">\n<meta name=referrer "
	                          "content=no-referrer>\n<title>");
	put_name(html, options->input_name);
	ra_util_text_format(html, " – analyzer</title>\n<style>");
	ra_util_text_put(html, ra_page_assets_css, ra_page_assets_css_bytes);
	ra_util_text_format(html, "</style>\n</head>\n");
}

/* Traces know all GPUs of a machine, also those that the program left alone. */
static bool has_work(const struct ra_model *model, uint32_t device)
{
	for (size_t i = 0; i < model->gpu.queue_count; i++) {
		if (model->gpu.queues[i].device == device) {
			return true;
		}
	}
	return model->gpu.queue_count == 0;
}

static void put_devices(struct ra_util_text *html, const struct ra_model *model)
{
	for (size_t i = 0; i < model->gpu.device_count; i++) {
		const struct ra_gpu_device *device = &model->gpu.devices[i];

		if (!has_work(model, device->id)) {
			continue;
		}
		ra_util_text_format(html, "<li>GPU %u: ", device->id);
		ra_page_html_name(html, ra_model_string(model, device->name));
		if (device->memory_bytes > 0) {
			ra_util_text_format(html, ", ");
			ra_util_text_put_bytes(html, (int64_t) device->memory_bytes);
		}
		if (device->limits.cc_major > 0) {
			ra_util_text_format(html, ", compute capability %d.%d",
			                    device->limits.cc_major, device->limits.cc_minor);
		}
		ra_util_text_format(html, "</li>\n");
	}
}

static void put_file(struct ra_util_text *html, const struct ra_model *model)
{
	ra_util_text_format(html, "<li>");
	ra_util_text_put_time(html, model->end_ns);
	ra_util_text_format(html, " long, ");
	ra_util_text_put_count(html, model->quality.events);
	ra_util_text_format(html, " events, %s</li>\n",
	                    ra_footer_is_incomplete(model)
	                            ? "<a class=bad href=\"#losses\">not complete</a>"
	                            : "<a href=\"#losses\">nothing lost</a>");
	if (model->process_count > 0 && model->processes[0].exe[0] != '\0') {
		ra_util_text_format(html, "<li>");
		put_name(html, model->processes[0].exe);
		if (model->processes[0].host[0] != '\0') {
			ra_util_text_format(html, " on ");
			put_name(html, model->processes[0].host);
		}
		ra_util_text_format(html, "</li>\n");
	}
	put_devices(html, model);
}

/* How many files it is of. */
static size_t count_files(const struct ra_page *page)
{
	return page->set != NULL ? page->set->source_count : ra_report_file_count(&page->input);
}

static void put_top(struct ra_util_text *html, const struct ra_page *page)
{
	const size_t count = count_files(page);

	ra_util_text_format(html, "<body>\n<header>\n<h1>");
	put_name(html, page->options->input_name);
	ra_util_text_format(html, "</h1>\n<ul class=facts>\n");
	if (page->set != NULL) {
		ra_util_text_format(html, "<li>%zu inputs</li>\n", count);
	} else if (count > 1) {
		ra_util_text_format(html, "<li>%zu ranks</li>\n", count);
	} else {
		put_file(html, page->input.model);
	}
	ra_util_text_format(html, "</ul>\n</header>\n<nav aria-label=Sections>\n");
	ra_util_text_put(html, page->nav.bytes, page->nav.length);
	ra_util_text_format(html, "</nav>\n<main>\n");
}

/* The members of a summary's footer in --format json that say how much it is of. */
static void put_set_footer(struct ra_util_text *json, const struct ra_sum_set *set)
{
	uint64_t events = 0;
	uint64_t lost = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		events = ra_util_add(events, set->sources[i].events);
		lost = ra_util_add(lost, set->sources[i].lost);
	}
	ra_util_text_format(json, "},\n\"footer\":{\"inputs\":%zu,\"events\":%llu,\"lost\":%llu}}",
	                    set->source_count, (unsigned long long) events,
	                    (unsigned long long) lost);
}

/* As --format json has it: "input" with "footer", or of several files "inputs" with "footers". */
static void put_data(struct ra_util_text *json, struct ra_page *page)
{
	const size_t count = ra_report_file_count(&page->input);
	const struct rlog_string input = { page->options->input_name,
		                           (uint32_t) strlen(page->options->input_name), 0 };

	ra_util_text_format(json, "{\"input\":\"");
	ra_util_text_put_name(json, input, RA_TEXT_JSON);
	ra_util_text_format(json, "\",\n\"reports\":{\n");
	ra_util_text_put(json, page->reports.bytes, page->reports.length);
	if (page->set != NULL) {
		put_set_footer(json, page->set);
		return;
	}
	ra_util_text_format(json, "},\n\"%s", count > 1 ? "footers\":[" : "footer\":");
	for (size_t i = 0; i < count; i++) {
		ra_util_text_format(json, i == 0 ? "{" : ",\n{");
		ra_report_put_figures_json(json, &page->input);
		ra_footer_put_json_members(json, ra_report_file_model(&page->input, i));
		ra_util_text_put_char(json, '}');
	}
	ra_util_text_format(json, count > 1 ? "]}" : "}");
}

static void write_json(struct ra_outbuf *out, const char *id, const struct ra_util_text *json)
{
	ra_outbuf_printf(out, "<script type=\"application/json\" id=\"data-%s\">", id);
	ra_page_html_json(out, json->bytes, json->length);
	ra_outbuf_text(out, "</script>\n");
}

/* Everything in its order. Return: 0, -RLOG_E_NO_MEMORY. */
static int write_page(struct ra_page *page, struct ra_outbuf *out)
{
	struct ra_util_text top = { 0 };
	struct ra_util_text data = { 0 };
	struct ra_util_text timeline = { 0 };
	struct ra_util_text flame = { 0 };
	int rc = 0;

	put_head(&top, page->options);
	put_top(&top, page);
	put_data(&data, page);
	if (page->set == NULL && ra_report_file_count(&page->input) == 1) {
		rc = ra_page_timeline_put(page, &timeline);
		rc = rc != 0 ? rc : ra_page_flame_put(page, &flame);
	}
	if (top.failed || data.failed || page->body.failed || page->nav.failed ||
	    page->reports.failed || page->shapes.failed || timeline.failed || flame.failed) {
		rc = -RLOG_E_NO_MEMORY;
	}
	if (rc == 0) {
		ra_outbuf_put(out, top.bytes, top.length);
		ra_outbuf_put(out, page->body.bytes, page->body.length);
		ra_outbuf_text(out, "</main>\n");
		write_json(out, "reports", &data);
		write_json(out, "timeline", &timeline);
		write_json(out, "flame", &flame);
		ra_outbuf_text(out, "<script type=\"application/json\" id=\"data-shapes\">{");
		ra_outbuf_put(out, page->shapes.bytes, page->shapes.length);
		ra_outbuf_text(out, "}</script>\n<script>");
		ra_outbuf_put(out, ra_page_assets_js, ra_page_assets_js_bytes);
		ra_outbuf_text(out, "</script>\n</body>\n</html>\n");
	}
	ra_util_text_free(&top);
	ra_util_text_free(&data);
	ra_util_text_free(&timeline);
	ra_util_text_free(&flame);
	return rc;
}

static void free_page(struct ra_page *page)
{
	ra_util_text_free(&page->nav);
	ra_util_text_free(&page->body);
	ra_util_text_free(&page->reports);
	ra_util_text_free(&page->shapes);
}

int ra_page_of_sums_write(const struct ra_sum_set *set, const char *title, struct ra_outbuf *out)
{
	const struct ra_out_options options = { .input_name = title };
	struct ra_page page = { .options = &options, .set = set };
	int rc = ra_page_ranks_put_set(&page);

	if (rc == 0) {
		rc = write_page(&page, out);
	}
	free_page(&page);
	return rc;
}

static int write(const struct ra_model *model, const struct ra_out_options *options,
                 struct ra_outbuf *out, struct ra_out_report *report)
{
	const struct ra_labels_options kernel_options = { .is_kernels = true };
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_settings settings;
	struct ra_page page = {
		.options = options,
		.input = { .model = model,
		           .models = options->models,
		           .ranks = options->ranks,
		           .model_count = options->model_count,
		           .selects = options->select,
		           .settings = &settings,
		           .group_by = RA_GROUP_BY_NAME,
		           .labels = &labels,
		           .kernels = &kernels },
	};
	int rc = ra_labels_init(&labels, model, &options->names);

	*report = (struct ra_out_report){ 0 };
	ra_settings_init(&settings);
	settings.memory_points = MEMORY_POINTS;
	settings.step_range = options->step_range;
	settings.steps = options->steps;
	if (ra_labels_init(&kernels, model, &kernel_options) != 0) {
		rc = -RLOG_E_NO_MEMORY;
	}
	if (rc == 0) {
		rc = ra_page_sections_put(&page);
	}
	if (rc == 0) {
		rc = write_page(&page, out);
	}
	free_page(&page);
	ra_report_fini_input(&page.input);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
	return rc;
}

const struct ra_out out_page = {
	.name = "page",
	.summary = "a page for a browser: findings, tables, a timeline and a flame graph",
	.suffix = ".html",
	.opens = "a browser opens it",
	.has_figures = true,
	.has_reports = true,
	.write = write,
};
