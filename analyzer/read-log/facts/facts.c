/* SPDX-License-Identifier: MIT */
/* Reads what a log has besides events: process, domains, categories, threads, clock, losses. */
#include "analyzer/read-log/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "format/oddity.h"
#include "format/read/reader.h"
#include "format/wire.h"

/* Reads an integer among the facts of the capture. Return: `otherwise` if it is missing or not a
 * number. */
static int64_t find_integer(const struct ra_model *model, const char *key, int64_t otherwise)
{
	const struct rlog_fact *fact = rlog_reader_find_capture(model->reader, key);

	if (fact != NULL && fact->type == RLOG_FACT_I64) {
		return fact->i64;
	}
	if (fact != NULL && fact->type == RLOG_FACT_U64 && fact->u64 <= INT64_MAX) {
		return (int64_t) fact->u64;
	}
	return otherwise;
}

struct rlog_string ra_facts_find_text(const struct ra_model *model, const char *key)
{
	const struct rlog_fact *fact = rlog_reader_find_capture(model->reader, key);
	const struct rlog_string none = { NULL, 0, 0 };

	return fact != NULL && fact->type == RLOG_FACT_TEXT && fact->text_count > 0 ? fact->texts[0]
	                                                                            : none;
}

static void load_process(struct ra_model *model)
{
	struct ra_process *process = ra_alloc_zeros(1, sizeof(*process));
	struct rlog_string text;

	model->processes = process;
	model->process_count = 1;
	process->pid = find_integer(model, "pid", 0);
	process->ppid = find_integer(model, "ppid", 0);
	process->rank = find_integer(model, "rank", -1);
	text = ra_facts_find_text(model, "host");
	process->host = ra_util_copy(text.bytes, text.length);
	text = ra_facts_find_text(model, "exe");
	process->exe = ra_util_copy(text.bytes, text.length);
}

/* A category with its place in the log. Later definitions replace earlier ones; until then `order`
 * tells which is later. */
struct ordered_category {
	struct ra_category category;
	size_t order;
};

static int compare_categories(const void *left, const void *right)
{
	const struct ordered_category *a = left;
	const struct ordered_category *b = right;
	int order = RA_ORDER_UP(a, b, category.domain);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, category.id));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, order));
}

static void keep_last_categories(struct ra_model *model, struct ordered_category *found,
                                 size_t count)
{
	model->categories = ra_alloc_zeros(count + 1, sizeof(*model->categories));
	RA_SORT(found, count, compare_categories);
	for (size_t i = 0; i < count; i++) {
		const struct ra_category *c = &found[i].category;

		if (i + 1 == count || found[i + 1].category.domain != c->domain ||
		    found[i + 1].category.id != c->id) {
			model->categories[model->category_count++] = *c;
		}
	}
}

/* Fills the domains, before anything refers to domains, so that their indices are in the order of
 * definition. */
static void load_domains(struct ra_builder *builder, const struct rlog_def *defs, size_t count)
{
	struct ra_model *m = builder->model;

	for (size_t i = 0; i < count; i++) {
		uint16_t index;
		uint32_t name;

		if (defs[i].kind != RLOG_DEF_DOMAIN || defs[i].id > UINT32_MAX) {
			continue;
		}
		ra_builder_map_domain(builder, (uint32_t) defs[i].id, &index);
		ra_builder_map_name(builder, defs[i].string, &name);
		m->domains[index].name = name;
	}
}

static void load_categories(struct ra_builder *builder, const struct rlog_def *defs, size_t count)
{
	struct ordered_category *found = ra_alloc_zeros(count + 1, sizeof(*found));
	size_t found_count = 0;

	for (size_t i = 0; i < count; i++) {
		struct ordered_category *c = &found[found_count];

		if (defs[i].kind != RLOG_DEF_CATEGORY || defs[i].id > UINT32_MAX ||
		    defs[i].parent > UINT32_MAX) {
			continue;
		}
		ra_builder_map_domain(builder, (uint32_t) defs[i].parent, &c->category.domain);
		ra_builder_map_name(builder, defs[i].string, &c->category.name);
		c->category.id = (uint32_t) defs[i].id;
		c->order = i;
		found_count++;
	}
	keep_last_categories(builder->model, found, found_count);
	free(found);
}

void ra_facts_load_definitions(struct ra_builder *builder)
{
	size_t count;
	const struct rlog_def *defs = rlog_reader_borrow_defs(builder->model->reader, &count);

	load_process(builder->model);
	load_domains(builder, defs, count);
	load_categories(builder, defs, count);
}

