/* SPDX-License-Identifier: MIT */
/* Writes the footer: what a log lacks, and what was repaired in it. */
#include "analyzer/base/util.h"
#include "analyzer/footer/footer.h"

#include <string.h>

#include "analyzer/model/coverage.h"
#include "analyzer/footer/footer-graphs.h"
#include "analyzer/footer/footer-part.h"
#include "analyzer/footer/kineto-footer.h"
#include "analyzer/read-log/facts/environment.h"
#include "analyzer/read-log/facts/facts.h"
#include "analyzer/read-log/gpu/gpu-status.h"
#include "analyzer/read-log/ranges/open-ranges.h"
#include "format/wire.h"

/* A figure of struct ra_quality: its key in JSON, and the words that follow it in the text. */
struct figure {
	const char *key;
	size_t offset;
	const char *one;
	const char *many;
	bool is_programs; /* see struct ra_footer_line */
};

#define FIGURE(field, one, many)                                             \
	{                                                                    \
#field, offsetof(struct ra_quality, field), one, many, false \
	}
#define PROGRAMS(field, one, many)                                          \
	{                                                                   \
#field, offsetof(struct ra_quality, field), one, many, true \
	}

#define ODDITY(number, name, one, many) \
	[number] = { #name, offsetof(struct ra_quality, oddities[number]), one, many, true }

static const struct figure figures[] = {
	FIGURE(missing_rows, "event is missing: damage took it out of the file",
	       "events are missing: damage took them out of the file"),
	FIGURE(damaged_stretches, "stretch of the file could not be read",
	       "stretches of the file could not be read"),
	PROGRAMS(unmatched_pops,
	         "pop without an open range was ignored: one too many, or its range began before "
	         "the recording",
	         "pops without an open range were ignored: too many, or their ranges began before "
	         "the recording"),
	PROGRAMS(unmatched_ends,
	         "end of a range that is not open was ignored: one too many, or its range began "
	         "before the recording",
	         "ends of ranges that are not open were ignored: too many, or their ranges began "
	         "before the recording"),
	PROGRAMS(open_ranges,
	         "range was never closed: it ends with the capture, or with its thread",
	         "ranges were never closed: they end with the capture, or with their thread"),
	FIGURE(lost_starts, "range was opened during a loss: it starts at the end of the loss",
	       "ranges were opened during a loss: they start at the end of the loss"),
	FIGURE(lost_ends, "range was closed during a loss: it ends at the start of the loss",
	       "ranges were closed during a loss: they end at the start of the loss"),
	FIGURE(begun_ranges, "range was open when the capture went on: it starts there",
	       "ranges were open when the capture went on: they start there"),
	FIGURE(outside,
	       "event is outside of the recording: the capture was off or warming up, or dropped "
	       "it as too old",
	       "events are outside of the recording: the capture was off or warming up, or dropped "
	       "them as too old"),
	PROGRAMS(crossing_ranges, "range crosses another of its thread: it stands outside the tree",
	         "ranges cross others of their thread: they stand outside the tree"),
	FIGURE(times_repaired, "event went back in time: it was set to the time before",
	       "events went back in time: they were set to the time before"),
	FIGURE(unknown_events, "event is of a kind that this version does not know",
	       "events are of a kind that this version does not know"),
	FIGURE(unplaced_events,
	       "deferred event or sample can't be read, or its time is not known: only dump shows "
	       "it",
	       "deferred events or samples can't be read, or their time is not known: only dump "
	       "shows them"),
	FIGURE(lost_names, "event has a name that is not in the file",
	       "events have a name that is not in the file"),
	PROGRAMS(cut_names, "name is too long: the rest of it was cut",
	         "names are too long: the rest of them was cut"),
};

#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static const struct {
	const char *key;
	const char *one;
	const char *many;
} causes[RLOG_CAUSES] = {
	{ "unknown", "event was lost", "events were lost" },
	[RLOG_CAUSE_RING_FULL] = { "ring_full", "event was lost: the buffer was full",
	                           "events were lost: the buffer was full" },
	[RLOG_CAUSE_NESTED] = { "nested", "event was lost: a signal handler interrupted the call",
	                        "events were lost: signal handlers interrupted the calls" },
	[RLOG_CAUSE_INTERN_OVERFLOW] = { "intern_overflow",
	                                 "event has no name: the table of names was full",
	                                 "events have no name: the table of names was full" },
	[RLOG_CAUSE_NO_SLOT] = { "no_slot", "event was lost: no buffer for a new thread",
	                         "events were lost: no buffer for a new thread" },
	[RLOG_CAUSE_WRITE_ERROR] = { "write_error",
	                             "event was lost: the log could not be written, or was removed",
	                             "events were lost: the log could not be written, or was "
	                             "removed" },
	[RLOG_CAUSE_GPU_DROPPED] = { "gpu_dropped",
	                             "GPU record was dropped: the driver, or libranges, had no "
	                             "room",
	                             "GPU records were dropped: the driver, or libranges, had no "
	                             "room" },
	[RLOG_CAUSE_GPU_TS_INVALID] = { "gpu_ts_invalid", "GPU record had impossible times",
	                                "GPU records had impossible times" },
	[RLOG_CAUSE_BAD_RECORD] = { "bad_record",
	                            "event was lost: the program overwrote its record",
	                            "events were lost: the program overwrote their records" },
};

