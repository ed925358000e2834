/* SPDX-License-Identifier: MIT */
/* Tests the ranges found in random logs: compares them with those that a second, naive method
 * finds. */
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define STREAMS 3u
#define DOMAINS 4u
#define NEVER   UINT32_MAX
#define UNSEEN  32u

/* A range as the naive way sees it. */
struct expected {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t name;
	uint32_t domain;
	uint32_t opened; /* ordinal of the row that opened and closed it; a loss is one instant */
	uint32_t closed;
	uint32_t parent;
	uint8_t flags;
	bool is_open;
};

struct thread {
	struct expected *ranges;
	size_t count;
	size_t open[4096]; /* indices, in order of opening */
	size_t open_count;
	int64_t now_ns;
	int64_t loss_start_ns;
	int64_t loss_end_ns;
	uint32_t clock; /* of rows */
	bool in_loss;
	bool has_depth;
	uint64_t unseen[UNSEEN];
	uint32_t unseen_domain[UNSEEN];
	size_t unseen_count;
};

struct span {
	uint64_t id;
	int64_t start_ns;
	int64_t end_ns;
	uint32_t name;
	bool is_open;
};

struct trial {
	struct analyzer_log log;
	struct thread threads[STREAMS];
	struct span *spans;
	size_t span_count;
	uint64_t *ends; /* pairs: id, time */
	size_t end_count;
	uint64_t rng;
	uint64_t next_id;
	uint64_t unmatched_pops;
	uint64_t repaired;
	uint64_t lost_starts;
	uint64_t lost_ends;
	size_t attrs;
	size_t rows;
	unsigned domains;
	bool has_losses;
	bool has_steps_back;
};

static uint64_t roll(struct trial *t, uint64_t below)
{
	t->rng ^= t->rng << 13;
	t->rng ^= t->rng >> 7;
	t->rng ^= t->rng << 17;
	return t->rng % below;
}

static void open_range(struct thread *th, int64_t time_ns, uint32_t name, uint32_t domain)
{
	th->ranges[th->count] = (struct expected){
		.start_ns = time_ns,
		.name = name,
		.domain = domain,
		.opened = th->clock++,
		.closed = NEVER,
		.parent = RA_NONE,
		.is_open = true,
	};
	th->open[th->open_count++] = th->count++;
}

static void close_at(struct thread *th, size_t place, int64_t time_ns, uint32_t clock)
{
	struct expected *range = &th->ranges[th->open[place]];

	range->end_ns = time_ns;
	range->closed = clock;
	range->is_open = false;
	memmove(&th->open[place], &th->open[place + 1],
	        (th->open_count - place - 1) * sizeof(th->open[0]));
	th->open_count--;
}

/* A loss and its depth rows are carried out when another row comes. */
static void end_loss(struct trial *t, struct thread *th, bool is_end)
{
	if (!th->in_loss) {
		return;
	}
	th->in_loss = false;
	th->has_depth = false;
	th->clock++;
	for (size_t i = 0; i < th->unseen_count; i++) {
		for (uint64_t n = 0; n < th->unseen[i]; n++) {
			open_range(th, th->loss_end_ns, 0, th->unseen_domain[i]);
			th->ranges[th->count - 1].flags = RA_SLICE_LOST_START;
			t->lost_starts++;
		}
	}
	th->unseen_count = 0;
	if (th->now_ns < th->loss_end_ns) {
		th->now_ns = th->loss_end_ns;
		t->repaired += !is_end;
	}
}

/* The time of a row, as the thread sees it. */
static void set_time(struct trial *t, struct thread *th, int64_t time_ns)
{
	if (time_ns < th->now_ns) {
		t->repaired++;
	} else {
		th->now_ns = time_ns;
	}
}

static void take_push(struct trial *t, uint32_t stream, int64_t time_ns)
{
	struct thread *th = &t->threads[stream - 1];
	const uint32_t name = (uint32_t) roll(t, ANALYZER_LOG_NAMES + 1);
	const uint32_t domain = (uint32_t) roll(t, t->domains);

	set_time(t, th, time_ns);
	end_loss(t, th, false);
	open_range(th, th->now_ns, name, domain);
	(void) analyzer_log_add(&t->log, stream, RLOG_OP_PUSH, (uint64_t) time_ns, name, domain);
	if (roll(t, 20) == 0) {
		analyzer_log_set(&t->log, stream, RLOG_ATTR_COLOR, 1 + name);
		t->attrs++;
	}
}

