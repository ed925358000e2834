/* SPDX-License-Identifier: MIT */
/* Draws the events of a trace in JSON again, on the rows chosen for them. */
#include "analyzer/timeline/kineto/kineto-write.h"

#include <string.h>

#include "analyzer/io/outbuf.h"
#include "analyzer/rows/kineto-number.h"

/* A text of the trace. @id: its string id. */
static struct ra_pen_text make_text(const struct ra_kineto *k, uint32_t id)
{
	return (struct ra_pen_text){ ra_kineto_string(k, id), id, RA_PEN_NAMES };
}

static struct ra_pen_value make_value(const struct ra_kineto_value *value)
{
	switch (value->type) {
	case RA_KINETO_INT:
		if (value->text.length == 0) {
			return (struct ra_pen_value){ .type = RA_PEN_INT,
				                      .integer = value->integer };
		}
		break; /* -0 stays a text, because an integer has no sign at 0 */
	case RA_KINETO_NUMBER:
		if (ra_kineto_number_is_word(value->text.bytes, value->text.length)) {
			return (struct ra_pen_value){ .type = RA_PEN_TEXT,
				                      .text = ra_pen_bytes(value->text) };
		}
		break;
	case RA_KINETO_STRING:
		return (struct ra_pen_value){
			.type = RA_PEN_TEXT,
			.text = { value->text, (uint32_t) value->integer, RA_PEN_NAMES },
		};
	case RA_KINETO_JSON:
		break;
	case RA_KINETO_TRUE:
	case RA_KINETO_FALSE:
		return (struct ra_pen_value){ .type = RA_PEN_BOOL,
			                      .integer = value->type == RA_KINETO_TRUE };
	case RA_KINETO_NULL:
	case RA_KINETO_ABSENT:
		return (struct ra_pen_value){ .type = RA_PEN_NULL };
	}
	return (struct ra_pen_value){ .type = RA_PEN_JSON, .text = ra_pen_bytes(value->text) };
}

static struct ra_pen_text find_name(struct ra_kineto_write *write, uint32_t event)
{
	const struct ra_kineto *k = write->kineto;

	/* Only the names of ranges and marks are changed. */
	if (write->has_labels &&
	    (k->kind[event] <= RA_KINETO_USER_ANNOTATION || k->kind[event] == RA_KINETO_INSTANT)) {
		const uint32_t label = ra_labels_find(&write->labels, k->name[event]);

		return (struct ra_pen_text){ ra_labels_name(&write->labels, label), k->name[event],
			                     RA_PEN_SHOWN };
	}
	return make_text(k, k->name[event]);
}

static bool is_pid(int64_t number)
{
	return number == INT64_MIN || (number >= 0 && number <= UINT32_MAX);
}

/* True if the event names a process or thread by a number such as -1. Perfetto would read that as
 * 0. */
static bool is_alien_name(const struct ra_kineto *k, uint32_t event)
{
	static const char thread[] = "thread_";
	const struct ra_kineto_thread *row = &k->threads[ra_kineto_get_thread(k, event)];
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);

	return ra_kineto_get_phase(k, event) == 'M' &&
	       (!is_pid(row->pid_number) ||
	        (!is_pid(row->tid_number) && name.length > sizeof(thread) - 1 &&
	         memcmp(name.bytes, thread, sizeof(thread) - 1) == 0));
}

/* Returns the phase to write. If Perfetto must not read an event in its original form, it gets a
 * phase that Perfetto and other readers ignore. This is so for ends of arrows whose other end is
 * missing or that were moved, and for names of rows with numbers that Perfetto can't use. */
static char find_phase(const struct ra_kineto_write *write, uint32_t event)
{
	const char phase = (char) ra_kineto_get_phase(write->kineto, event);

	if (is_alien_name(write->kineto, event)) {
		return 'N';
	}
	if (!ra_kineto_draw_lacks_end(&write->draw, event) &&
	    (!ra_kineto_draw_is_moved(&write->draw, event) || write->is_moving)) {
		return phase;
	}
	return phase == 's' ? 'N' : phase == 't' ? 'O' : 'D';
}

static struct rlog_string format_number(char place[16], uint32_t number)
{
	const uint32_t length = (uint32_t) (ra_outbuf_decimal(place, number) - place);

	return (struct rlog_string){ place, length, length };
}

void ra_kineto_write_set_place(const struct ra_kineto_write *write, uint32_t event,
                               struct ra_pen_copy *copy, struct ra_kineto_write_place *place)
{
	const struct ra_kineto *k = write->kineto;
	const struct ra_kineto_thread *thread = &k->threads[ra_kineto_get_thread(k, event)];
	const struct ra_kineto_draw_row *row = ra_kineto_draw_find(&write->draw, event);