/* Indexed by enum rlog_oddity. The program causes all of them. */
static const struct figure oddities[RLOG_ODDITIES] = {
	ODDITY(0, unknown, "oddity of a kind that this version does not know",
	       "oddities of kinds that this version does not know"),
	ODDITY(RLOG_ODDITY_WILD_HANDLE, wild_handle,
	       "call gave an invalid handle: the default domain, or no name, was used instead",
	       "calls gave invalid handles: the default domain, or no name, was used instead"),
	ODDITY(RLOG_ODDITY_BAD_ATTRIBUTES, bad_attributes,
	       "call gave attributes that are NULL, too short, or of an unknown colour type",
	       "calls gave attributes that are NULL, too short, or of an unknown colour type"),
	ODDITY(RLOG_ODDITY_BAD_MESSAGE, bad_message, "call gave a message of an unknown type",
	       "calls gave messages of an unknown type"),
	ODDITY(RLOG_ODDITY_BAD_PAYLOAD, bad_payload, "call gave a payload of an unknown type",
	       "calls gave payloads of an unknown type"),
	ODDITY(RLOG_ODDITY_BAD_POINTER, bad_pointer, "call gave an address that can't be read",
	       "calls gave addresses that can't be read"),
	ODDITY(RLOG_ODDITY_NO_HANDLE, no_handle,
	       "domain, registered string or category was not stored: there are too many",
	       "domains, registered strings or categories were not stored: there are too many"),
	ODDITY(RLOG_ODDITY_UNKNOWN_SCHEMA, unknown_schema,
	       "payload is of a schema that was never registered",
	       "payloads are of schemas that were never registered"),
	ODDITY(RLOG_ODDITY_BAD_SCHEMA, bad_schema, "payload schema contradicts itself",
	       "payload schemas contradict themselves"),
	ODDITY(RLOG_ODDITY_CUT_PAYLOAD, cut_payload, "payload is too long: the rest was cut",
	       "payloads are too long: the rest of them was cut"),
	ODDITY(RLOG_ODDITY_UNKNOWN_EXTENSION, unknown_extension,
	       "extension of NVTX is not known to this version of libranges",
	       "extensions of NVTX are not known to this version of libranges"),
};

static uint64_t read_figure(const struct ra_quality *quality, const struct figure *figure)
{
	uint64_t value;

	memcpy(&value, (const char *) quality + figure->offset, sizeof(value));
	return value;
}

static void add_line(struct ra_footer_line *lines, size_t *count, const char *key, uint64_t value,
                     const char *text)
{
	lines[*count] = (struct ra_footer_line){ .key = key, .count = value, .text = text };
	++*count;
}

