/* SPDX-License-Identifier: MIT */
/* Makes logs for tests and benchmarks: the same options give the same bytes. */
#include "tests/tools/log-maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/wire.h"

#define ROWS        16384
#define TICKS_PER_S UINT64_C(2600000000)
#define START_TICKS UINT64_C(1000000000000)
#define START_MONO  UINT64_C(5000000000000)
#define START_REAL  UINT64_C(1700000000000000000)
#define MAX_DOMAINS 64
#define MAX_SPANS   1024

const struct log_maker_options log_maker_defaults = {
	.pairs = 1000,
	.seed = 1,
	.threads = 2,
	.names = 40,
	.domains = 1,
	.depth = 8,
	.odd = 0,
	.rows = ROWS,
	.level = 1,
};

const char *const log_maker_odd_words[] = {
	"unmatched", "open",  "losses",    "spans",    "marks", "attrs",
	"crossing",  "names", "backwards", "unclosed", NULL,
};

static const struct rlog_string odd_names[] = {
	{ "na\xC3\xAFve \xE2\x82\xAC", 10, 10 }, { "bad \xFF\xC0\xAF utf-8", 13, 13 },
	{ "esc \x1B[31mred\x1B[0m", 16, 16 },    { "=HYPERLINK(\"x\")", 15, 15 },
	{ "line\nbreak\ttab", 14, 14 },          { "\xE2\x80\xAEright to left", 16, 16 },
	{ "quote\" back\\slash", 17, 17 },       { "\xE6\xBC\xA2\xE5\xAD\x97 wide", 11, 11 },
};

#define ODD_NAMES (sizeof(odd_names) / sizeof(odd_names[0]))

struct thread {
	struct rlog_batch batch;
	uint64_t rng;
	uint64_t ticks;
	uint64_t pushes_left;
	uint64_t lost;
	unsigned open[MAX_DOMAINS];
	unsigned depth;
	unsigned domain_stack[4096]; /* of open ranges, so that they can be closed in order */
	struct rlog_open_range told[RLOG_BATCH_OPEN]; /* open, as chunks tell it */
	size_t told_count;
	bool is_told;
	bool has_steps;
	uint64_t step_pushes_left; /* pushes at which the next step begins */
};

struct maker {
	const struct log_maker_options *options;
	struct rlog_writer *writer;
	struct thread *threads;
	uint64_t spans[MAX_SPANS]; /* open start/end ranges */
	size_t span_count;
	uint64_t next_span;
	uint32_t name_count;
};

/* xorshift64* (Vigna 2016). */
static uint64_t roll(struct thread *t)
{
	t->rng ^= t->rng >> 12;
	t->rng ^= t->rng << 25;
	t->rng ^= t->rng >> 27;
	return t->rng * UINT64_C(0x2545F4914F6CDD1D);
}

static uint64_t roll_below(struct thread *t, uint64_t limit)
{
	return (roll(t) >> 32) * limit >> 32;
}

static bool is_odd(const struct maker *m, struct thread *t, enum log_maker_odd odd, unsigned one_in)
{
	return (m->options->odd & (unsigned) odd) != 0 && roll_below(t, one_in) == 0;
}

/* Gaps as work has them: mostly short, now and then long. Even ticks, as from a clock of 10 ns
 * steps. */
static void advance(struct thread *t)
{
	const unsigned scale = (unsigned) roll_below(t, 12);

	t->ticks += 26 * (1 + roll_below(t, UINT64_C(1) << scale));
}

static void put_attrs(const struct maker *m, struct thread *t)
{
	struct rlog_batch *b = &t->batch;
	const uint32_t row = (uint32_t) b->count - 1;

	if (!is_odd(m, t, LOG_MAKER_ATTRS, 4)) {
		return;
	}
	(void) rlog_batch_add_attr(b, RLOG_ATTR_CATEGORY, row, 1 + roll_below(t, 5));
	if (roll_below(t, 2) == 0) {
		(void) rlog_batch_add_attr(b, RLOG_ATTR_COLOR, row, 0xFF00FF00u + row % 7);
	}
	if (roll_below(t, 2) == 0) {
		(void) rlog_batch_add_attr(b, RLOG_ATTR_PTYPE, row, RLOG_PAYLOAD_I64);
		(void) rlog_batch_add_attr(b, RLOG_ATTR_PAYLOAD, row, (uint64_t) -5);
	}
}

