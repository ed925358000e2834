/* SPDX-License-Identifier: MIT */
/*
 * walk [--once] LOG...: checks that outputs made while a log is read equal, to the byte, those of a
 * model that holds the log. Prints what differs, "held LOG" where a log must be held, and with
 * --once "once LOG" where the first reading writes all; exit: 0 if nothing differs. It writes a
 * file walk.out into the working directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/inspect/dump-slices.h"
#include "analyzer/load/load.h"
#include "analyzer/model/walk.h"
#include "analyzer/timeline/pens/out.h"

static const struct ra_out *const outs[] = { &out_perfetto,   &out_pftrace, &out_events,
	                                     &out_events_csv, &out_sqlite,  NULL };

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
static struct bytes write_out(const struct ra_model *model, const struct ra_out *out, bool is_raw)
{
	const struct ra_out_options options = { .output_name = "x", .names.is_raw = is_raw };
	struct ra_out_report report = { 0 };
	struct ra_outbuf buffer;
	struct bytes made = { 0 };

	ra_outbuf_init(&buffer, -1, false);
	buffer.take = take;
	buffer.context = &made;
	if (out == NULL) {
		ra_dump_slices_write(model, &buffer);
	} else if (out->write_file != NULL) {
		write_to_file(model, out, &options, &made, &report);
	} else {
		out->write(model, &options, &buffer, &report);
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

/* Compares the output of the held model with the written one, and frees the latter. Return: 1 if
 * they differ. */
static int compare_with(const struct ra_model *held, struct bytes b, const struct ra_out *out,
                        bool is_raw)
{
	struct bytes a = write_out(held, out, is_raw);
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
		/* Once more: a walk may be repeated. */
		differs |= compare(held, walked, &out_perfetto, true);
		differs |= try_once(path, held, tells_once);
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
	int differs = 0;

	for (int i = 1 + tells_once; i < argc; i++) {
		differs |= try_log(argv[i], tells_once);
	}
	return differs;
}