static void add_figures(const struct ra_quality *quality, const struct figure *table, size_t size,
                        struct ra_footer_line *lines, size_t *count)
{
	for (size_t i = 0; i < size; i++) {
		const uint64_t value = read_figure(quality, &table[i]);

		if (value != 0) {
			add_line(lines, count, table[i].key, value,
			         value == 1 ? table[i].one : table[i].many);
			lines[*count - 1].is_programs = table[i].is_programs;
		}
	}
}

static void add_environment(const struct rlog_reader *reader, struct ra_footer_line *lines,
                            size_t *count)
{
	const struct ra_environment_effect *effects[RA_ENVIRONMENT_EFFECTS];
	const size_t found = ra_environment_find(reader, effects);

	for (size_t i = 0; i < found; i++) {
		add_line(lines, count, effects[i]->key, 0, effects[i]->text);
		lines[*count - 1].is_programs = true;
	}
}

size_t ra_footer_collect(const struct ra_model *model, struct ra_footer_line *lines)
{
	const struct ra_quality *q = &model->quality;
	struct ra_gpu_status status;
	size_t count = 0;

	for (size_t c = 0; c < RLOG_CAUSES; c++) {
		if (q->lost[c] != 0) {
			add_line(lines, &count, causes[c].key, q->lost[c],
			         q->lost[c] == 1 ? causes[c].one : causes[c].many);
		}
	}
	if (!q->closed) {
		add_line(lines, &count, "not_closed", 0,
		         "the log has no end: the program still runs, or it died and nobody "
		         "recovered the log (ranges recover)");
	} else if (q->recovered) {
		add_line(lines, &count, "recovered", 0,
		         model->reader != NULL && ra_gpu_status_has_capture(model->reader)
		                 ? "the program ended before all was written (killed, _exit or "
		                   "exec); its log was completed afterwards, without the data that "
		                   "CUPTI still held"
		                 : "the program ended before all was written (killed or _exit); "
		                   "its log was completed afterwards");
	}
	if (model->reader != NULL && ra_gpu_status_find_failure(model->reader, &status)) {
		add_line(lines, &count, "no_gpu_data", 0, "the capture of the GPU failed");
	}
	if (model->reader != NULL && ra_gpu_status_find_graphs(model->reader, &status)) {
		add_line(lines, &count, "graphs_changed", 0, "CUDA graphs: not all in one way");
	}
	if (q->warnings != 0) {
		add_line(lines, &count, "warnings", q->warnings,
		         q->warnings == 1 ? "warning of nsys that events may be missing"
		                          : "warnings of nsys that events may be missing");
	}
	add_figures(q, figures, FIGURES, lines, &count);
	add_figures(q, oddities, RLOG_ODDITIES, lines, &count);
	add_environment(model->reader, lines, &count);
	if (ra_model_has(model, RA_HAS_ROWS)) {
		count += ra_kineto_footer_collect(model->kineto, lines + count);
	}
	return count;
}

/* True if traces of graph captures, to be read beside the log, could not be read completely. */
static bool lacks_captures(const struct ra_model *model)
{
	const struct ra_kineto_captured *captured =
		ra_model_has(model, RA_HAS_ROWS) ? model->kineto->captured : NULL;

	return captured != NULL && (captured->damaged > 0 || captured->unread > 0);
}

bool ra_footer_is_incomplete(const struct ra_model *model)
{
	const struct ra_quality *q = &model->quality;

	for (size_t c = 0; c < RLOG_CAUSES; c++) {
		if (c != RLOG_CAUSE_INTERN_OVERFLOW && q->lost[c] != 0) {
			return true;
		}
	}
	return !q->closed || q->missing_rows != 0 || q->damaged_stretches != 0 ||
	       lacks_captures(model);
}

/* Counts the events that were read but are in no report. */
static uint64_t count_left_out(const struct ra_model *model)
{
	const struct ra_kineto_oddities *odd;

	if (!ra_model_has(model, RA_HAS_ROWS)) {
		return 0;
	}
	odd = &model->kineto->oddities;
	return odd->no_time + odd->computed_rows + odd->unknown_phases;
}

