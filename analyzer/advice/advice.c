/* SPDX-License-Identifier: MIT */
/* What rules of the report "advice" found, and how that becomes rows. */
#include "analyzer/advice/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/op-names.h"
#include "analyzer/base/util.h"
#include "format/error.h"

#define TOLD_NAMES 3 /* of the evidence, those that took the most time */

struct ra_advice_name {
	struct rlog_string name;
	uint64_t count;
	int64_t total_ns;
	size_t place; /* in which it was first found */
};

static int count_name(struct ra_advice_evidence *evidence, const struct ra_advice_event *event)
{
	const uint64_t key = (uint64_t) (uintptr_t) event->name.bytes;
	uint32_t place = ra_util_map_find(&evidence->index, key);

	if (event->name.length == 0) {
		return 0;
	}
	if (place >= evidence->name_count) { /* none */
		place = (uint32_t) evidence->name_count;
		if (ra_util_grow(&evidence->names, &evidence->name_capacity,
		                 evidence->name_count + 1, sizeof(*evidence->names)) != 0 ||
		    ra_util_map_put(&evidence->index, key, place) != 0) {
			return -RLOG_E_NO_MEMORY;
		}
		evidence->names[evidence->name_count++] =
			(struct ra_advice_name){ .name = event->name, .place = place };
	}
	evidence->names[place].count++;
	evidence->names[place].total_ns =
		ra_util_add_time(evidence->names[place].total_ns, event->dur_ns);
	return 0;
}

int ra_advice_note(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                   const struct ra_advice_event *event)
{
	if (event->start_ns < advice->start_ns || event->start_ns > advice->end_ns) {
		return 0;
	}
	evidence->total_ns = ra_util_add_time(evidence->total_ns, event->dur_ns);
	if (evidence->count == 0 || event->dur_ns > evidence->longest.dur_ns ||
	    (event->dur_ns == evidence->longest.dur_ns &&
	     event->start_ns < evidence->longest.start_ns)) {
		evidence->longest = *event;
	}
	evidence->count++;
	return count_name(evidence, event);
}

void ra_advice_evidence_fini(struct ra_advice_evidence *evidence)
{
	free(evidence->names);
	ra_util_map_free(&evidence->index);
	*evidence = (struct ra_advice_evidence){ 0 };
}

double ra_advice_share(const struct ra_advice *advice, int64_t dur_ns)
{
	return (double) dur_ns / ((double) advice->end_ns - (double) advice->start_ns);
}

static int compare_names(const void *a, const void *b)
{
	const struct ra_advice_name *left = a;
	const struct ra_advice_name *right = b;

	if (left->total_ns != right->total_ns) {
		return left->total_ns > right->total_ns ? -1 : 1;
	}
	if (left->count != right->count) {
		return left->count > right->count ? -1 : 1;
	}
	return left->place < right->place ? -1 : left->place > right->place;
}

/* "cudaMemcpy (12 times), cudaMemcpy2D (3 times), 4 other names". */
static void put_names(struct ra_util_text *text, const struct ra_advice_evidence *evidence)
{
	struct ra_advice_name *names = calloc(evidence->name_count + 1, sizeof(*names));

	if (names == NULL) {
		text->failed = 1;
		return;
	}
	if (evidence->name_count > 0) {
		memcpy(names, evidence->names, evidence->name_count * sizeof(*names));
		qsort(names, evidence->name_count, sizeof(*names), compare_names);
	}
	for (size_t i = 0; i < evidence->name_count && i < TOLD_NAMES; i++) {
		ra_util_text_put(text, ", ", i == 0 ? 0 : 2);
		ra_util_text_put(text, names[i].name.bytes, names[i].name.length);
		ra_util_text_format(text, " (%llu%s)", (unsigned long long) names[i].count,
		                    names[i].count == 1 ? " time" : " times");
	}
	if (evidence->name_count > TOLD_NAMES) {
		const size_t rest = evidence->name_count - TOLD_NAMES;

		ra_util_text_format(text, ", %zu other name%s", rest, rest == 1 ? "" : "s");
	}
	free(names);
}

static int put_words(struct ra_table *table, const struct ra_util_text *words,
                     struct ra_table_cell *cell)
{
	struct rlog_string kept;
	int rc = 0;

