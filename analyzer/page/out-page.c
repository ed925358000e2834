/* SPDX-License-Identifier: MIT */
/* Writes the page of one or several files. Its data are those that `analyzer stats --format json`
 * writes. */

#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/range-stream.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/footer/footer.h"

#define MEMORY_POINTS 1000 /* most points of a memory curve */

static void put_name(struct ra_util_text *html, const char *name)
{
	const struct rlog_string string = ra_util_string(name);

	ra_page_html_name(html, string);
}

/* True if a device did any work. Traces list all GPUs of a machine, including those that the
 * program did not use. */
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
		ra_util_text_format(html, "<li>");
		ra_page_html_name(html, ra_model_device_word(model, device->id));
		ra_util_text_format(html, " %u", device->id);
		if (device->name != 0 || device->word == 0) {
			ra_util_text_format(html, ": ");
			ra_page_html_name(html, ra_model_string(model, device->name));
		}
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
	ra_util_text_put_count(html, ra_footer_count_events(model));
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

static void put_facts(struct ra_page *page)
{
	const size_t count = ra_report_file_count(&page->input);

	if (count > 1) {
		ra_util_text_format(&page->file.facts, "<li>%zu ranks</li>\n", count);
	} else {
		put_file(&page->file.facts, page->whole);
	}
}

/* Writes the footer in the form of --format json: "footer", or "footers" for several files. */
static void put_footer(struct ra_page *page)
{
	const size_t count = ra_report_file_count(&page->input);
	struct ra_util_text *json = &page->file.footer;

	ra_util_text_format(json, "\"%s", count > 1 ? "footers\":[" : "footer\":");
	for (size_t i = 0; i < count; i++) {
		ra_util_text_format(json, i == 0 ? "{" : ",\n{");
		ra_report_put_figures_json(json, &page->input);
		ra_footer_put_json_members(json, ra_page_sections_foot(page, i));
		ra_util_text_put_char(json, '}');
	}
	ra_util_text_format(json, count > 1 ? "]" : "");
}

/* Writes all parts in order. */
static void write_page(struct ra_page *page, struct ra_outbuf *out)
{
	ra_page_sections_put(page);
	put_facts(page);
	put_footer(page);
	if (ra_report_file_count(&page->input) == 1) {
		ra_page_timeline_put(page, &page->file.timeline);
		ra_page_flame_put(page, &page->file.flame);
	}
	ra_page_file_write(&page->file, out);
}

static void write(const struct ra_model *model, const struct ra_out_options *options,
                  struct ra_outbuf *out, struct ra_out_report *report)
{
	const struct ra_labels_options kernel_options = { .is_kernels = true };
	struct ra_labels labels = { 0 };
	struct ra_labels kernels;
	struct ra_settings settings;
	struct ra_page page = {
		.options = options,
		.whole = model,
		.file = { .title = options->input_name },
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

	if (options->few != NULL) {
		page.input.model = options->few;
		page.input.stream = options->sums;
		page.input.labels = ra_range_stream_borrow_labels(options->sums);
	} else {
		ra_labels_init(&labels, model, &options->names);
	}
	*report = (struct ra_out_report){ 0 };
	ra_settings_init(&settings);
	settings.memory_points = MEMORY_POINTS;
	settings.step_range = options->step_range;
	settings.steps = options->steps;
	ra_labels_init(&kernels, model, &kernel_options);
	write_page(&page, out);
	ra_page_file_fini(&page.file);
	ra_report_fini_input(&page.input);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
}

const struct ra_out out_page = {
	.name = "page",
	.summary = "a page with findings, tables, timeline and flame graph, for\n"
		   "any browser, without a network; of several FILEs, or a\n"
		   "folder: the ranks of a run",
	.suffix = ".html",
	.opens = "a browser opens it",
	.has_figures = true,
	.has_reports = true,
	.write = write,
};