/* Counts the entries of the list of events that are no events. */
static uint64_t count_no_events(const struct ra_model *model)
{
	return ra_model_has(model, RA_HAS_ROWS) ? model->kineto->oddities.not_objects : 0;
}

/* Counts the contents of the file that are no events and that no report shows. */
static uint64_t count_others(const struct ra_model *model)
{
	const struct ra_kineto_oddities *odd;

	if (!ra_model_has(model, RA_HAS_ROWS)) {
		return 0;
	}
	odd = &model->kineto->oddities;
	return odd->unknown_records + odd->unused_ftrace;
}

bool ra_footer_is_complete(const struct ra_model *model)
{
	const struct ra_quality *q = &model->quality;

	return !ra_footer_is_incomplete(model) && q->lost[RLOG_CAUSE_INTERN_OVERFLOW] == 0 &&
	       q->lost_names == 0 && q->warnings == 0 && count_left_out(model) == 0 &&
	       count_others(model) == 0 && count_no_events(model) == 0;
}

static void put_events(struct ra_util_text *text, uint64_t count)
{
	ra_util_text_put_count(text, count);
	ra_util_text_format(text, count == 1 ? " event" : " events");
}

/* Writes why some events are in no report. There must be such events. */
static void put_left_out(struct ra_util_text *text, const struct ra_kineto_oddities *odd)
{
	const struct {
		uint64_t count;
		const char *what;
	} reasons[] = {
		{ odd->no_time, "without a usable time" },
		{ odd->computed_rows, "that sum up others" },
		{ odd->unknown_phases, "of an unknown kind" },
	};
	unsigned left = 0;
	bool is_first = true;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		left += reasons[i].count > 0;
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].count > 0) {
			ra_util_text_format(text, "%s", is_first || left > 1 ? ", " : " and ");
			ra_util_text_put_count(text, reasons[i].count);
			ra_util_text_format(text, " %s", reasons[i].what);
			is_first = false;
			left--;
		}
	}
	ra_util_text_format(text, " in none");
}

/* Writes one sentence about a trace that reports show only in part: what became of its events. */
static void put_rows(struct ra_util_text *text, const struct ra_model *model, const char *prefix)
{
	const struct ra_quality *q = &model->quality;
	const uint64_t left_out = count_left_out(model);

	ra_util_text_format(text, "%sread: ", prefix);
	put_events(text, q->events);
	ra_util_text_format(text, ", ");
	if (left_out == 0) {
		ra_util_text_format(text, "all of them");
	} else {
		ra_util_text_put_count(text, q->events - left_out);
		ra_util_text_format(text, " of them");
	}
	ra_util_text_format(text, " in the reports");
	if (left_out > 0) {
		put_left_out(text, &model->kineto->oddities);
	}
	if (count_others(model) > 0) {
		ra_util_text_format(text, "; ");
		ra_util_text_put_count(text, count_others(model));
		ra_util_text_format(text, " other records are in none");
	}
	if (count_no_events(model) > 0) {
		ra_util_text_format(text, "; ");
		ra_util_text_put_count(text, count_no_events(model));
		ra_util_text_format(text, count_no_events(model) == 1
		                                  ? " entry that is not an event was ignored"
		                                  : " entries that are not events were ignored");
	}
	if (q->missing_rows > 0) {
		ra_util_text_format(text, "; ");
		ra_util_text_put_count(text, q->missing_rows);
		ra_util_text_format(text, " more could not be read");
	}
	ra_util_text_put_char(text, '\n');
}

/* Writes the name of the first row. For lines about rows of a trace. */
static void put_row_name(struct ra_util_text *text, const struct ra_kineto *kineto, const char *key)
{
	const uint32_t name = ra_kineto_footer_name(kineto, key);

	if (name != 0) {
		ra_util_text_put(text, " (", 2);
		ra_util_text_put_name(text, ra_kineto_string(kineto, name), RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, ')');
	}
}

