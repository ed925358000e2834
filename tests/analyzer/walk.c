/* SPDX-License-Identifier: MIT */
/*
 * walk [--once|--summary|--page] LOG...: outputs that are made while a log is read, and the
 * summary, to the byte those of a model that holds it. Prints what differs, "held LOG" where a log
 * must be held, and with --once "once LOG" where the first reading writes all; with --summary and
 * --page it tries nothing else, and prints "streamed LOG" if it need not be held; exit: 0 if
 * nothing differs. It writes a file walk.out into the working directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/commands/analyze/summary-stream.h"
#include "analyzer/commands/analyze/summary.h"
#include "analyzer/inspect/dump-slices.h"
#include "analyzer/figures/ranges/metrics-walk.h"
#include "analyzer/load/load.h"
#include "analyzer/model/walk.h"
#include "analyzer/timeline/pens/out.h"

extern const struct ra_out out_page;

static const struct ra_out *const outs[] = { &out_perfetto,   &out_pftrace, &out_events,
	                                     &out_events_csv, &out_sqlite,  &out_folded,
	                                     &out_speedscope, NULL };

struct bytes {
	char *bytes;
	size_t count;
	size_t capacity;
};

static void take(void *context, const char *bytes, size_t count)
{
	struct bytes *kept = context;

	if (kept->count + count > kept->capacity) {
		kept->capacity = 2 * kept->capacity + count;
		kept->bytes = realloc(kept->bytes, kept->capacity);
		if (kept->bytes == NULL) {
			abort();
		}
	}
	memcpy(kept->bytes + kept->count, bytes, count);
	kept->count += count;
}

static void write_to_file(const struct ra_model *model, const struct ra_out *out,
                          const struct ra_out_options *options, struct bytes *made,
                          struct ra_out_report *report)
{
	char part[65536];
	size_t count;
	FILE *file = fopen("walk.out", "w");

	if (file == NULL || fclose(file) != 0 ||
	    out->write_file(model, options, "walk.out", report) != 0) {
		abort();
	}
	file = fopen("walk.out", "r");
	while (file != NULL && (count = fread(part, 1, sizeof(part), file)) > 0) {
		take(made, part, count);
	}
	if (file == NULL || fclose(file) != 0) {
		abort();
	}
}

/* @out: NULL for `dump --slices`. */
static struct bytes write_with(const struct ra_model *model, const struct ra_out *out,
                               const struct ra_out_options *options)
{
	struct ra_out_report report = { 0 };
	struct ra_outbuf buffer;
	struct bytes made = { 0 };

	ra_outbuf_init(&buffer, -1, false);
	buffer.take = take;
	buffer.context = &made;
	if (out == NULL) {
		ra_dump_slices_write(model, &buffer);
	} else if (out->write_file != NULL) {
		write_to_file(model, out, options, &made, &report);
	} else {
		out->write(model, options, &buffer, &report);
	}
	(void) ra_outbuf_finish(&buffer);
	ra_outbuf_fini(&buffer);
	take(&made, (const char *) &report.written, sizeof(report.written));
	take(&made, (const char *) &report.left_out, sizeof(report.left_out));
	if (report.left_out > 0) {
		take(&made, report.why, strlen(report.why));
	}
	return made;
}

static struct bytes write_out(const struct ra_model *model, const struct ra_out *out, bool is_raw)
{
	const struct ra_out_options options = { .output_name = "x", .names.is_raw = is_raw };

	return write_with(model, out, &options);
}

/* Compares the output of the held model with that of another, and frees both. Return: 1 if they
 * differ. */
static int compare_bytes(struct bytes a, struct bytes b, const struct ra_out *out)
{
	size_t at = 0;
	int differs = 0;

	while (at < a.count && at < b.count && a.bytes[at] == b.bytes[at]) {
		at++;
	}
	if (at < a.count || at < b.count) {
		printf("differs %s from byte %zu on", out == NULL ? "dump" : out->name, at);
		differs = 1;
	}
	free(a.bytes);
	free(b.bytes);
	return differs;
}

/* Compares the output of the held model with the written one, and frees the latter. Return: 1 if
 * they differ. */
static int compare_with(const struct ra_model *held, struct bytes made, const struct ra_out *out,
                        bool is_raw)
{
	return compare_bytes(write_out(held, out, is_raw), made, out);
}

/* Return: 1 if they differ. */
static int compare(const struct ra_model *held, const struct ra_model *walked,
                   const struct ra_out *out, bool is_raw)
{
	return compare_with(held, write_out(walked, out, is_raw), out, is_raw);
}

/* The part of a log's quality that comes from rows of threads. */
static bool is_same_quality(const struct ra_quality *a, const struct ra_quality *b)
{
	return a->events == b->events && a->open_ranges == b->open_ranges &&
	       a->unmatched_pops == b->unmatched_pops && a->crossing_ranges == b->crossing_ranges &&
	       a->times_repaired == b->times_repaired && a->lost_starts == b->lost_starts &&
	       a->lost_ends == b->lost_ends && a->unknown_events == b->unknown_events &&
	       a->missing_rows == b->missing_rows && a->damaged_stretches == b->damaged_stretches &&
	       a->first_damage == b->first_damage && a->closed == b->closed;
}

