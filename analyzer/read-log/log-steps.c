/* SPDX-License-Identifier: MIT */
/* Finds out when steps run, by the outer ranges that chunks list. */
#include "analyzer/read-log/log-steps.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-part.h"
#include "analyzer/read-log/chunks/outer-head.h"
#include "format/wire.h"

/* These take 31 MB. A log with more candidates is read as a whole. */
#define MOST_CANDIDATES ((size_t) 1 << 19)

/* A candidate: a range that may be a step. */
struct candidate {
	uint64_t ticks;
	uint64_t end_ticks;
	uint32_t name;
	uint32_t domain; /* id of the domain in the log */
	/* the open candidate around it, or RA_NONE; valid only while this one is open */
	uint32_t outside;
};

enum answer {
	UNKNOWN,
	NO,
	YES,
};

struct search {
	const struct ra_log_steps *log;
	const struct ra_model *model;
	struct ra_outer_head *head; /* owned */
	struct rlog_batch batch;    /* owned; the rows of a chunk without a list */
	struct rlog_outer outer;    /* owned; the list made from these rows */
	struct rlog_outer_work work;
	/* owned; by string id: whether a range with this name may be a step in some domain */
	uint8_t *answers;
	struct candidate *candidates; /* owned; by track, then in order of begins */
	size_t count;
	size_t capacity;
	size_t *firsts; /* owned; by track: its first candidate */
	uint32_t open;  /* the innermost open candidate of the track; RA_NONE: none */
	uint64_t pushes;
	uint64_t pops;
};

/* ---- What a log must be like ---- */

/* True if converted times never go backwards. If they did, the reader would change them. */
static bool has_even_clock(const struct rlog_reader *reader)
{
	size_t count;
	const struct rlog_clock_point *points = rlog_reader_borrow_clock(reader, &count);

	for (size_t i = 1; i < count; i++) {
		if (points[i].mono_ns < points[i - 1].mono_ns) {
			return false;
		}
	}
	return true;
}

static bool is_whole(const struct rlog_reader *reader)
{
	size_t damages;

	(void) rlog_reader_borrow_damages(reader, &damages);
	return damages == 0 && rlog_reader_is_closed(reader) &&
	       rlog_reader_missing_rows(reader) == 0 && has_even_clock(reader);
}

/* True if the chunk has only pushes, pops and marks, in order, and directly follows the chunk
 * before it. @before: NULL: it is the first chunk of its thread. */
static bool is_plain(const struct rlog_chunk *chunk, const struct rlog_chunk *before)
{
	const unsigned bad = RLOG_FLAG_REMARKS | RLOG_FLAG_UNSORTED | RLOG_FLAG_OTHERS;

	if ((chunk->flags & bad) != 0 || chunk->lost > 0 || chunk->count == 0) {
		return false;
	}
	return before == NULL ? chunk->sequence == 0
	                      : chunk->sequence == ra_util_add(before->sequence, before->count) &&
	                                chunk->first_ticks >= before->last_ticks;
}

/* ---- Candidates ---- */

static struct rlog_string find_text(const struct search *search, uint32_t string)
{
	const bool is_there = string > 0 && string < search->model->string_count &&
	                      search->model->strings[string].bytes != NULL;

	return is_there ? search->model->strings[string] : (struct rlog_string){ 0 };
}

/* True if a range with this name and domain may be a step. @domain: its id in the log. */
static bool may_be(const struct search *search, uint32_t name, uint32_t domain)
{
	const struct ra_model *m = search->model;
	uint16_t index = 0;

	ra_builder_find_domain(search->log->builder, domain, &index);
	return search->log->of->may_be(search->log->of->context, find_text(search, name),
	                               ra_model_string(m, m->domains[index].name));
}

/* True if a range with this name may be a step in some domain, or if its name is unknown, because
 * it may be in its payload. */
static bool may_be_anywhere(struct search *search, uint32_t name)
{
	bool is = false;

	if (find_text(search, name).bytes == NULL) {
		return true;
	}
	if (search->answers[name] == UNKNOWN) {
		for (size_t d = 0; d < search->model->domain_count && !is; d++) {
			is = may_be(search, name, search->model->domains[d].id);
		}
		search->answers[name] = is ? YES : NO;
	}
	return search->answers[name] == YES;
}

static void open_candidate(struct search *search, const struct rlog_outer_row *row)
{
	RA_UTIL_APPEND(search->candidates, search->count, search->capacity,
	               (struct candidate){ .ticks = row->ticks,
	                                   .name = row->name,
	                                   .domain = row->domain,
	                                   .outside = search->open });
	search->open = (uint32_t) search->count - 1;
}

/* Return: false if the row closes another range than the innermost open candidate. */
static bool close_candidate(struct search *search, const struct rlog_outer_row *row)
{
	struct candidate *candidate;

	if (search->open == RA_NONE) {
		return false;
	}
	candidate = &search->candidates[search->open];
	candidate->end_ticks = row->ticks;
	search->open = candidate->outside;
	return candidate->name == row->name && candidate->domain == row->domain;
}

/* Takes the candidates in a list. Return: false if there may be steps that the list does not
 * have. */
