/* SPDX-License-Identifier: MIT */
/* The events of a trace in JSON, written again on the rows where they are drawn. */
#include "analyzer/timeline/kineto-write.h"

#include <inttypes.h>
#include <string.h>

#include "analyzer/io/jsonw.h"
#include "analyzer/rows/kineto-number.h"

/* ---- texts and numbers ---- */

void ra_kineto_write_string(struct ra_outbuf *out, struct rlog_string text)
{
	ra_outbuf_put(out, "\"", 1);
	ra_jsonw_put_escaped(out, text.bytes, text.length);
	ra_outbuf_put(out, "\"", 1);
}

void ra_kineto_write_text(struct ra_outbuf *out, struct rlog_string text)
{
	ra_outbuf_put(out, text.bytes, text.length);
}

/* With a point if the trace has one there. */
static void put_micros(struct ra_outbuf *out, int64_t ns, bool has_point)
{
	if (!has_point && ns % 1000 == 0) {
		ra_outbuf_put_signed(out, ns / 1000);
	} else {
		ra_outbuf_commit(out,
		                 ra_outbuf_micros(ra_outbuf_reserve(out, RA_MICROS_BYTES), ns));
	}
}

void ra_kineto_write_time(const struct ra_kineto_write *write, int64_t ns, bool has_point)
{
	put_micros(write->out, ns - write->shift_ns, has_point);
}

static void put_value(struct ra_kineto_write *write, const struct ra_kineto_value *value)
{
	struct ra_outbuf *out = write->out;

	switch (value->type) {
	case RA_KINETO_INT:
		if (value->text.length > 0) { /* -0 */
			ra_kineto_write_text(out, value->text);
		} else {
			ra_outbuf_put_signed(out, value->integer);
		}
		break;
	case RA_KINETO_NUMBER:
		if (ra_kineto_number_is_word(value->text.bytes, value->text.length)) {
			ra_kineto_write_string(out, value->text);
		} else {
			ra_kineto_write_text(out, value->text);
		}
		break;
	case RA_KINETO_STRING:
		ra_kineto_write_string(out, value->text);
		break;
	case RA_KINETO_JSON:
		ra_kineto_write_text(out, value->text);
		break;
	case RA_KINETO_TRUE:
		ra_outbuf_text(out, "true");
		break;
	case RA_KINETO_FALSE:
		ra_outbuf_text(out, "false");
		break;
	case RA_KINETO_NULL:
	case RA_KINETO_ABSENT:
		ra_outbuf_text(out, "null");
		break;
	}
}

/* ---- events ---- */

void ra_kineto_write_begin(struct ra_kineto_write *write)
{
	ra_outbuf_text(write->out, write->has_first ? ",\n{" : "{");
	write->has_first = true;
}

static void put_key(struct ra_kineto_write *write, const char *key, bool *needs_comma)
{
	if (*needs_comma) {
		ra_outbuf_put(write->out, ",", 1);
	}
	*needs_comma = true;
	ra_outbuf_put(write->out, "\"", 1);
	ra_outbuf_text(write->out, key);
	ra_outbuf_put(write->out, "\":", 2);
}

static struct rlog_string find_name(struct ra_kineto_write *write, uint32_t event)
{
	const struct ra_kineto *k = write->kineto;

	/* Only what is a range or a mark has a name to be put in another form. */
	if (write->has_labels &&
	    (k->kind[event] <= RA_KINETO_USER_ANNOTATION || k->kind[event] == RA_KINETO_INSTANT)) {
		const uint32_t label = ra_labels_find(&write->labels, k->name[event]);

		return ra_labels_name(&write->labels, label);
	}
	return ra_kineto_string(k, k->name[event]);
}

static bool is_pid(int64_t number)
{
	return number == INT64_MIN || (number >= 0 && number <= UINT32_MAX);
}

/* Names of processes and threads whose numbers Perfetto would take for 0, as -1. */
static bool is_alien_name(const struct ra_kineto *k, uint32_t event)
{
	static const char thread[] = "thread_";
	const struct ra_kineto_thread *row = &k->threads[k->thread[event]];
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);

	return k->phase[event] == 'M' &&
	       (!is_pid(row->pid_number) ||
	        (!is_pid(row->tid_number) && name.length > sizeof(thread) - 1 &&
	         memcmp(name.bytes, thread, sizeof(thread) - 1) == 0));
}

/* Phases that Perfetto passes over, as others do, for what it must not take where it is: halves of
 * arrows that lack the other or that were moved, names of what it does not know. */
static char find_phase(const struct ra_kineto_write *write, uint32_t event)
{
	const char phase = (char) write->kineto->phase[event];

	if (is_alien_name(write->kineto, event)) {
		return 'N';
	}
	if (!ra_kineto_draw_lacks_end(&write->draw, event) &&
	    (!ra_kineto_draw_is_moved(&write->draw, event) || write->is_moving)) {
		return phase;
	}
	return phase == 's' ? 'N' : phase == 't' ? 'O' : 'D';
}

