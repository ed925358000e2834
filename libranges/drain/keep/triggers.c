/* SPDX-License-Identifier: MIT */
/* Checks drained events for conditions that ask for a snapshot. */
#include "libranges/drain/keep/triggers.h"

#include <stdlib.h>
#include <string.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/settings/trigger.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/drain/open-ranges.h"
#include "libranges/drain/keep/snapshot.h"
#include "libranges/spool/arena.h"

#define NS_PER_S UINT64_C(1000000000)
/* The median is that of the last so many durations. */
#define MEDIAN_OF 128u
/* A shorter duration is never slow compared with the median, because µs are noise of the
 * machine. */
#define SLOW_NS  UINT64_C(1000000)
#define COUNTERS 64u

/* A set of small numbers. */
struct bits {
	uint8_t *bytes; /* owned */
	size_t size;
};

struct counter {
	uint64_t id;
	uint32_t domain;
};

/* A condition and its state. */
struct state {
	struct rcap_trigger trigger;
	struct bits names;        /* ids of strings that match the condition's name */
	struct bits domain_names; /* ids of strings that match the name of the condition's domain */
	struct bits domains;
	struct counter counters[COUNTERS];
	size_t counter_count;
	uint64_t history[MEDIAN_OF];
	size_t history_count; /* number of all durations so far, including those that were
	                       * overwritten */
	uint64_t seen_ticks;  /* for the condition `gap`: time of the last event that it waits
	                       * for */
	bool is_armed;        /* true if such an event has come since the condition was last met */
	bool is_by_name;      /* true if the last such event was a range */
};

struct rcap_drain_triggers {
	struct state states[RCAP_TRIGGERS];
	size_t count;
	struct rcap_arena_position arena;
	uint64_t step_ticks; /* time at which the present step began */
	bool has_step;
	/* The snapshot to be written. */
	bool is_due;
	uint64_t from_ticks; /* start of the range or step that met the condition */
	char why[256];
	/* The snapshots written so far. */
	uint64_t written;
	uint64_t written_ns;
};

/* ---- Sets ---- */

static void add_bit(struct bits *bits, uint64_t number)
{
	const size_t byte = (size_t) (number / 8);

	if (byte >= bits->size) {
		const size_t size = 2 * byte + 64;
		uint8_t *grown = realloc(bits->bytes, size);

		if (!grown) {
			return;
		}
		memset(grown + bits->size, 0, size - bits->size);
		bits->bytes = grown;
		bits->size = size;
	}
	bits->bytes[byte] |= (uint8_t) (1u << number % 8);
}

static bool has_bit(const struct bits *bits, uint64_t number)
{
	return number / 8 < bits->size && (bits->bytes[number / 8] & 1u << number % 8) != 0;
}

static void free_triggers(struct rcap_drain *drain)
{
	struct rcap_drain_triggers *triggers = drain->triggers;

	for (size_t i = 0; triggers && i < triggers->count; i++) {
		free(triggers->states[i].names.bytes);
		free(triggers->states[i].domain_names.bytes);
		free(triggers->states[i].domains.bytes);
	}
	free(triggers);
	drain->triggers = NULL;
}

/* ---- Names and definitions ---- */

static void learn_string(struct state *state, const char *text, size_t length, uint32_t id)
{
	const struct rcap_schedule_name *name = &state->trigger.name;

	if (rcap_schedule_is_name(name, text, length)) {
		add_bit(&state->names, id);
	}
	if (name->has_domain && strlen(name->domain) == length &&
	    memcmp(name->domain, text, length) == 0) {
		add_bit(&state->domain_names, id);
	}
}

static bool is_domain(const struct state *state, uint64_t domain)
{
	const struct rcap_schedule_name *name = &state->trigger.name;

	if (!name->has_domain || domain == 0) {
		return !name->has_domain || strcmp(name->domain, "default") == 0;
	}
	return has_bit(&state->domains, domain);
}