static uint32_t choose_name(const struct maker *m, struct thread *t)
{
	/* Most ranges of a depth have few names, as in code. */
	const uint64_t spread = roll_below(t, 8) == 0 ? m->name_count : 1 + m->name_count / 8;

	return 1 + (uint32_t) ((t->depth * UINT64_C(3) + roll_below(t, spread)) % m->name_count);
}

/* The number of the name "step": behind those of ranges, threads, domains and categories. */
static uint32_t step_name(const struct maker *m)
{
	return m->name_count + 4;
}

/* A step begins where the thread has nothing open; its end is a pop as all others. */
static bool begins_step(const struct maker *m, struct thread *t)
{
	if (!t->has_steps || t->depth > 0 || t->pushes_left > t->step_pushes_left) {
		return false;
	}
	t->step_pushes_left =
		t->pushes_left > m->options->steps ? t->pushes_left - m->options->steps : 0;
	return true;
}

/* The outermost range of a thread with steps is one, and stays open until the next is due. */
static bool keeps_step(const struct thread *t)
{
	return t->has_steps && t->depth == 1 && t->pushes_left > t->step_pushes_left;
}

static void push(const struct maker *m, struct thread *t)
{
	const unsigned domain = (unsigned) roll_below(t, m->options->domains);
	const uint32_t name = begins_step(m, t) ? step_name(m) : choose_name(m, t);

	rlog_batch_append(&t->batch, t->ticks, RLOG_OP_PUSH, name, domain, 0);
	put_attrs(m, t);
	t->domain_stack[t->depth++] = domain;
	t->open[domain]++;
	t->pushes_left--;
}

static void pop(const struct maker *m, struct thread *t)
{
	unsigned place = t->depth - 1;
	unsigned domain;

	if (is_odd(m, t, LOG_MAKER_CROSSING, 3)) {
		place = (unsigned) roll_below(t, t->depth);
	}
	domain = t->domain_stack[place];
	/* The innermost of that domain is the one that closes. */
	for (unsigned i = t->depth - 1; i > place; i--) {
		if (t->domain_stack[i] == domain) {
			place = i;
			break;
		}
	}
	memmove(&t->domain_stack[place], &t->domain_stack[place + 1],
	        (t->depth - 1 - place) * sizeof(t->domain_stack[0]));
	t->depth--;
	t->open[domain]--;
	rlog_batch_append(&t->batch, t->ticks, RLOG_OP_POP, 0, domain, 0);
}

/* Keeps the `survivors` outermost ranges of a domain, then adds unknown ones. */
static void change_depth(const struct maker *m, struct thread *t, unsigned domain)
{
	const unsigned survivors = (unsigned) roll_below(t, t->open[domain] + UINT64_C(1));
	const unsigned room = m->options->depth > t->depth ? m->options->depth - t->depth : 0;
	const unsigned opened = (unsigned) roll_below(t, (room < 3 ? room : 3) + UINT64_C(1));
	unsigned seen = 0;
	unsigned kept = 0;
	uint32_t row;

	for (unsigned i = 0; i < t->depth; i++) {
		if (t->domain_stack[i] != domain || seen++ < survivors) {
			t->domain_stack[kept++] = t->domain_stack[i];
		}
	}
	for (unsigned i = 0; i < opened; i++) {
		t->domain_stack[kept++] = domain;
	}
	t->depth = kept;
	t->open[domain] = survivors + opened;
	rlog_batch_append(&t->batch, t->ticks, RLOG_OP_DEPTH, 0, domain, 0);
	row = (uint32_t) t->batch.count - 1;
	(void) rlog_batch_add_attr(&t->batch, RLOG_ATTR_DEPTH, row, t->open[domain]);
	(void) rlog_batch_add_attr(&t->batch, RLOG_ATTR_MIN_DEPTH, row, survivors);
}

static void lose(const struct maker *m, struct thread *t)
{
	const uint64_t lost = 1 + roll_below(t, 1000);
	const uint64_t span = 260 * (1 + roll_below(t, 5000));
	uint32_t row;

	rlog_batch_append(&t->batch, t->ticks, RLOG_OP_LOSS, 0, 0, 0);
	row = (uint32_t) t->batch.count - 1;
	(void) rlog_batch_add_attr(&t->batch, RLOG_ATTR_LOST, row, lost);
	(void) rlog_batch_add_attr(&t->batch, RLOG_ATTR_CAUSE, row, RLOG_CAUSE_RING_FULL);
	(void) rlog_batch_add_attr(&t->batch, RLOG_ATTR_SPAN, row, span);
	t->ticks += span;
	t->lost += lost;
	for (unsigned d = 0; d < m->options->domains; d++) {
		if (t->open[d] > 0 || roll_below(t, 2) == 0) {
			change_depth(m, t, d);
		}
	}
}