/* Compares metrics. Return: 1 if they differ. */
static int compare_metrics(const struct ra_model *held, const struct ra_model *walked, unsigned by)
{
	const struct ra_labels_options plain = { 0 };
	struct ra_labels labels[2];
	struct ra_metrics a;
	struct ra_metrics b;
	bool is_same;

	ra_labels_init(&labels[0], held, &plain);
	ra_labels_init(&labels[1], walked, &plain);
	ra_metrics_init(&a, held, by, &labels[0]);
	if (walked->walk != NULL) {
		ra_metrics_init_walk(&b, walked, by, &labels[1], true);
	} else {
		ra_metrics_init(&b, walked, by, &labels[1]);
	}
	is_same = a.count == b.count && a.self_sum_ns == b.self_sum_ns;
	for (size_t i = 0; i < a.count && is_same; i++) {
		const struct ra_metrics_row *x = &a.rows[i];
		const struct ra_metrics_row *y = &b.rows[i];

		is_same = x->calls == y->calls && x->total_ns == y->total_ns &&
		          x->self_ns == y->self_ns && x->min_ns == y->min_ns &&
		          x->max_ns == y->max_ns && x->mean_ns == y->mean_ns &&
		          x->median_ns == y->median_ns && x->key.name == y->key.name &&
		          x->key.path == y->key.path && x->key.domain == y->key.domain &&
		          x->key.kind == y->key.kind;
	}
	for (size_t i = 0; i < a.count && is_same && a.paths != NULL; i++) {
		is_same = a.paths[i].name == b.paths[i].name &&
		          a.paths[i].parent == b.paths[i].parent &&
		          a.paths[i].depth == b.paths[i].depth &&
		          a.paths[i].domain == b.paths[i].domain;
	}
	if (!is_same) {
		printf("differ metrics by %u", by);
	}
	ra_metrics_fini(&a);
	ra_metrics_fini(&b);
	ra_labels_fini(&labels[0]);
	ra_labels_fini(&labels[1]);
	return !is_same;
}

/* @stream: NULL: the model holds all. */
static struct bytes write_summary(const struct ra_model *model,
                                  const struct ra_summary_options *options,
                                  struct ra_summary_stream *stream)
{
	struct bytes made = { 0 };
	FILE *file = open_memstream(&made.bytes, &made.count);

	if (file == NULL || ra_summary_print(model, options, stream, file) != 0 ||
	    fclose(file) != 0) {
		abort();
	}
	return made;
}

/* Compares the summary of the held model with one made while the log is read. Return: 1 if they
 * differ. */
static int try_summary(const char *path, const struct ra_model *held,
                       const struct ra_summary_options *options, bool *is_streamed)
{
	const struct ra_labels_options names = ra_summary_names(options->names);
	struct ra_summary_stream *stream = ra_summary_stream_create(options->step_range, &names);
	const struct ra_load_options load = { .sink = ra_summary_stream_borrow_sink(stream) };
	struct ra_model *model = NULL;
	struct rlog_error err = { 0 };
	int differs = ra_load_file(&model, path, &load, &err) != 0;

	if (!differs) {
		struct bytes a = write_summary(held, options, NULL);
		struct bytes b =
			write_summary(model, options, model->totals != NULL ? stream : NULL);

		differs = a.count != b.count || memcmp(a.bytes, b.bytes, a.count) != 0 ||
		          !is_same_quality(&held->quality, &model->quality);
		*is_streamed |= model->totals != NULL;
		free(a.bytes);
		free(b.bytes);
	}
	if (differs) {
		printf("differs the summary");
	}
	ra_summary_stream_destroy(stream);
	ra_model_destroy(model);
	return differs;
}

/* Tells if one was streamed. */
static int try_summaries(const char *path, const struct ra_model *held, bool *is_streamed)
{
	const struct ra_summary_options plain = { .input = path };
	const struct ra_summary_options all = { .input = path, .names.is_raw = true, .all = true };
	const struct ra_summary_options ranges = { .input = path, .step_range = "range #" };

	return try_summary(path, held, &plain, is_streamed) |
	       try_summary(path, held, &all, is_streamed) |
	       try_summary(path, held, &ranges, is_streamed);
}

/* Compares the outputs that may be written by the first reading, each of a model of its own. Tells
 * quality and ends, too. Return: 1 if something differs. */