static void learn_def(struct state *state, uint32_t kind, const struct rcap_def_body *def)
{
	if (kind == RLOG_DEF_DOMAIN && has_bit(&state->domain_names, def->string)) {
		add_bit(&state->domains, def->id);
	}
	if (kind == RLOG_DEF_COUNTER && state->trigger.kind == RCAP_TRIGGER_COUNTER &&
	    state->counter_count < COUNTERS && has_bit(&state->names, def->string) &&
	    is_domain(state, def->parent)) {
		state->counters[state->counter_count++] =
			(struct counter){ def->id, (uint32_t) def->parent };
	}
}

/* Learns the names that were added to the arena before the batch. */
static void learn(struct rcap_drain *drain)
{
	struct rcap_drain_triggers *triggers = drain->triggers;
	const struct rcap_record *record;

	while ((record = rcap_arena_next(drain->spool, &triggers->arena)) != NULL) {
		for (size_t i = 0; i < triggers->count; i++) {
			if (record->type == RCAP_RECORD_STRING) {
				learn_string(&triggers->states[i], (const char *) (record + 1),
				             record->bytes, triggers->arena.string);
			} else if (record->type == RCAP_RECORD_DEF) {
				learn_def(&triggers->states[i], record->kind,
				          (const void *) (record + 1));
			}
		}
	}
}

/* ---- Conditions ---- */

static uint64_t to_ns(const struct rcap_drain *drain, uint64_t ticks)
{
	const uint64_t rate = drain->spool->header->ticks_per_s;

	return rate == 0 ? ticks : ticks / rate * NS_PER_S + ticks % rate * NS_PER_S / rate;
}

static int compare(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *) a;
	const uint64_t right = *(const uint64_t *) b;

	return (left > right) - (left < right);
}

static uint64_t find_median(const struct state *state)
{
	const size_t count = state->history_count < MEDIAN_OF ? state->history_count : MEDIAN_OF;
	uint64_t sorted[MEDIAN_OF];

	memcpy(sorted, state->history, count * sizeof(sorted[0]));
	qsort(sorted, count, sizeof(sorted[0]), compare);
	return sorted[count / 2];
}

/* Formats a time, such as "12.345 ms". */
static void format_time(uint64_t ns, char *out, size_t size)
{
	const unsigned long us = (unsigned long) (ns / 1000);
	char digits[8];

	rcap_log_format(digits, sizeof(digits), "%lu", 1000 + us % 1000);
	rcap_log_format(out, size, "%lu.%s ms", us / 1000, digits + 1);
}

/* Returns the counts of a condition. They are in the spool, for reports. */
static struct rcap_kept_condition *told_of(struct rcap_drain *drain, const struct state *state)
{
	return &drain->spool->header->control.kept.conditions[state - drain->triggers->states];
}

/* Counts an event that the condition is about. */
static void count_seen(struct rcap_drain *drain, const struct state *state)
{
	atomic_fetch_add_explicit(&told_of(drain, state)->seen, 1, memory_order_relaxed);
}

/* Handles a condition that is met: makes a snapshot due. @begin: time at which the range or step
 * that met the condition began, in ticks. */
static void fire(struct rcap_drain *drain, const struct state *state, uint64_t begin,
                 const char *what)
{
	struct rcap_drain_triggers *triggers = drain->triggers;
	struct rcap_kept *kept = &drain->spool->header->control.kept;

	atomic_fetch_add_explicit(&told_of(drain, state)->met, 1, memory_order_relaxed);
	/* A snapshot that is already due has this time, too, but gives another reason. */
	if (triggers->is_due || triggers->written >= kept->most ||
	    (triggers->written > 0 &&
	     rcap_clock_mono_ns() < triggers->written_ns + kept->cool_ns)) {
		atomic_fetch_add_explicit(&kept->skipped, 1, memory_order_relaxed);
		return;
	}
	triggers->is_due = true;
	triggers->from_ticks = begin;
	rcap_log_format(triggers->why, sizeof(triggers->why), "%.*s: %s",
	                (int) (state->trigger.length < 150 ? state->trigger.length : 150),
	                state->trigger.text, what);
}