	copy->pid = row != NULL ? format_number(place->pid, row->pid)
	                        : ra_kineto_string(k, thread->pid);
	copy->tid = row != NULL ? format_number(place->tid, row->tid)
	                        : ra_kineto_string(k, thread->tid);
}

struct ra_pen_copy ra_kineto_write_make_added(const struct ra_kineto_write *write, char phase,
                                              int64_t ns, bool has_point)
{
	return (struct ra_pen_copy){
		.phase = phase,
		.ts_ns = ns - write->shift_ns,
		.has_ts = true,
		.has_ts_point = has_point,
		.is_added = true,
		.number = (uint32_t) write->kineto->count,
	};
}

struct ra_pen_copy ra_kineto_write_times(const struct ra_kineto_write *write, uint32_t event)
{
	const struct ra_kineto *k = write->kineto;
	const uint8_t flags = k->flags[event];
	const char phase = (char) ra_kineto_get_phase(k, event);

	return (struct ra_pen_copy){
		.phase = phase,
		/* Events that name rows may have a time that is unrelated to the others. */
		.ts_ns = ra_kineto_ts(k, event) - (phase == 'M' ? 0 : write->shift_ns),
		.dur_ns = ra_kineto_dur(k, event),
		.has_ts = (flags & RA_KINETO_HAS_TS) != 0,
		.has_ts_point = (flags & RA_KINETO_TS_POINT) != 0,
		.has_dur = (flags & RA_KINETO_HAS_DUR) != 0,
		.has_dur_point = (flags & RA_KINETO_DUR_POINT) != 0,
	};
}

/* Copies the fields of an event that have columns. A field of an unusual type is stored among the
 * other fields, and is written with them. */
static struct ra_pen_copy make_copy(const struct ra_kineto_write *write, uint32_t event)
{
	const struct ra_kineto *k = write->kineto;
	const char phase = find_phase(write, event);
	struct ra_pen_copy copy = ra_kineto_write_times(write, event);
	struct ra_kineto_rest rest;

	copy.was = phase != copy.phase ? copy.phase : '\0';
	copy.phase = phase;
	copy.has_args = (k->flags[event] & RA_KINETO_HAS_ARGS) != 0;
	copy.is_added = write->is_moving;
	copy.number = write->is_moving ? write->before : event;
	ra_kineto_rest_init(&rest, k, event);
	for (uint32_t i = 0; i < rest.left; i++) {
		copy.has_ts = copy.has_ts && rest.keys[i] != RA_KINETO_ARG_TS << 1;
		copy.has_dur = copy.has_dur && rest.keys[i] != RA_KINETO_ARG_DUR << 1;
	}
	return copy;
}

static void put_rest(struct ra_kineto_write *write, uint32_t event, bool is_arg)
{
	const struct ra_kineto *k = write->kineto;
	struct ra_kineto_rest rest;

	ra_kineto_rest_init(&rest, k, event);
	while (ra_kineto_rest_next(&rest, k)) {
		if (rest.is_arg == is_arg) {
			const struct ra_pen_text key = make_text(k, rest.key);
			const struct ra_pen_value value = make_value(&rest.value);

			(is_arg ? write->pen->argument : write->pen->field)(write->pen, &key,
			                                                    &value);
		}
	}
}

void ra_kineto_write_event(struct ra_kineto_write *write, uint32_t event)
{
	const struct ra_kineto *k = write->kineto;
	struct ra_pen_copy copy = make_copy(write, event);
	const struct ra_pen_text category =
		make_text(k, k->categories[ra_kineto_get_category(k, event)].name);
	const struct ra_pen_text name = find_name(write, event);
	struct ra_kineto_write_place place;

	if ((k->flags[event] & RA_KINETO_HAS_CAT) != 0) {
		copy.category = &category;
	}
	if ((k->flags[event] & RA_KINETO_HAS_NAME) != 0) {
		copy.name = &name;
	}
	ra_kineto_write_set_place(write, event, &copy, &place);
	write->has_first = true;
	write->pen->copy(write->pen, &copy);
	put_rest(write, event, false);
	if (copy.has_args) {
		put_rest(write, event, true);
	}
	write->pen->end(write->pen);
}

void ra_kineto_write_moved(struct ra_kineto_write *write, size_t before)
{
	const struct ra_kineto_draw *draw = &write->draw;

	write->is_moving = true;
	while (write->next_move < draw->move_count &&
	       draw->moves[write->next_move].before <= before) {
		const uint32_t half = draw->moves[write->next_move].half;

		write->before = draw->moves[write->next_move++].before;
		if (!ra_kineto_draw_lacks_end(draw, half)) {
			ra_kineto_write_event(write, half);
		}
	}
	write->is_moving = false;
}