/* Lists all streams that are in chunks, definitions or losses, ascending, without repeats. */
static uint32_t *collect_streams(const struct ra_model *model,
                                 const struct ra_gpu_streams *gpu_streams, size_t *count)
{
	size_t chunk_count;
	size_t def_count;
	size_t loss_count;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(model->reader, &chunk_count);
	const struct rlog_def *defs = rlog_reader_borrow_defs(model->reader, &def_count);
	const struct rlog_loss *losses = rlog_reader_borrow_losses(model->reader, &loss_count);
	uint32_t *streams =
		ra_alloc_zeros(chunk_count + def_count + loss_count + 1, sizeof(*streams));
	size_t n = 0;
	size_t kept = 0;

	for (size_t i = 0; i < chunk_count; i++) {
		streams[n] = chunks[i].stream;
		n += chunks[i].type == RLOG_CHUNK_EVENTS && chunks[i].stream != 0;
	}
	for (size_t i = 0; i < def_count; i++) {
		streams[n] = (uint32_t) defs[i].id;
		n += defs[i].kind == RLOG_DEF_STREAM && defs[i].id != 0 && defs[i].id <= UINT32_MAX;
	}
	for (size_t i = 0; i < loss_count; i++) {
		streams[n] = losses[i].stream;
		n += losses[i].stream != 0;
	}
	RA_SORT(streams, n, ra_order_uint32);
	for (size_t i = 0; i < n; i++) {
		if ((kept == 0 || streams[kept - 1] != streams[i]) &&
		    ra_gpu_streams_find(gpu_streams, streams[i]) == NULL) {
			streams[kept++] = streams[i];
		}
	}
	*count = kept;
	return streams;
}

static struct ra_track *find_track(struct ra_model *model, uint64_t stream)
{
	struct ra_search at = ra_search_in(0, model->track_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, model->tracks[at.middle].stream < stream);
	}
	return at.low < model->track_count && model->tracks[at.low].stream == stream
	               ? &model->tracks[at.low]
	               : NULL;
}

/* Sets the names of threads. A name that the program gave replaces the system's name. */
static void name_threads(struct ra_builder *builder, const struct rlog_def *defs, size_t count)
{
	struct ra_model *m = builder->model;
	struct ra_util_map names = { 0 };

	for (size_t i = 0; i < count; i++) {
		uint32_t name;

		if (defs[i].kind == RLOG_DEF_THREAD_NAME) {
			ra_builder_map_name(builder, defs[i].string, &name);
			ra_util_map_put(&names, defs[i].id, name);
		}
	}
	for (size_t i = 0; i < m->track_count; i++) {
		const uint32_t name = ra_util_map_find(&names, (uint64_t) m->tracks[i].tid);

		if (name != RA_UTIL_MAP_NONE) {
			m->tracks[i].name = name;
		}
	}
	ra_util_map_free(&names);
}

static void describe_streams(struct ra_builder *builder, const struct rlog_def *defs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ra_track *track = NULL;

		if (defs[i].kind == RLOG_DEF_STREAM || defs[i].kind == RLOG_DEF_STREAM_END) {
			track = find_track(builder->model, defs[i].id);
		}
		if (track != NULL && defs[i].kind == RLOG_DEF_STREAM_END) {
			track->has_ended = true;
		} else if (track != NULL) {
			track->tid = (int64_t) defs[i].value;
			ra_builder_map_name(builder, defs[i].string, &track->name);
		}
	}
}

static void make_tracks(struct ra_model *model, const uint32_t *streams, size_t count)
{
	/* one more, for the track of start/end ranges */
	ra_util_resize(&model->tracks, count + 1, sizeof(*model->tracks));
	memset(model->tracks, 0, (count + 1) * sizeof(*model->tracks));
	for (size_t i = 0; i < count; i++) {
		model->tracks[i].kind = RA_TRACK_THREAD;
		model->tracks[i].stream = streams[i];
	}
	model->track_count = count;
}

void ra_facts_load_tracks(struct ra_builder *builder, const struct ra_gpu_streams *gpu_streams)
{
	struct ra_model *m = builder->model;
	size_t count;
	uint32_t *streams = collect_streams(m, gpu_streams, &count);
	size_t def_count;
	const struct rlog_def *defs = rlog_reader_borrow_defs(m->reader, &def_count);

	make_tracks(m, streams, count);
	free(streams);
	describe_streams(builder, defs, def_count);
	name_threads(builder, defs, def_count);
}

/* Finds the earliest time of any event, in ticks. Return: false if the log has no events. */
static bool find_first_ticks(const struct ra_model *model, const struct ra_gpu_streams *gpu_streams,
                             uint64_t *ticks)
{
	size_t count;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(model->reader, &count);
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS && chunks[i].count > 0 &&
		    ra_gpu_streams_find(gpu_streams, chunks[i].stream) == NULL &&
		    (!found || chunks[i].first_ticks < *ticks)) {
			*ticks = chunks[i].first_ticks;
			found = true;
		}
	}
	return found;
}