static void put_row(struct ra_kineto_write *write, uint32_t event, bool *needs_comma)
{
	const struct ra_kineto *k = write->kineto;
	const struct ra_kineto_thread *thread = &k->threads[k->thread[event]];
	const struct ra_kineto_draw_row *row = ra_kineto_draw_find(&write->draw, event);
	const bool is_same = row == NULL;

	if (!is_same || thread->pid != 0) {
		put_key(write, "pid", needs_comma);
		if (is_same) {
			ra_kineto_write_text(write->out, ra_kineto_string(k, thread->pid));
		} else {
			ra_outbuf_put_decimal(write->out, row->pid);
		}
	}
	if (!is_same || thread->tid != 0) {
		put_key(write, "tid", needs_comma);
		if (is_same) {
			ra_kineto_write_text(write->out, ra_kineto_string(k, thread->tid));
		} else {
			ra_outbuf_put_decimal(write->out, row->tid);
		}
	}
}

/* What names rows may have a time that has nothing to do with the others. */
static void put_ts(struct ra_kineto_write *write, uint32_t event)
{
	const struct ra_kineto *k = write->kineto;

	ra_kineto_write_time(write,
	                     k->ts_ns[event] + (k->phase[event] == 'M' ? write->shift_ns : 0),
	                     (k->flags[event] & RA_KINETO_TS_POINT) != 0);
}

void ra_kineto_write_place(struct ra_kineto_write *write, uint32_t event)
{
	bool needs_comma = false;

	put_row(write, event, &needs_comma);
	put_key(write, "ts", &needs_comma);
	put_ts(write, event);
}

/* Fields whose value is not of the usual type stand among the rest, where they are written. */
static void put_columns(struct ra_kineto_write *write, uint32_t event, uint32_t in_rest,
                        bool *needs_comma)
{
	const struct ra_kineto *k = write->kineto;
	struct ra_outbuf *out = write->out;
	const char phase[2] = { find_phase(write, event), '\0' };

	if (k->phase[event] != 0) {
		put_key(write, "ph", needs_comma);
		ra_kineto_write_string(out, (struct rlog_string){ phase, 1, 1 });
	}
	if ((k->flags[event] & RA_KINETO_HAS_CAT) != 0) {
		put_key(write, "cat", needs_comma);
		ra_kineto_write_string(out,
		                       ra_kineto_string(k, k->categories[k->category[event]].name));
	}
	if ((k->flags[event] & RA_KINETO_HAS_NAME) != 0) {
		put_key(write, "name", needs_comma);
		ra_kineto_write_string(out, find_name(write, event));
	}
	put_row(write, event, needs_comma);
	if ((k->flags[event] & RA_KINETO_HAS_TS) != 0 && (in_rest & 1) == 0) {
		put_key(write, "ts", needs_comma);
		put_ts(write, event);
	}
	if ((k->flags[event] & RA_KINETO_HAS_DUR) != 0 && (in_rest & 2) == 0) {
		put_key(write, "dur", needs_comma);
		put_micros(out, k->dur_ns[event], (k->flags[event] & RA_KINETO_DUR_POINT) != 0);
	}
	if (phase[0] != (char) k->phase[event]) {
		put_key(write, "was", needs_comma);
		ra_kineto_write_string(
			out, (struct rlog_string){ (const char *) &k->phase[event], 1, 1 });
	}
}

static void put_rest(struct ra_kineto_write *write, uint32_t event, bool is_arg, bool *needs_comma)
{
	const struct ra_kineto *k = write->kineto;
	struct ra_kineto_rest rest;

	ra_kineto_rest_init(&rest, k, event);
	while (ra_kineto_rest_next(&rest, k)) {
		if (rest.is_arg != is_arg) {
			continue;
		}
		if (*needs_comma) {
			ra_outbuf_put(write->out, ",", 1);
		}
		*needs_comma = true;
		ra_kineto_write_string(write->out, ra_kineto_string(k, rest.key));
		ra_outbuf_put(write->out, ":", 1);
		put_value(write, &rest.value);
	}
}

void ra_kineto_write_event(struct ra_kineto_write *write, uint32_t event)
{
	const struct ra_kineto *k = write->kineto;
	struct ra_kineto_rest rest;
	uint32_t in_rest = 0;
	bool needs_comma = false;
	bool needs_arg_comma = false;

	ra_kineto_rest_init(&rest, k, event);
	for (uint32_t i = 0; i < rest.left; i++) {
		in_rest |= rest.keys[i] == RA_KINETO_ARG_TS << 1;
		in_rest |= rest.keys[i] == RA_KINETO_ARG_DUR << 1 ? 2 : 0;
	}
	ra_kineto_write_begin(write);
	if (write->is_moving) {
		ra_outbuf_text(write->out, RA_KINETO_WRITE_ADDED);
	}
	put_columns(write, event, in_rest, &needs_comma);
	put_rest(write, event, false, &needs_comma);
	if ((k->flags[event] & RA_KINETO_HAS_ARGS) != 0) {
		put_key(write, "args", &needs_comma);
		ra_outbuf_put(write->out, "{", 1);
		put_rest(write, event, true, &needs_arg_comma);
		ra_outbuf_put(write->out, "}", 1);
	}
	ra_outbuf_put(write->out, "}", 1);
}

void ra_kineto_write_moved(struct ra_kineto_write *write, size_t before)
{
	const struct ra_kineto_draw *draw = &write->draw;

	write->is_moving = true;
	while (write->next_move < draw->move_count &&
	       draw->moves[write->next_move].before <= before) {
		const uint32_t half = draw->moves[write->next_move++].half;

		if (!ra_kineto_draw_lacks_end(draw, half)) {
			ra_kineto_write_event(write, half);
		}
	}
	write->is_moving = false;
}