/* Checks the duration of a step or range that has ended. */
static void measure(struct rcap_drain *drain, struct state *state, uint64_t begin, uint64_t end)
{
	const uint64_t ns = end > begin ? to_ns(drain, end - begin) : 0;
	const struct rcap_trigger *trigger = &state->trigger;
	char time[32];
	char median[32];
	char text[80];

	count_seen(drain, state);
	format_time(ns, time, sizeof(time));
	if (trigger->limit_ns > 0 && ns > trigger->limit_ns) {
		fire(drain, state, begin, time);
	} else if (trigger->limit_ns == 0 && state->history_count >= RCAP_TRIGGER_MEDIAN_LEAST &&
	           ns >= SLOW_NS) {
		const uint64_t usual = find_median(state);

		if ((double) ns > (double) usual / 1000 * (double) trigger->thousandths) {
			format_time(usual, median, sizeof(median));
			rcap_log_format(text, sizeof(text), "%s, median %s", time, median);
			fire(drain, state, begin, text);
		}
	}
	state->history[state->history_count++ % MEDIAN_OF] = ns;
}

static void see(struct rcap_drain *drain, struct state *state, uint64_t ticks)
{
	count_seen(drain, state);
	if (!state->is_armed || ticks > state->seen_ticks) {
		state->seen_ticks = ticks;
	}
	state->is_armed = true;
}

/* True for a range that has lost its name, because there are too many names, and that may be the
 * one that the condition is about. If the condition has a single name, and that name has an id, the
 * range can't be the one. */
static bool may_be_named(const struct state *state, uint32_t name, uint32_t domain)
{
	const struct rcap_schedule_name *wanted = &state->trigger.name;

	return name == RCAP_ARENA_NAMELESS && wanted->length > 0 &&
	       (wanted->is_begin || wanted->is_numbered || state->names.size == 0) &&
	       is_domain(state, domain);
}

/* Handles the begin or end of such a range. Its duration is not checked. But the condition `gap`
 * takes the range for one that it waits for, so that no false gap is reported. */
static void pass_nameless(struct state *state, uint64_t ticks)
{
	if (state->trigger.kind == RCAP_TRIGGER_GAP && state->is_armed && state->is_by_name &&
	    ticks > state->seen_ticks) {
		state->seen_ticks = ticks;
	}
}

static bool is_named(const struct state *state, uint32_t name, uint32_t domain)
{
	return has_bit(&state->names, name) && is_domain(state, domain);
}

static void range_closed(struct rcap_drain *drain, const struct rcap_open_range *range,
                         uint64_t ticks)
{
	struct rcap_drain_triggers *triggers = drain->triggers;

	for (size_t i = 0; i < triggers->count; i++) {
		struct state *state = &triggers->states[i];

		if (may_be_named(state, range->name, range->domain)) {
			atomic_fetch_add_explicit(&told_of(drain, state)->unnamed, 1,
			                          memory_order_relaxed);
			pass_nameless(state, ticks);
		}
		if (!is_named(state, range->name, range->domain)) {
			continue;
		}
		if (state->trigger.kind == RCAP_TRIGGER_GAP) {
			state->is_by_name = true;
			see(drain, state, ticks);
		} else if (state->trigger.kind != RCAP_TRIGGER_COUNTER) {
			measure(drain, state, range->ticks, ticks);
		}
	}
}

static void step_over(struct rcap_drain *drain, uint64_t ticks)
{
	struct rcap_drain_triggers *triggers = drain->triggers;

	for (size_t i = 0; i < triggers->count; i++) {
		struct state *state = &triggers->states[i];

		if (state->trigger.kind == RCAP_TRIGGER_STEP && triggers->has_step) {
			measure(drain, state, triggers->step_ticks, ticks);
		} else if (state->trigger.kind == RCAP_TRIGGER_GAP && state->trigger.is_step) {
			state->is_by_name = false;
			see(drain, state, ticks);
		}
	}
	triggers->has_step = false;
}