static void find_clock_error(struct ra_model *model, const struct ra_clock_source *source)
{
	uint64_t worst = 0;

	for (size_t i = 0; i < source->count; i++) {
		if (source->points[i].err_ns > worst) {
			worst = source->points[i].err_ns;
		}
	}
	model->quality.clock_error_ns = worst < INT64_MAX ? (int64_t) worst : INT64_MAX;
}

/* Finds when the capture was switched on. Return: false if it was on from the start. */
static bool find_on(const struct ra_model *model, uint64_t *ticks)
{
	size_t count;
	const struct rlog_fact *facts = rlog_reader_borrow_capture(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(facts[i].key, "on_ticks") == 0 && facts[i].type == RLOG_FACT_U64) {
			*ticks = facts[i].u64;
			return true;
		}
	}
	return false;
}

bool ra_facts_find_off(const struct ra_model *model, uint64_t *ticks)
{
	size_t count;
	const struct rlog_fact *end = rlog_reader_borrow_end(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(end[i].key, "off_ticks") == 0 && end[i].type == RLOG_FACT_U64) {
			*ticks = end[i].u64;
			return true;
		}
	}
	return false;
}

void ra_facts_load_clock(struct ra_model *model, const struct ra_gpu_streams *gpu_streams,
                         struct ra_clock *clock)
{
	const struct rlog_string kind = ra_facts_find_text(model, "clock");
	const int64_t start_ns = find_integer(model, "start_mono_ns", 0);
	int64_t real_ns = find_integer(model, "start_real_ns", 0);
	int64_t mono_ns = start_ns;
	uint64_t first_ticks = 0;
	const bool has_events = find_first_ticks(model, gpu_streams, &first_ticks);
	struct ra_clock_source source = {
		.ticks_per_s = (uint64_t) find_integer(model, "ticks_per_s", 0),
		.ticks_are_ns = kind.bytes != NULL && kind.length == 9 &&
		                memcmp(kind.bytes, "monotonic", 9) == 0,
		.origin_ticks = first_ticks,
		.origin_ns = start_ns < 0 ? 0 : (uint64_t) start_ns,
	};
	size_t segment = 0;
	uint64_t on_ticks = 0;

	source.points = rlog_reader_borrow_clock(model->reader, &source.count);
	ra_clock_init(clock, &source);
	find_clock_error(model, &source);
	if (source.count > 0) {
		mono_ns = ra_clock_convert(clock, source.points[0].ticks, &segment);
		real_ns = (int64_t) source.points[0].real_ns;
	}
	model->zero_ns = mono_ns;
	if (has_events) {
		const int64_t first_ns = ra_clock_convert(clock, first_ticks, &segment);

		if (first_ns < mono_ns || (source.count == 0 && start_ns == 0)) {
			model->zero_ns = first_ns;
		}
	}
	/* Time 0 is when the capture was switched on. */
	if (find_on(model, &on_ticks)) {
		model->zero_ns = ra_clock_convert(clock, on_ticks, &segment);
	}
	/* Computed with unsigned numbers, because the numbers in a hostile log may overflow. */
	model->zero_real_ns =
		(int64_t) ((uint64_t) real_ns - (uint64_t) mono_ns + (uint64_t) model->zero_ns);
}

/* Sets the losses of each stream by cause: the log's totals, or the sum of its loss records if that
 * is larger. */
static void merge_losses(struct ra_model *model)
{
	size_t count;
	const struct rlog_loss *losses = rlog_reader_borrow_losses(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		const uint32_t cause = losses[i].cause < RLOG_CAUSES ? losses[i].cause : 0;
		struct ra_track *track = find_track(model, losses[i].stream);

		model->quality.lost[cause] =
			ra_util_add(model->quality.lost[cause], losses[i].count);
		if (track != NULL && cause != RLOG_CAUSE_INTERN_OVERFLOW) {
			track->lost = ra_util_add(track->lost, losses[i].count);
		}
	}
}

/* Adds losses for which the log has no totals yet, as in a log that was not closed. Chunk headers
 * and loss records tell of them. */
static void add_unlisted_losses(struct ra_model *model)
{
	size_t count;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(model->reader, &count);
	uint64_t *recorded = ra_alloc_zeros(model->track_count + 1, sizeof(*recorded));

	for (size_t i = 0; i < model->loss_span_count; i++) {
		const struct ra_loss_span *span = &model->loss_spans[i];

		if (span->cause != 0) {
			recorded[span->track] = ra_util_add(recorded[span->track], span->count);
		}
	}
	for (size_t i = 0; i < count; i++) {
		const struct ra_track *track = find_track(model, chunks[i].stream);

		if (chunks[i].type == RLOG_CHUNK_EVENTS && track != NULL &&
		    chunks[i].lost > recorded[track - model->tracks]) {
			recorded[track - model->tracks] = chunks[i].lost;
		}
	}
	for (size_t i = 0; i < model->track_count; i++) {
		if (recorded[i] > model->tracks[i].lost) {
			const uint64_t more = recorded[i] - model->tracks[i].lost;

			model->quality.lost[0] = ra_util_add(model->quality.lost[0], more);
			model->tracks[i].lost = recorded[i];
		}
	}
	free(recorded);
}