static void take_pop(struct trial *t, uint32_t stream, int64_t time_ns)
{
	struct thread *th = &t->threads[stream - 1];
	const uint32_t domain = (uint32_t) roll(t, t->domains);
	size_t place;

	set_time(t, th, time_ns);
	end_loss(t, th, false);
	(void) analyzer_log_add(&t->log, stream, RLOG_OP_POP, (uint64_t) time_ns, 0, domain);
	place = th->open_count;
	while (place > 0 && th->ranges[th->open[place - 1]].domain != domain) {
		place--;
	}
	if (place == 0) {
		t->unmatched_pops++;
	} else {
		close_at(th, place - 1, th->now_ns, th->clock++);
	}
}

static void take_loss(struct trial *t, uint32_t stream, int64_t time_ns)
{
	struct thread *th = &t->threads[stream - 1];
	const int64_t span = (int64_t) roll(t, 50);

	set_time(t, th, time_ns);
	if (th->has_depth) {
		end_loss(t, th, false);
	}
	if (!th->in_loss) {
		th->in_loss = true;
		th->loss_start_ns = th->now_ns;
		th->loss_end_ns = th->now_ns;
	}
	if (time_ns + span > th->loss_end_ns) {
		th->loss_end_ns = time_ns + span;
	}
	analyzer_log_lose(&t->log, stream, (uint64_t) time_ns, (uint64_t) span, 10);
}

static void take_depth(struct trial *t, uint32_t stream, int64_t time_ns)
{
	struct thread *th = &t->threads[stream - 1];
	const uint32_t domain = (uint32_t) roll(t, t->domains);
	const uint64_t survivors = roll(t, 4);
	const uint64_t more = roll(t, 3);
	uint64_t seen = 0;

	set_time(t, th, time_ns);
	if (th->unseen_count == UNSEEN) {
		return;
	}
	if (!th->in_loss) {
		th->in_loss = true;
		th->loss_start_ns = th->now_ns;
		th->loss_end_ns = th->now_ns;
	}
	th->has_depth = true;
	for (size_t i = 0; i < th->open_count;) {
		struct expected *range = &th->ranges[th->open[i]];

		if (range->domain != domain || seen++ < survivors) {
			i++;
			continue;
		}
		range->flags |= RA_SLICE_LOST_END;
		t->lost_ends++;
		close_at(th, i, th->loss_start_ns, th->clock);
	}
	th->unseen[th->unseen_count] = more;
	th->unseen_domain[th->unseen_count++] = domain;
	analyzer_log_set_depth(&t->log, stream, (uint64_t) time_ns, domain, survivors + more,
	                       survivors);
}

static void take_span(struct trial *t, uint32_t stream, int64_t time_ns)
{
	struct thread *th = &t->threads[stream - 1];
	const bool is_start = roll(t, 2) == 0;

	set_time(t, th, time_ns);
	end_loss(t, th, false);
	if (is_start) {
		const uint32_t name = 1 + (uint32_t) roll(t, ANALYZER_LOG_NAMES);

		t->spans[t->span_count++] =
			(struct span){ ++t->next_id, th->now_ns, 0, name, true };
		(void) analyzer_log_add_id(&t->log, stream, RLOG_OP_START, (uint64_t) time_ns, name,
		                           t->next_id);
		return;
	}
	t->ends[t->end_count * 2] = 1 + roll(t, t->next_id + 5);
	t->ends[t->end_count * 2 + 1] = (uint64_t) th->now_ns;
	(void) analyzer_log_add_id(&t->log, stream, RLOG_OP_END, (uint64_t) time_ns, 0,
	                           t->ends[t->end_count++ * 2]);
}

static void take_random_row(struct trial *t, int64_t *time_ns)
{
	const uint32_t stream = 1 + (uint32_t) roll(t, STREAMS);
	const uint64_t kind = roll(t, 100);
	int64_t now_ns;

	*time_ns += (int64_t) roll(t, 6);
	now_ns = *time_ns;
	if (t->has_steps_back && roll(t, 30) == 0) {
		now_ns -= (int64_t) roll(t, 20);
	}
	if (kind < 4 && t->has_losses) {
		take_loss(t, stream, now_ns);
	} else if (kind < 8 && t->has_losses) {
		take_depth(t, stream, now_ns);
	} else if (kind < 12) {
		take_span(t, stream, now_ns);
	} else if (kind < 12 + 44 && t->threads[stream - 1].open_count < 4000) {
		take_push(t, stream, now_ns);
	} else {
		take_pop(t, stream, now_ns);
	}
	if (roll(t, 200) == 0) {
		analyzer_log_flush(&t->log, stream, 0);
	}
}