static void range_opened(struct rcap_drain *drain, uint32_t name, uint32_t domain, uint64_t ticks)
{
	struct rcap_drain_triggers *triggers = drain->triggers;

	for (size_t i = 0; i < triggers->count; i++) {
		struct state *state = &triggers->states[i];

		if (state->trigger.kind != RCAP_TRIGGER_GAP) {
			continue;
		}
		if (may_be_named(state, name, domain)) {
			pass_nameless(state, ticks);
		} else if (is_named(state, name, domain)) {
			state->is_by_name = true;
			see(drain, state, ticks);
		}
	}
}

static bool is_counter(const struct state *state, uint64_t id, uint32_t domain)
{
	for (size_t i = 0; i < state->counter_count; i++) {
		if (state->counters[i].id == id && state->counters[i].domain == domain) {
			return true;
		}
	}
	return false;
}

/* Gets the numeric value of a sample. Return: false if the sample has none. */
static bool find_value(const struct rlog_batch *batch, uint32_t row, double *out)
{
	const struct rlog_attr_column *types = &batch->attr[RLOG_ATTR_PTYPE];
	const struct rlog_attr_column *values = &batch->attr[RLOG_ATTR_PAYLOAD];
	uint64_t type = 0;
	uint64_t value = 0;

	for (size_t i = 0; i < types->count && types->row[i] <= row; i++) {
		type = types->row[i] == row ? types->value[i] : type;
	}
	for (size_t i = 0; i < values->count && values->row[i] <= row; i++) {
		value = values->row[i] == row ? values->value[i] : value;
	}
	if (type == RLOG_PAYLOAD_I64) {
		*out = (double) (int64_t) value;
	} else if (type == RLOG_PAYLOAD_DOUBLE) {
		memcpy(out, &value, sizeof(*out));
	} else {
		return false;
	}
	return true;
}

static void sample_taken(struct rcap_drain *drain, uint32_t row)
{
	struct rcap_drain_triggers *triggers = drain->triggers;
	const struct rlog_batch *batch = &drain->batch;
	char text[48];
	double value;

	for (size_t i = 0; i < triggers->count; i++) {
		const struct state *state = &triggers->states[i];

		if (state->trigger.kind != RCAP_TRIGGER_COUNTER ||
		    !is_counter(state, batch->id[row], batch->domain[row]) ||
		    !find_value(batch, row, &value)) {
			continue;
		}
		count_seen(drain, state);
		if (state->trigger.is_below ? value < state->trigger.value
		                            : value > state->trigger.value) {
			if (value > -1e15 && value < 1e15) {
				rcap_log_format(text, sizeof(text), "about %ld", (long) value);
			} else {
				rcap_log_format(text, sizeof(text), "far beyond");
			}
			fire(drain, state, batch->ticks[row], text);
		}
	}
}

/* Resets the state: dropped events are neither reported nor counted. */
static void forget(struct rcap_drain_triggers *triggers)
{
	triggers->has_step = false;
	for (size_t i = 0; i < triggers->count; i++) {
		triggers->states[i].is_armed = false;
	}
}

static void watch(struct rcap_drain *drain, uint32_t index)
{
	struct rcap_drain_triggers *triggers = drain->triggers;
	const struct rlog_batch *batch = &drain->batch;

	if (rcap_spool_stream(drain->spool, index)->clock != 0) {
		return; /* GPU times are from another clock */
	}
	for (uint32_t i = 0; i < batch->count; i++) {
		switch (batch->op[i]) {
		case RLOG_OP_STEP:
			step_over(drain, batch->ticks[i]);
			triggers->step_ticks = batch->ticks[i];
			triggers->has_step = true;
			break;
		case RLOG_OP_STEP_END:
			step_over(drain, batch->ticks[i]);
			break;
		case RLOG_OP_PUSH:
		case RLOG_OP_START:
			range_opened(drain, batch->name[i], batch->domain[i], batch->ticks[i]);
			break;
		case RLOG_OP_SAMPLE:
			sample_taken(drain, i);
			break;
		default:
			break;
		}
	}
}