static void put_span(struct maker *m, struct thread *t)
{
	const unsigned domain = (unsigned) roll_below(t, m->options->domains);
	uint64_t id = UINT64_C(1) << 60;

	if (m->span_count < MAX_SPANS && roll_below(t, 2) == 0) {
		id = ++m->next_span;
		m->spans[m->span_count++] = id;
		rlog_batch_append(&t->batch, t->ticks, RLOG_OP_START, choose_name(m, t), domain,
		                  id);
		put_attrs(m, t);
		return;
	}
	if (m->span_count > 0) {
		const size_t place = (size_t) roll_below(t, m->span_count);

		id = m->spans[place];
		m->spans[place] = m->spans[--m->span_count];
	} else if ((m->options->odd & LOG_MAKER_UNMATCHED) == 0) {
		return;
	}
	rlog_batch_append(&t->batch, t->ticks, RLOG_OP_END, 0, domain, id);
}

/* Events beside push and pop. */
static void put_oddities(struct maker *m, struct thread *t)
{
	if (is_odd(m, t, LOG_MAKER_UNMATCHED, 50)) {
		const unsigned domain = (unsigned) roll_below(t, m->options->domains);

		if (t->open[domain] == 0) {
			rlog_batch_append(&t->batch, t->ticks, RLOG_OP_POP, 0, domain, 0);
		}
	}
	if (is_odd(m, t, LOG_MAKER_SPANS, 10)) {
		put_span(m, t);
	}
	if (is_odd(m, t, LOG_MAKER_MARKS, 10)) {
		rlog_batch_append(&t->batch, t->ticks, RLOG_OP_MARK, choose_name(m, t),
		                  (uint32_t) roll_below(t, m->options->domains), 0);
		put_attrs(m, t);
	}
	if (is_odd(m, t, LOG_MAKER_LOSSES, 500)) {
		lose(m, t);
	}
	if (is_odd(m, t, LOG_MAKER_BACKWARDS, 300)) {
		t->batch.flags |= RLOG_FLAG_UNSORTED;
		t->ticks -= 26 * roll_below(t, 10);
	}
}

/* One event, and what comes with it. False when the thread has ended. */
static bool step(struct maker *m, struct thread *t)
{
	advance(t);
	put_oddities(m, t);
	if (t->depth > 0 &&
	    (t->pushes_left == 0 || t->depth >= m->options->depth || roll_below(t, 2) == 0)) {
		if (t->pushes_left == 0 && (m->options->odd & LOG_MAKER_OPEN) != 0 &&
		    t->depth <= 2) {
			return false;
		}
		if (keeps_step(t)) {
			push(m, t);
			return true;
		}
		pop(m, t);
		return true;
	}
	if (t->pushes_left == 0) {
		return false;
	}
	push(m, t);
	return true;
}

static int put_names(struct maker *m, struct rlog_error *err)
{
	static const struct rlog_string step = { "step", 4, 4 };
	struct rlog_string *strings = calloc(m->name_count + 3, sizeof(*strings));
	char(*texts)[24] = calloc(m->name_count + 3, sizeof(*texts));
	const bool has_odd = (m->options->odd & LOG_MAKER_NAMES) != 0;
	int rc = -RLOG_E_NO_MEMORY;

	if (strings != NULL && texts != NULL) {
		for (uint32_t i = 0; i < m->name_count + 3; i++) {
			static const char *const last[] = { "worker", "domain", "category" };
			const uint32_t length = (uint32_t) snprintf(
				texts[i], sizeof(texts[i]), "%s %u",
				i < m->name_count ? "range" : last[i - m->name_count], i + 1);

			strings[i] = (struct rlog_string){ texts[i], length, length };
			if (has_odd && i < m->name_count && i < ODD_NAMES) {
				strings[i] = odd_names[i];
			}
		}
		rc = rlog_writer_put_strings(m->writer, 1, strings, m->name_count + 3, err);
		if (rc == 0 && m->options->steps > 0) {
			rc = rlog_writer_put_strings(m->writer, step_name(m), &step, 1, err);
		}
	}
	free(strings);
	free(texts);
	return rc;
}