/* What was opened inside x and is open when x closes crosses it. */
static void mark_crossing_of(struct thread *th, size_t x)
{
	const uint32_t clock = th->ranges[x].closed;

	for (size_t y = x + 1; y < th->count && th->ranges[y].opened < clock; y++) {
		if (th->ranges[y].closed > clock) {
			th->ranges[y].flags |= RA_SLICE_CROSSING;
		}
	}
}

/* Ranges are handled in order of closing, because a range that crosses another one is not crossed
 * itself. */
static void mark_crossing(struct thread *th)
{
	for (uint32_t clock = 0; clock <= th->clock; clock++) {
		for (size_t x = 0; x < th->count; x++) {
			if (th->ranges[x].closed == clock &&
			    !(th->ranges[x].flags & RA_SLICE_CROSSING)) {
				mark_crossing_of(th, x);
			}
		}
	}
}

static void find_parents(struct thread *th)
{
	for (size_t y = 0; y < th->count; y++) {
		struct expected *range = &th->ranges[y];

		for (size_t x = y; x-- > 0 && !(range->flags & RA_SLICE_CROSSING);) {
			if (!(th->ranges[x].flags & RA_SLICE_CROSSING) &&
			    th->ranges[x].closed > range->opened) {
				range->parent = (uint32_t) x;
				break;
			}
		}
	}
}

static void finish_thread(struct trial *t, struct thread *th)
{
	end_loss(t, th, true);
	mark_crossing(th);
	find_parents(th);
	for (size_t i = 0; i < th->count; i++) {
		if (th->ranges[i].is_open) {
			th->ranges[i].flags |= RA_SLICE_OPEN;
			th->ranges[i].end_ns = th->now_ns;
		}
	}
}

static bool same_slice(const struct ra_model *m, size_t slice, size_t first,
                       const struct expected *e)
{
	const struct ra_slices *s = &m->slices;
	const uint32_t parent = e->parent == RA_NONE ? RA_NONE : (uint32_t) first + e->parent;

	return s->start_ns[slice] + m->zero_ns == e->start_ns &&
	       s->dur_ns[slice] == e->end_ns - e->start_ns && s->name[slice] == e->name &&
	       m->domains[s->domain[slice]].id == e->domain && s->parent[slice] == parent &&
	       s->flags[slice] == e->flags;
}

static void show_difference(const struct ra_model *m, size_t first, size_t place,
                            const struct expected *e)
{
	const struct ra_slices *s = &m->slices;
	const size_t slice = first + place;
	const int64_t start_ns = s->start_ns[slice] + m->zero_ns;
	const int64_t end_ns = start_ns + s->dur_ns[slice];
	const int64_t parent = (int64_t) s->parent[slice] - (int64_t) first;

	tap_diag("range %zu: start %lld, wanted %lld; end %lld, wanted %lld", place,
	         (long long) start_ns, (long long) e->start_ns, (long long) end_ns,
	         (long long) e->end_ns);
	tap_diag("parent %lld, wanted %lld; flags %x, wanted %x", (long long) parent,
	         (long long) e->parent, s->flags[slice], e->flags);
}

static bool same_thread(const struct ra_model *m, uint32_t stream, const struct thread *th)
{
	const struct ra_track *track = NULL;

	for (size_t i = 0; i < m->track_count; i++) {
		if (m->tracks[i].stream == stream && m->tracks[i].kind == RA_TRACK_THREAD) {
			track = &m->tracks[i];
		}
	}
	if (track == NULL || track->slice_count != th->count) {
		return track == NULL && th->count == 0;
	}
	for (size_t i = 0; i < th->count; i++) {
		if (!same_slice(m, track->first_slice + i, track->first_slice, &th->ranges[i])) {
			show_difference(m, track->first_slice, i, &th->ranges[i]);
			return false;
		}
	}
	return true;
}

/* Every span must be in the model, and nothing else on its track. */
static bool same_spans(struct trial *t, const struct ra_model *m)
{
	uint64_t unmatched = 0;
	uint64_t matched = 0;

	for (size_t e = 0; e < t->end_count; e++) {
		bool found = false;

		for (size_t i = 0; i < t->span_count && !found; i++) {
			struct span *span = &t->spans[i];

			if (span->is_open && span->id == t->ends[e * 2]) {
				/* Which of several ends of an id comes first is the streams' order.
				 */
				found = true;
				span->is_open = false;
				matched++;
			}
		}
		unmatched += !found;
	}
	if (m->span_count != t->span_count || m->quality.unmatched_ends != unmatched) {
		return false;
	}
	for (size_t i = 0; i < m->span_count; i++) {
		const struct ra_span *span = &m->spans[i];
		const struct span *wanted = &t->spans[span->id - 1];
		const bool is_open = (m->slices.flags[span->slice] & RA_SLICE_OPEN) != 0;

		if (m->slices.start_ns[span->slice] + m->zero_ns != wanted->start_ns ||
		    m->slices.name[span->slice] != wanted->name || is_open != wanted->is_open ||
		    (i > 0 &&
		     m->slices.start_ns[span->slice - 1] > m->slices.start_ns[span->slice])) {
			return false;
		}
		matched -= !is_open;
	}
	return matched == 0;
}