/* The drain calls this at the start of each batch. */
static void begin(struct rcap_drain *drain)
{
	if (drain->is_dropping) {
		forget(drain->triggers);
	} else {
		learn(drain);
	}
}

/* ---- Snapshots ---- */

static bool is_gap(const struct rcap_drain *drain, const struct state *state, uint64_t now)
{
	return state->trigger.kind == RCAP_TRIGGER_GAP && state->is_armed &&
	       now > state->seen_ticks &&
	       to_ns(drain, now - state->seen_ticks) > state->trigger.limit_ns;
}

bool rcap_triggers_are_due(struct rcap_drain *drain)
{
	struct rcap_drain_triggers *triggers = drain->triggers;
	const uint64_t now = rcap_clock_now();

	if (!triggers) {
		return false;
	}
	if (!drain->writer) {
		forget(triggers);
	}
	for (size_t i = 0; i < triggers->count; i++) {
		if (is_gap(drain, &triggers->states[i], now)) {
			return true;
		}
	}
	return triggers->is_due;
}

static void find_gaps(struct rcap_drain *drain)
{
	struct rcap_drain_triggers *triggers = drain->triggers;
	const uint64_t now = rcap_clock_now();
	char text[32];

	for (size_t i = 0; i < triggers->count; i++) {
		struct state *state = &triggers->states[i];

		if (is_gap(drain, state, now)) {
			format_time(to_ns(drain, now - state->seen_ticks), text, sizeof(text));
			fire(drain, state, state->seen_ticks, text);
			state->is_armed = false; /* stays false until the next event that the
			                          * condition waits for */
		}
	}
}

void rcap_triggers_serve(struct rcap_drain *drain)
{
	struct rcap_drain_triggers *triggers = drain->triggers;
	struct rcap_kept *kept = &drain->spool->header->control.kept;
	struct rcap_snapshot what = { .by = "trigger" };
	struct rlog_error err = { .code = RLOG_OK };

	if (!triggers) {
		return;
	}
	find_gaps(drain);
	if (!triggers->is_due) {
		return;
	}
	triggers->is_due = false;
	if (kept->before_ns > 0) {
		const uint64_t now = rcap_clock_now();
		const uint64_t ago =
			kept->before_ns +
			(now > triggers->from_ticks ? to_ns(drain, now - triggers->from_ticks) : 0);
		const uint64_t now_ns = rcap_clock_mono_ns();

		what.from_ns = now_ns > ago ? now_ns - ago : 1;
	}
	what.why = triggers->why;
	if (!drain->writer || !rcap_keep_is_begun(drain->spool) ||
	    rcap_snapshot_write(drain, &what, &err) != 0) {
		atomic_fetch_add_explicit(&kept->skipped, 1, memory_order_relaxed);
		if (drain->spool->header->note[0] == '\0' && err.code != RLOG_OK) {
			rcap_log_format(drain->spool->header->note,
			                sizeof(drain->spool->header->note), "%s", err.message);
		}
		return;
	}
	triggers->written++;
	triggers->written_ns = rcap_clock_mono_ns();
}

void rcap_triggers_init(struct rcap_drain *drain)
{
	const struct rcap_kept *kept = &drain->spool->header->control.kept;
	struct rcap_drain_triggers *triggers;
	struct rcap_trigger *parsed;
	char why[1];

	if ((kept->window_ns | kept->window_bytes) == 0 || kept->when[0] == '\0') {
		return;
	}
	triggers = calloc(1, sizeof(*triggers));
	parsed = calloc(RCAP_TRIGGERS, sizeof(*parsed));
	if (triggers && parsed) {
		triggers->count = rcap_trigger_parse(kept->when, parsed, why, sizeof(why));
		for (size_t i = 0; i < triggers->count; i++) {
			triggers->states[i].trigger = parsed[i];
		}
		drain->triggers = triggers;
		drain->free_triggers = free_triggers;
		drain->begin_batch = begin;
		drain->watch = watch;
		drain->range_closed = range_closed;
	} else {
		free(triggers);
	}
	free(parsed);
}