	if (words->failed) {
		return -RLOG_E_NO_MEMORY;
	}
	if (words->length > 0) {
		rc = ra_table_keep_text(table, words->bytes, words->length, &kept);
		*cell = ra_table_make_text(kept);
	}
	return rc;
}

static struct ra_table_cell make_word(const char *word)
{
	const uint32_t length = (uint32_t) strlen(word);

	return ra_table_make_text((struct rlog_string){ word, length, length });
}

static void put_evidence(const struct ra_advice *advice, const struct ra_advice_evidence *evidence,
                         struct ra_table_cell *cells)
{
	const struct ra_advice_event *longest = &evidence->longest;

	if (longest->device >= 0) {
		cells[RA_ADVICE_DEVICE] = ra_table_make_number(longest->device);
	}
	if (longest->track != RA_NONE && advice->model->tracks[longest->track].tid != 0) {
		cells[RA_ADVICE_TID] =
			ra_table_make_number(advice->model->tracks[longest->track].tid);
	}
	cells[RA_ADVICE_COUNT] = ra_table_make_count(evidence->count);
	cells[RA_ADVICE_TOTAL] = ra_table_make_number(evidence->total_ns);
	cells[RA_ADVICE_START] = ra_table_make_number(longest->start_ns);
	cells[RA_ADVICE_LONGEST] = ra_table_make_number(longest->dur_ns);
}

int ra_advice_add(const struct ra_advice *advice, const struct ra_advice_rule *rule,
                  const struct ra_advice_evidence *evidence, const struct ra_util_text *words)
{
	struct ra_table_cell *cells = ra_table_add_row(advice->table);
	struct ra_util_text names = { 0 };
	int rc;

	if (cells == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	cells[RA_ADVICE_RULE] = make_word(rule->name);
	cells[RA_ADVICE_TEXT] = make_word(rule->text);
	cells[RA_ADVICE_VALUE] = ra_table_make_real(rule->value);
	cells[RA_ADVICE_VALUE].has_value = !isnan(rule->value);
	cells[RA_ADVICE_THRESHOLD] = ra_table_make_real(rule->threshold);
	cells[RA_ADVICE_THRESHOLD].has_value = !isnan(rule->threshold);
	if (rule->unit != NULL) {
		cells[RA_ADVICE_UNIT] = make_word(rule->unit);
	}
	if (evidence != NULL && evidence->count > 0) {
		put_evidence(advice, evidence, cells);
	}
	if (words == NULL && evidence != NULL) {
		put_names(&names, evidence);
	}
	rc = put_words(advice->table, words != NULL ? words : &names, &cells[RA_ADVICE_EVIDENCE]);
	ra_util_text_free(&names);
	return rc;
}

int ra_advice_read_op(const struct ra_advice *advice, const struct ra_gpu_op *op,
                      struct ra_advice_event *event)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	uint64_t key;
	int rc = ra_op_names_find(advice->input, op, &key);

	*event = (struct ra_advice_event){
		.start_ns = op->start_ns,
		.dur_ns = op->dur_ns,
		.track = op->api == RA_NONE ? RA_NONE : gpu->apis[op->api].track,
		.device = gpu->queues[op->queue].device,
	};
	if (rc == 0) {
		rc = ra_op_names_text(advice->input, key, advice->table, &event->name);
	}
	return rc;
}

int ra_advice_note_ranges(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                          bool (*is_it)(struct rlog_string name))
{
	const struct ra_model *model = advice->model;
	const struct ra_slices *slices = &model->slices;
	int rc = 0;

	for (uint32_t t = 0; t < model->track_count && rc == 0; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = 0; i < track->slice_count && rc == 0; i++) {
			const size_t slice = track->first_slice + i;
			const struct ra_advice_event event = {
				.start_ns = slices->start_ns[slice],
				.dur_ns = slices->dur_ns[slice],
				.name = ra_model_string(model, slices->name[slice]),
				.track = t,
				.device = -1,
			};

			if ((slices->flags[slice] & RA_SLICE_WAIT) == 0 && is_it(event.name)) {
				rc = ra_advice_note(evidence, advice, &event);
			}
		}
	}
	return rc;
}