static int put_defs(struct maker *m, struct rlog_error *err)
{
	uint64_t ordinal = 0;
	int rc = 0;

	for (unsigned i = 0; i < m->options->threads && rc == 0; i++) {
		const struct rlog_def def = { RLOG_DEF_STREAM, i + UINT64_C(1), 0,
			                      m->name_count + 1, 4242 + i };

		rc = rlog_writer_put_defs(m->writer, ordinal++, &def, 1, err);
	}
	for (unsigned i = 1; i < m->options->domains && rc == 0; i++) {
		const struct rlog_def def = { RLOG_DEF_DOMAIN, i, 0, m->name_count + 2, 0 };

		rc = rlog_writer_put_defs(m->writer, ordinal++, &def, 1, err);
	}
	if (rc == 0) {
		const struct rlog_def def = { RLOG_DEF_CATEGORY, 1, 0, m->name_count + 3, 0 };

		rc = rlog_writer_put_defs(m->writer, ordinal, &def, 1, err);
	}
	return rc;
}

static int put_capture(struct maker *m, struct rlog_error *err)
{
	static const struct rlog_string texts[] = {
		{ "gen-log", 7, 7 }, { "example.test", 12, 12 }, { "/bin/example", 12, 12 },
		{ "tsc", 3, 3 },     { "example", 7, 7 },        { "--steps=3", 9, 9 },
	};
	const struct rlog_fact facts[] = {
		{ .key = "tool", .type = RLOG_FACT_TEXT, .texts = &texts[0], .text_count = 1 },
		{ .key = "host", .type = RLOG_FACT_TEXT, .texts = &texts[1], .text_count = 1 },
		{ .key = "exe", .type = RLOG_FACT_TEXT, .texts = &texts[2], .text_count = 1 },
		{ .key = "argv", .type = RLOG_FACT_TEXTS, .texts = &texts[4], .text_count = 2 },
		{ .key = "pid", .type = RLOG_FACT_U64, .u64 = 4242 },
		{ .key = "ppid", .type = RLOG_FACT_U64, .u64 = 1 },
		{ .key = "start_mono_ns", .type = RLOG_FACT_U64, .u64 = START_MONO },
		{ .key = "start_real_ns", .type = RLOG_FACT_U64, .u64 = START_REAL },
		{ .key = "clock", .type = RLOG_FACT_TEXT, .texts = &texts[3], .text_count = 1 },
		{ .key = "ticks_per_s", .type = RLOG_FACT_U64, .u64 = TICKS_PER_S },
	};

	return rlog_writer_put_capture(m->writer, facts, sizeof(facts) / sizeof(facts[0]), err);
}

/* A clock that runs 20 parts in a million slower than it claims. */
static int put_clock(struct maker *m, uint64_t ticks, struct rlog_error *err)
{
	const uint64_t passed_ns = (ticks - START_TICKS) / 13 * 5;
	const uint64_t ns = passed_ns + passed_ns / 50000;
	const struct rlog_clock_point point = { ticks, START_MONO + ns, START_REAL + ns,
		                                START_MONO + ns, 25 };

	return rlog_writer_put_clock(m->writer, &point, 1, err);
}

/* Updates the open ranges of a thread after one of its rows. */
static void follow(struct thread *t, size_t row)
{
	const struct rlog_batch *batch = &t->batch;
	size_t i = t->told_count;

	t->is_told = t->is_told && batch->op[row] != RLOG_OP_LOSS;
	if (batch->op[row] == RLOG_OP_PUSH) {
		t->is_told = t->is_told && t->told_count < RLOG_BATCH_OPEN;
		if (t->is_told) {
			t->told[t->told_count++] =
				(struct rlog_open_range){ batch->ticks[row], batch->name[row],
				                          batch->domain[row] };
		}
	} else if (batch->op[row] == RLOG_OP_POP) {
		while (i > 0 && t->told[i - 1].domain != batch->domain[row]) {
			i--;
		}
		for (; i > 0 && i < t->told_count; i++) {
			t->told[i - 1] = t->told[i];
		}
		t->told_count -= i > 0;
	}
}

/* Notes in the batch which ranges are open before it. */
static void tell_open(struct thread *t)
{
	t->batch.has_open = t->is_told;
	t->batch.open_count = t->told_count;
	memcpy(t->batch.open, t->told, sizeof(t->told));
	for (size_t row = 0; row < t->batch.count; row++) {
		follow(t, row);
	}
}

static int put_chunk(struct maker *m, unsigned which, bool is_last, struct rlog_error *err)
{
	struct thread *t = &m->threads[which];
	int rc = 0;

	if (m->options->tells_open) {
		tell_open(t);
	}

	if (t->batch.count > 0) {
		t->batch.stream = which + 1;
		t->batch.flags |= is_last ? RLOG_FLAG_LAST : 0;
		rc = rlog_writer_put_events(m->writer, &t->batch, t->lost, err);
	}
	t->batch.sequence += t->batch.count;
	t->batch.flags = 0;
	if (rc == 0) {
		const uint64_t sequence = t->batch.sequence;

		rlog_batch_clear(&t->batch);
		t->batch.sequence = sequence;
	}
	return rc;
}