static int try_once(const char *path, const struct ra_model *held, bool tells)
{
	const struct ra_load_options options = { .walks = true, .once = true };
	int differs = 0;
	bool is_once = true;

	for (size_t i = 0; outs[i] != NULL; i++) {
		struct rlog_error err = { 0 };
		struct ra_model *model = NULL;

		if (!outs[i]->once) {
			continue;
		}
		if (ra_load_file(&model, path, &options, &err) != 0) {
			return 1;
		}
		is_once &= model->walk != NULL && model->quality.events == 0;
		struct bytes made = write_out(model, outs[i], true);

		if (model->walk == NULL || !model->walk->has_failed) {
			differs |= compare_with(held, made, outs[i], true);
			differs |= compare(held, model, outs[i], false); /* and once more */
			differs |= !is_same_quality(&held->quality, &model->quality);
			differs |= held->end_ns != model->end_ns;
		} else {
			free(made.bytes);
			is_once = false;
		}
		ra_model_destroy(model);
	}
	if (is_once && tells) {
		printf("once %s\n", path);
	}
	return differs;
}

/* Compares the page of the held model with one that is made without holding a log of any size.
 * Return: 1 if they differ. */
static int try_page(const char *path, const struct ra_model *held, struct ra_out_options options,
                    bool *is_streamed)
{
	const int64_t rank = 0;
	struct ra_summary_stream *stream =
		ra_summary_stream_create_walk(options.step_range, &options.names);
	const struct ra_load_options load = { .sink = ra_summary_stream_borrow_sink(stream) };
	struct ra_model *model = NULL;
	struct rlog_error err = { 0 };
	int differs;

	options.input_name = path;
	options.ranks = &rank;
	options.model_count = 1;
	differs = ra_load_file(&model, path, &load, &err) != 0;
	if (!differs) {
		struct bytes a = write_with(held, &out_page, &options);

		if (model->totals != NULL) {
			options.few = ra_summary_stream_view(stream, model);
			options.sums = ra_summary_stream_borrow_sums(stream);
		}
		*is_streamed |= model->totals != NULL;
		differs = compare_bytes(a, write_with(model, &out_page, &options), &out_page);
	}
	ra_summary_stream_destroy(stream);
	ra_model_destroy(model);
	return differs;
}

static int try_pages(const char *path, const struct ra_model *held, bool *is_streamed)
{
	const struct ra_out_options plain = { 0 };
	const struct ra_out_options raw = { .names.is_raw = true, .step_range = "range #" };

	return try_page(path, held, plain, is_streamed) | try_page(path, held, raw, is_streamed);
}

/* Tries pages only, or else summaries. Return: 1 if something differs. */
static int try_log_alone(const char *path, bool is_page)
{
	struct rlog_error err = { 0 };
	struct ra_model *held = NULL;
	bool is_streamed = false;
	int differs = ra_load_file(&held, path, NULL, &err) != 0 ||
	              (is_page ? try_pages(path, held, &is_streamed)
	                       : try_summaries(path, held, &is_streamed)) != 0;

	if (differs) {
		printf(" %s\n", path);
	} else if (is_streamed) {
		printf("streamed %s\n", path);
	}
	ra_model_destroy(held);
	return differs;
}

/* Return: 1 if something differs. */
static int try_log(const char *path, bool tells_once)
{
	const struct ra_load_options walks = { .walks = true };
	struct rlog_error err = { 0 };
	struct ra_model *held = NULL;
	struct ra_model *walked = NULL;
	const int held_rc = ra_load_file(&held, path, NULL, &err);
	const int walked_rc = ra_load_file(&walked, path, &walks, &err);
	int differs = held_rc != walked_rc;

	if (held_rc == 0 && walked_rc == 0) {
		if (walked->walk == NULL) {
			printf("held %s\n", path);
		}
		for (size_t i = 0; outs[i] != NULL; i++) {
			if (outs[i]->walks &&
			    (outs[i]->find_lack == NULL || outs[i]->find_lack() == NULL)) {
				differs |= compare(held, walked, outs[i], true);
				differs |= compare(held, walked, outs[i], false);
			}
		}
		differs |= compare(held, walked, NULL, true);
		differs |= compare_metrics(held, walked, RA_GROUP_BY_DOMAIN);
		differs |= compare_metrics(held, walked, RA_GROUP_BY_NAME);
		differs |= compare_metrics(held, walked, RA_GROUP_BY_PATH);
		/* Once more: a walk may be repeated. */
		differs |= compare(held, walked, &out_perfetto, true);
		differs |= try_once(path, held, tells_once);
		differs |= try_summaries(path, held, &(bool){ false });
	}
	if (differs) {
		printf(" differs %s\n", path);
	}
	ra_model_destroy(held);
	ra_model_destroy(walked);
	return differs;
}

int main(int argc, char **argv)
{
	const bool tells_once = argc > 1 && strcmp(argv[1], "--once") == 0;
	const bool is_summary = argc > 1 && strcmp(argv[1], "--summary") == 0;
	const bool is_page = argc > 1 && strcmp(argv[1], "--page") == 0;
	int differs = 0;

	for (int i = 1 + (tells_once || is_summary || is_page); i < argc; i++) {
		differs |= is_summary || is_page ? try_log_alone(argv[i], is_page)
		                                 : try_log(argv[i], tells_once);
	}
	return differs;
}