/* Each colour is its range's name + 1. */
static bool same_attrs(const struct trial *t, const struct ra_model *m)
{
	for (size_t i = 0; i < m->slice_attr_count; i++) {
		const struct ra_attr *attr = &m->slice_attrs[i];

		if (attr->color != m->slices.name[attr->owner] + 1 ||
		    ra_model_find_slice_attr(m, attr->owner) != attr) {
			return false;
		}
	}
	return m->slice_attr_count == t->attrs;
}

static void init_trial(struct trial *t, uint64_t seed, size_t rows)
{
	memset(t, 0, sizeof(*t));
	analyzer_log_init(&t->log);
	t->rng = seed * 0x9E3779B97F4A7C15u + 1;
	t->rows = rows;
	t->domains = 1 + (unsigned) roll(t, DOMAINS);
	t->has_losses = roll(t, 2) == 0;
	t->has_steps_back = roll(t, 3) == 0;
	t->log.chunk_rows = 1 + (size_t) roll(t, 300);
	t->spans = calloc(rows + 1, sizeof(*t->spans));
	t->ends = calloc(rows * 2 + 2, sizeof(*t->ends));
	for (unsigned i = 0; i < STREAMS; i++) {
		t->threads[i].ranges = calloc(rows * 3 + 1, sizeof(struct expected));
		t->threads[i].now_ns = INT64_MIN;
		if (t->threads[i].ranges == NULL || t->spans == NULL || t->ends == NULL) {
			tap_bail("no memory");
		}
	}
}

static void fini_trial(struct trial *t)
{
	for (unsigned i = 0; i < STREAMS; i++) {
		free(t->threads[i].ranges);
	}
	free(t->spans);
	free(t->ends);
	analyzer_log_fini(&t->log);
}

/* NULL if the model is as expected, else what differs. */
static const char *compare_trial(struct trial *t, const struct ra_model *m)
{
	for (uint32_t i = 0; i < STREAMS; i++) {
		finish_thread(t, &t->threads[i]);
		if (!same_thread(m, i + 1, &t->threads[i])) {
			return "ranges";
		}
	}
	if (m->quality.unmatched_pops != t->unmatched_pops) {
		return "unmatched pops";
	}
	if (m->quality.lost_starts != t->lost_starts || m->quality.lost_ends != t->lost_ends) {
		return "ranges cut by losses";
	}
	if (t->end_count == 0 && m->quality.times_repaired != t->repaired) {
		return "repaired times";
	}
	if (!same_attrs(t, m)) {
		return "attributes";
	}
	if (!same_spans(t, m)) {
		return "start/end ranges";
	}
	return NULL;
}

static bool run_trial(uint64_t seed, size_t rows)
{
	struct trial *t = calloc(1, sizeof(*t));
	struct ra_model *m;
	const char *wrong;
	int64_t time_ns = 1000;

	if (t == NULL) {
		tap_bail("no memory");
	}
	init_trial(t, seed, rows);
	for (size_t i = 0; i < rows; i++) {
		take_random_row(t, &time_ns);
	}
	m = analyzer_log_load(&t->log);
	wrong = compare_trial(t, m);
	if (wrong != NULL) {
		tap_diag("seed %llu: %s", (unsigned long long) seed, wrong);
	}
	ra_model_destroy(m);
	fini_trial(t);
	free(t);
	return wrong == NULL;
}

static void run_trials(uint64_t first, uint64_t trials, size_t rows)
{
	bool same = true;

	for (uint64_t seed = first; seed < first + trials && same; seed++) {
		same = run_trial(seed, rows);
	}
	tap_ok(same, "%llu logs of %zu random rows give the ranges a naive reader finds",
	       (unsigned long long) trials, rows);
}

int main(void)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	const char *slow = getenv("UNDER"); /* valgrind */
	const uint64_t share = slow != NULL && slow[0] != '\0' ? 20 : 1;

	run_trials(1, 2000 / share, 20);
	run_trials(10000, 400 / share, 300);
	run_trials(20000, 40 / share, 3000);
	return tap_done();
}