/* Room that one step may need: an event, oddities, a loss with a depth row per domain. */
#define STEP_ROWS (8 + MAX_DOMAINS)

static int put_all_events(struct maker *m, uint64_t *last_ticks, struct rlog_error *err)
{
	const unsigned threads = m->options->threads;
	unsigned running = threads;
	int rc = 0;

	while (running > 0 && rc == 0) {
		running = 0;
		for (unsigned i = 0; i < threads && rc == 0; i++) {
			struct thread *t = &m->threads[i];
			bool runs = t->rng != 0;

			while (runs && t->batch.count + STEP_ROWS <= m->options->rows) {
				runs = step(m, t);
			}
			if (t->rng == 0) {
				continue;
			}
			rc = put_chunk(m, i, !runs, err);
			*last_ticks = t->ticks > *last_ticks ? t->ticks : *last_ticks;
			t->rng = runs ? t->rng : 0;
			running += runs;
		}
		if (rc == 0) {
			rc = put_clock(m, *last_ticks, err);
		}
		if (rc == 0) {
			rc = rlog_writer_checkpoint(m->writer, err);
		}
	}
	return rc;
}

static int put_losses(struct maker *m, uint64_t *total, struct rlog_error *err)
{
	int rc = 0;

	for (unsigned i = 0; i < m->options->threads && rc == 0; i++) {
		const struct rlog_loss loss = { i + 1, RLOG_CAUSE_RING_FULL, m->threads[i].lost };

		*total += loss.count;
		if (loss.count > 0) {
			rc = rlog_writer_put_losses(m->writer, &loss, 1, err);
		}
	}
	return rc;
}

static int make_log(struct maker *m, struct rlog_error *err)
{
	uint64_t last_ticks = START_TICKS;
	uint64_t lost = 0;
	int rc = put_capture(m, err);

	if (rc == 0) {
		rc = put_clock(m, START_TICKS, err);
	}
	if (rc == 0) {
		rc = put_names(m, err);
	}
	if (rc == 0) {
		rc = put_defs(m, err);
	}
	if (rc == 0) {
		rc = put_all_events(m, &last_ticks, err);
	}
	if (rc == 0) {
		rc = put_losses(m, &lost, err);
	}
	if (rc == 0 && (m->options->odd & LOG_MAKER_UNCLOSED) == 0) {
		rc = rlog_writer_finish(m->writer, "clean", lost, err);
	}
	return rc;
}

static int init_threads(struct maker *m)
{
	const unsigned threads = m->options->threads;

	m->threads = calloc(threads, sizeof(*m->threads));
	if (m->threads == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (unsigned i = 0; i < threads; i++) {
		struct thread *t = &m->threads[i];
		const int rc = rlog_batch_init(&t->batch, ROWS);

		if (rc != 0) {
			return rc;
		}
		t->rng = (m->options->seed + 1) * UINT64_C(0x9E3779B97F4A7C15) + i + 1;
		t->ticks = START_TICKS + i * UINT64_C(1000);
		t->is_told = true;
		t->pushes_left = m->options->pairs / threads + (i < m->options->pairs % threads);
		t->has_steps = i == 0 && m->options->steps > 0;
		t->step_pushes_left = t->pushes_left;
	}
	return 0;
}

int log_maker_write(int fd, const struct log_maker_options *options, struct rlog_error *err)
{
	struct maker m = { .options = options, .name_count = options->names };
	const struct rlog_writer_options writer_options = {
		.tag = (uint32_t) options->seed * 2654435761u + 1, .level = options->level
	};
	int rc;

	if (options->threads == 0 || options->names == 0 || options->domains == 0 ||
	    options->domains > MAX_DOMAINS || options->depth == 0 || options->depth > 4000 ||
	    options->rows < STEP_ROWS || options->rows > ROWS) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "an option is out of range");
	}
	rc = init_threads(&m);
	if (rc == 0) {
		rc = rlog_writer_create(&m.writer, fd, &writer_options, err);
	}
	if (rc == 0) {
		rc = make_log(&m, err);
	}
	rlog_writer_destroy(m.writer);
	for (unsigned i = 0; m.threads != NULL && i < options->threads; i++) {
		rlog_batch_fini(&m.threads[i].batch);
	}
	free(m.threads);
	return rc;
}