static bool take_outer(struct search *search, const struct rlog_outer *outer)
{
	bool is_known = true;

	search->pushes += outer->pushes;
	search->pops += outer->pops;
	for (size_t i = 0; i < outer->name_count && is_known; i++) {
		is_known = !may_be_anywhere(search, outer->names[i]);
	}
	for (size_t i = 0; i < outer->row_count && is_known; i++) {
		const struct rlog_outer_row *row = &outer->rows[i];

		if (find_text(search, row->name).bytes == NULL) {
			return false;
		}
		if (!may_be_anywhere(search, row->name) ||
		    !may_be(search, row->name, row->domain)) {
			continue;
		}
		if (row->is_pop) {
			is_known = close_candidate(search, row);
		} else {
			open_candidate(search, row);
		}
	}
	return is_known && search->count <= MOST_CANDIDATES;
}

/* True if the list is consistent with the chunk's header. */
static bool is_sane(const struct rlog_outer *outer, const struct rlog_chunk *chunk)
{
	uint64_t ticks = chunk->first_ticks;

	for (size_t i = 0; i < outer->row_count; i++) {
		if (outer->rows[i].ticks < ticks || outer->rows[i].ticks > chunk->last_ticks) {
			return false;
		}
		ticks = outer->rows[i].ticks;
	}
	return outer->pushes <= chunk->count && outer->pops <= chunk->count - outer->pushes;
}

/* Returns the list of a chunk. The first chunk of a thread may have none; then one is made. */
static const struct rlog_outer *find_outer(struct search *search, const struct rlog_chunk *chunk)
{
	int code;

	if ((chunk->flags & RLOG_FLAG_OUTER) != 0) {
		return ra_outer_head_read(search->head, search->model->reader, chunk);
	}
	if (chunk->sequence > 0) {
		return NULL;
	}
	code = rlog_reader_decode_events(search->model->reader, chunk, &search->batch, NULL);
	if (code == -RLOG_E_NO_MEMORY) {
		ra_alloc_end();
	}
	return code == 0 && rlog_outer_find(&search->outer, &search->work, &search->batch,
	                                    search->batch.count)
	               ? &search->outer
	               : NULL;
}

/* Takes the chunks of a track, which begin at *next. */
static bool take_track(struct search *search, const struct ra_track *track, size_t *next)
{
	const struct ra_chunks *chunks = search->log->chunks;
	const struct rlog_chunk *before = NULL;

	search->open = RA_NONE;
	for (; *next < chunks->count && chunks->rows[*next]->stream == track->stream; ++*next) {
		const struct rlog_chunk *chunk = chunks->rows[*next];
		const struct rlog_outer *outer =
			is_plain(chunk, before) ? find_outer(search, chunk) : NULL;

		if (outer == NULL || !is_sane(outer, chunk) || !take_outer(search, outer)) {
			return false;
		}
		before = chunk;
	}
	return search->open == RA_NONE;
}

static bool take_tracks(struct search *search)
{
	const struct ra_model *m = search->model;
	size_t next = 0;

	for (size_t t = 0; t < m->track_count; t++) {
		search->firsts[t] = search->count;
		if (!take_track(search, &m->tracks[t], &next)) {
			return false;
		}
	}
	search->firsts[m->track_count] = search->count;
	return next == search->log->chunks->count && search->pushes == search->pops;
}

/* ---- The facts found ---- */

static struct ra_model_part *make_part(const struct search *search)
{
	const struct ra_model *m = search->model;
	struct ra_model_part *part = ra_model_part_create(search->count, m->track_count);
	size_t segment = 0;

	part->slice_count = search->pushes;
	memcpy(part->firsts, search->firsts, (m->track_count + 1) * sizeof(*part->firsts));
	for (size_t i = 0; i < search->count; i++) {
		const struct candidate *c = &search->candidates[i];
		struct ra_slices *s = &part->slices;

		s->start_ns[i] =
			ra_clock_convert(search->log->clock, c->ticks, &segment) - m->zero_ns;
		s->dur_ns[i] = ra_clock_convert(search->log->clock, c->end_ticks, &segment) -
		               m->zero_ns - s->start_ns[i];
		s->name[i] = c->name;
		s->parent[i] = RA_NONE;
		s->flags[i] = 0;
		ra_builder_find_domain(search->log->builder, c->domain, &s->domain[i]);
	}
	return part;
}

bool ra_log_steps_find(const struct ra_log_steps *log, struct ra_input_window *window)
{
	struct ra_model *m = log->builder->model;
	struct search search = { .log = log, .model = m };
	bool is_found = false;

	if (log->of == NULL || log->events < log->of->least_events || !is_whole(m->reader)) {
		return false;
	}
	search.answers = ra_alloc_zeros(m->string_count + 1, sizeof(*search.answers));
	search.firsts = ra_alloc_zeros(m->track_count + 1, sizeof(*search.firsts));
	search.head = ra_outer_head_create();
	if (search.head == NULL || rlog_batch_init(&search.batch, 0) != 0) {
		ra_alloc_end();
	}
	if (take_tracks(&search)) {
		m->part = make_part(&search);
		is_found = log->of->choose(log->of->context, m, window);
	}
	if (!is_found) {
		ra_model_part_destroy(m->part);
		m->part = NULL;
	}
	ra_outer_head_destroy(search.head);
	rlog_batch_fini(&search.batch);
	free(search.answers);
	free(search.firsts);
	free(search.candidates);
	return is_found;
}