bool ra_facts_is_recovered(const struct ra_model *model)
{
	size_t count;
	const struct rlog_fact *end = rlog_reader_borrow_end(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(end[i].key, "status") == 0 && end[i].type == RLOG_FACT_TEXT &&
		    end[i].text_count > 0 && end[i].texts[0].length == 9 &&
		    memcmp(end[i].texts[0].bytes, "recovered", 9) == 0) {
			return true;
		}
	}
	return false;
}

int64_t ra_facts_find_end(const struct ra_model *model, const struct ra_clock *clock)
{
	size_t count;
	size_t segment = 0;
	const struct rlog_clock_point *points = rlog_reader_borrow_clock(model->reader, &count);
	uint64_t off_ticks;

	if (ra_facts_find_off(model, &off_ticks)) {
		return ra_clock_convert(clock, off_ticks, &segment) - model->zero_ns;
	}
	if (count > 0 && ra_facts_is_recovered(model)) {
		count--;
	}
	if (count == 0) {
		return INT64_MIN;
	}
	return ra_clock_convert(clock, points[count - 1].ticks, &segment) - model->zero_ns;
}

/* Reads from the chunk END how many calls of the program made no sense. */
static void load_oddities(struct ra_model *model)
{
	const size_t prefix = sizeof(RLOG_ODDITY_PREFIX) - 1;
	size_t count;
	const struct rlog_fact *end = rlog_reader_borrow_end(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t oddity = 1;

		if (strcmp(end[i].key, "outside") == 0 && end[i].type == RLOG_FACT_U64) {
			model->quality.outside = end[i].u64;
		}

		if (end[i].type != RLOG_FACT_U64 ||
		    strncmp(end[i].key, RLOG_ODDITY_PREFIX, prefix) != 0) {
			continue;
		}
		while (oddity < RLOG_ODDITIES && strcmp(end[i].key, rlog_oddity_key(oddity)) != 0) {
			oddity++;
		}
		oddity %= RLOG_ODDITIES;
		model->quality.oddities[oddity] =
			ra_util_add(model->quality.oddities[oddity], end[i].u64);
	}
}

/* If the log is a part of a log: adds those losses of the whole log for which the part has no
 * place. */
static void add_lacks_of_whole(struct ra_model *model)
{
	struct ra_quality *q = &model->quality;
	size_t count;
	const struct rlog_fact *end = rlog_reader_borrow_end(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		const uint64_t number = end[i].u64;

		if (end[i].type == RLOG_FACT_BOOL) {
			q->closed = q->closed &&
			            !(number != 0 && strcmp(end[i].key, "part_unclosed") == 0);
		} else if (end[i].type != RLOG_FACT_U64) {
			continue;
		} else if (strcmp(end[i].key, "part_missing") == 0) {
			q->missing_rows = ra_util_add(q->missing_rows, number);
		} else if (strcmp(end[i].key, "part_damaged") == 0) {
			q->damaged_stretches = ra_util_add(q->damaged_stretches, number);
		} else if (strcmp(end[i].key, "part_damaged_bytes") == 0) {
			q->damaged_bytes = ra_util_add(q->damaged_bytes, number);
		}
	}
}

void ra_facts_load_quality(struct ra_model *model)
{
	struct ra_quality *q = &model->quality;
	size_t count;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(model->reader, &count);

	merge_losses(model);
	add_unlisted_losses(model);
	load_oddities(model);
	for (size_t i = 0; i < model->string_count; i++) {
		q->cut_names += model->strings[i].bytes != NULL &&
		                model->strings[i].full_length > model->strings[i].length;
	}
	for (size_t i = 0; i < model->loss_span_count; i++) {
		const struct ra_loss_span *span = &model->loss_spans[i];

		if (span->cause == 0) {
			struct ra_track *track = &model->tracks[span->track];

			track->lost = ra_util_add(track->lost, span->count);
		}
	}
	q->missing_rows = ra_util_add(q->missing_rows, rlog_reader_missing_rows(model->reader));
	for (size_t i = 0; i < count; i++) {
		q->damaged_stretches++;
		q->damaged_bytes = ra_util_add(q->damaged_bytes, damages[i].bytes);
		if (damages[i].offset < q->first_damage) {
			q->first_damage = damages[i].offset;
		}
	}
	q->closed = rlog_reader_is_closed(model->reader);
	q->recovered = ra_facts_is_recovered(model);
	add_lacks_of_whole(model);
}