static void put_line(struct ra_util_text *text, const struct ra_model *model,
                     const struct ra_footer_line *line)
{
	const struct ra_quality *q = &model->quality;
	const char *of_part = ra_footer_part_find_text(model, line);
	struct ra_gpu_status status;

	if (of_part != NULL) {
		ra_util_text_put(text, of_part, strlen(of_part));
		return;
	}

	if ((strcmp(line->key, "no_gpu_data") == 0 &&
	     ra_gpu_status_find_failure(model->reader, &status)) ||
	    (strcmp(line->key, "graphs_changed") == 0 &&
	     ra_gpu_status_find_graphs(model->reader, &status))) {
		ra_util_text_put_name(text, status.text, RA_TEXT_TERMINAL);
		return;
	}
	ra_util_text_put(text, line->text, strlen(line->text));
	if (ra_model_has(model, RA_HAS_ROWS)) {
		put_row_name(text, model->kineto, line->key);
	}
	if (strcmp(line->key, "damaged_stretches") != 0) {
		return;
	}
	if (q->damaged_bytes > 0) {
		ra_util_text_format(text, ", %llu byte%s", (unsigned long long) q->damaged_bytes,
		                    ra_util_text_plural(q->damaged_bytes));
	}
	if (q->first_damage != RLOG_NO_OFFSET) {
		ra_util_text_format(text, ", the first at offset %llu",
		                    (unsigned long long) q->first_damage);
	}
}

uint64_t ra_footer_count_events(const struct ra_model *model)
{
	return ra_model_has(model, RA_HAS_ROWS)
	               ? model->quality.events
	               : ra_util_add(model->quality.events, model->gpu.events);
}

void ra_footer_put_text(struct ra_util_text *text, const struct ra_model *model, const char *prefix)
{
	struct ra_footer_line lines[RA_FOOTER_LINES];
	const size_t count = ra_footer_collect(model, lines);
	const bool is_complete = ra_footer_is_complete(model);

	if (is_complete) {
		ra_util_text_format(text, "%s", prefix);
		ra_util_text_style(text, RA_STYLE_GOOD);
		ra_util_text_format(text, "complete");
		ra_util_text_style(text, RA_STYLE_NONE);
		ra_util_text_format(text, ": ");
		put_events(text, ra_footer_count_events(model));
		ra_util_text_format(text, ", nothing lost\n");
	} else if (ra_model_has(model, RA_HAS_ROWS)) {
		put_rows(text, model, prefix);
	}
	for (size_t i = 0; i < count; i++) {
		ra_util_text_format(text, "%s", prefix);
		ra_util_text_style(text, RA_STYLE_WARNING);
		ra_util_text_format(text, is_complete && lines[i].is_programs ? "program" : "note");
		ra_util_text_style(text, RA_STYLE_NONE);
		ra_util_text_format(text, ": ");
		if (lines[i].count > 0) {
			ra_util_text_put_count(text, lines[i].count);
			ra_util_text_put_char(text, ' ');
		}
		put_line(text, model, &lines[i]);
		ra_util_text_put_char(text, '\n');
	}
	ra_footer_part_put_snapshot(text, model, prefix);
	ra_footer_part_put(text, model, prefix);
	ra_coverage_put_text(text, model, prefix);
	ra_footer_graphs_put_text(text, model, prefix);
}

/* Writes the member only if there are such variables. */
static void put_environment(struct ra_util_text *text, const struct rlog_reader *reader)
{
	const struct ra_environment_effect *effects[RA_ENVIRONMENT_EFFECTS];
	const size_t found = ra_environment_find(reader, effects);

	for (size_t i = 0; i < found; i++) {
		ra_util_text_format(text, "%s\"%s\"%s", i == 0 ? ",\"environment\":[" : ",",
		                    effects[i]->key, i + 1 == found ? "]" : "");
	}
}

/* Writes the member only for a part in which work of earlier calls ran. */
static void put_gpu_before(struct ra_util_text *text, const struct rlog_reader *reader)
{
	const uint64_t number = ra_footer_part_end_number(reader, "part_gpu_before");

	if (number > 0) {
		ra_util_text_format(text, ",\"part_gpu_before\":%llu,\"part_gpu_before_ns\":%llu",
		                    (unsigned long long) number,
		                    (unsigned long long) ra_footer_part_end_number(
					    reader, "part_gpu_before_ns"));
	}
}

static const char *say_bool(bool value)
{
	return value ? "true" : "false";
}

/* True of figures that exist only if a capture was switched on and off. */
static bool is_of_switches(const struct figure *figure)
{
	return figure->offset == offsetof(struct ra_quality, begun_ranges) ||
	       figure->offset == offsetof(struct ra_quality, outside);
}

void ra_footer_put_json_members(struct ra_util_text *text, const struct ra_model *model)
{
	const struct ra_quality *q = &model->quality;
	struct ra_gpu_status status;

	ra_util_text_format(text, "\"events\":%llu,\"complete\":%s,\"closed\":%s,\"recovered\":%s",
	                    (unsigned long long) q->events, say_bool(ra_footer_is_complete(model)),
	                    say_bool(q->closed), say_bool(q->recovered));
	if (model->reader != NULL && ra_gpu_status_find_failure(model->reader, &status)) {
		ra_util_text_format(text, ",\"no_gpu_data\":true");
	}
	if (model->reader != NULL && ra_gpu_status_find_graphs(model->reader, &status)) {
		ra_util_text_format(text, ",\"graphs_changed\":true");
	}
	if (ra_footer_part_find_number(model->reader, "snapshot") != NULL) {
		ra_util_text_format(
			text, ",\"snapshot\":%llu",
			(unsigned long long) ra_footer_part_find_number(model->reader, "snapshot")
				->u64);
	}
	if (ra_footer_part_find_number(model->reader, "part_to_ns") != NULL) {
		ra_util_text_format(
			text, ",\"part_to_ns\":%llu",
			(unsigned long long) ra_footer_part_find_number(model->reader, "part_to_ns")
				->u64);
	}
	if (ra_footer_part_find_number(model->reader, "part_from_ns") != NULL) {
		ra_util_text_format(text, ",\"part_from_ns\":%llu",
		                    (unsigned long long) ra_footer_part_find_number(model->reader,
		                                                                    "part_from_ns")
		                            ->u64);
	}
	put_gpu_before(text, model->reader);
	put_environment(text, model->reader);
	for (size_t c = 0; c < RLOG_CAUSES; c++) {
		ra_util_text_format(text, "%s\"%s\":%llu", c == 0 ? ",\"lost\":{" : ",",
		                    causes[c].key, (unsigned long long) q->lost[c]);
	}
	ra_util_text_put_char(text, '}');
	for (size_t i = 0; i < FIGURES; i++) {
		const uint64_t value = read_figure(q, &figures[i]);

		if (value != 0 || !is_of_switches(&figures[i])) {
			ra_util_text_format(text, ",\"%s\":%llu", figures[i].key,
			                    (unsigned long long) value);
		}
	}
	for (size_t i = 0; i < RLOG_ODDITIES; i++) {
		ra_util_text_format(text, "%s\"%s\":%llu", i == 0 ? ",\"oddities\":{" : ",",
		                    oddities[i].key,
		                    (unsigned long long) read_figure(q, &oddities[i]));
	}
	ra_util_text_put_char(text, '}');
	if (q->warnings != 0) {
		ra_util_text_format(text, ",\"warnings\":%llu", (unsigned long long) q->warnings);
	}
	ra_coverage_put_json(text, model);
	ra_footer_graphs_put_json(text, model);
	if (ra_model_has(model, RA_HAS_ROWS)) {
		ra_kineto_footer_put_json(text, model->kineto);
	}
	ra_util_text_format(text, ",\"damaged_bytes\":%llu,\"clock_error_ns\":%lld,\"open\":",
	                    (unsigned long long) q->damaged_bytes, (long long) q->clock_error_ns);
	ra_open_ranges_put_json(text, model);
}
