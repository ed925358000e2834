/* SPDX-License-Identifier: MIT */
/* Adds the oddities of a JSON trace to the footer. */
#include "analyzer/footer/kineto-footer.h"

#include <string.h>

struct figure {
	const char *key;
	size_t offset;
	const char *one;
	const char *many;
	bool is_rare; /* written to JSON only if it is not 0 */
};

#define FIGURE(field, one, many)                                                     \
	{                                                                            \
#field, offsetof(struct ra_kineto_oddities, field), one, many, false \
	}

/* The text without a count is used instead of `one`, so that inputs that differ only in the count
 * share a line. */
#define UNCOUNTED NULL

#define RARE(field, one, many)                                                      \
	{                                                                           \
#field, offsetof(struct ra_kineto_oddities, field), one, many, true \
	}

static const struct figure figures[] = {
	FIGURE(negative_durations, "duration is below 0: it was taken as 0",
	       "durations are below 0: they were taken as 0"),
	FIGURE(no_duration, "event has no usable duration: it was taken as 0",
	       "events have no usable duration: it was taken as 0"),
	FIGURE(no_time, "event has no usable time: it is in no report",
	       "events have no usable time: they are in no report"),
	FIGURE(no_name, "event has no name", "events have no name"),
	FIGURE(not_objects, "entry of the list of events is not an event: it was ignored",
	       "entries of the list of events are not events: they were ignored"),
	FIGURE(rounded_times, "time is finer than a nanosecond: it was rounded",
	       "times are finer than a nanosecond: they were rounded"),
	FIGURE(repeated_events,
	       "value of traceEvents beyond the first: the events of all were read",
	       "values of traceEvents beyond the first: the events of all were read"),
	FIGURE(repaired_words, "word such as NaN is not JSON: it was skipped",
	       "words such as NaN are not JSON: they were skipped"),
	FIGURE(repaired_commas, "comma too many or too few was ignored",
	       "commas too many or too few were ignored"),
	FIGURE(repaired_surrogates,
	       "half of a surrogate pair stands for no character: it was read as U+FFFD",
	       "halves of surrogate pairs stand for no character: they were read as U+FFFD"),
	RARE(control_texts,
	     "text has control characters that are not escaped: they are shown escaped",
	     "texts have control characters that are not escaped: they are shown escaped"),
	RARE(not_utf8, "text is not in UTF-8: its bytes were kept",
	     "texts are not in UTF-8: their bytes were kept"),
	RARE(literal_backslashes, "backslash begins no escape: it was kept",
	     "backslashes begin no escape: they were kept"),
	RARE(odd_numbers, "number such as +1, .5 or 007 is not JSON: it was read anyway",
	     "numbers such as +1, .5 or 007 are not JSON: they were read anyway"),
	RARE(text_times, "time or duration is a text: its number was read",
	     "times or durations are texts: their numbers were read"),
	RARE(documents, "more document follows the first: the events of all were read",
	     "more documents follow the first: the events of all were read"),
	FIGURE(changed_logs,
	       "log in the trace was not used: the trace was changed since, so its events were "
	       "read",
	       "logs in the trace were not used: the trace was changed since, so its events were "
	       "read"),
	FIGURE(damaged_logs, "log in the trace is damaged: the trace's events were read instead",
	       "logs in the trace are damaged: the trace's events were read instead"),
	RARE(unused_ftrace, "event of the system's kernel (ftrace) is in no report",
	     "events of the system's kernel (ftrace) are in no report"),
	FIGURE(unknown_device_work,
	       "event has a device and a stream, but a category that this version does not "
	       "know: it was taken for a kernel",
	       "events have a device and a stream, but categories that this version does not "
	       "know: they were taken for kernels"),
	RARE(unknown_rows,
	     "event stands on a row of a device that this version does not know: it was taken "
	     "for a range of the device",
	     "events stand on rows of devices that this version does not know: they were taken "
	     "for ranges of the device"),
	RARE(unknown_records,
	     "record is of a kind that this version does not know: it is in no report",
	     "records are of kinds that this version does not know: they are in no report"),
	RARE(computed_rows, "event sums up others: it is in no report",
	     "events sum up others: they are in no report"),
	RARE(no_grid,
	     "kernel has no grid: its blocks and occupancy are not known, and means leave it out",
	     "kernels have no grid: their blocks and occupancy are not known, and means leave them "
	     "out"),
	RARE(whole_us_kernels, UNCOUNTED,
	     "times are whole microseconds: a kernel below 10us may be up to 1us off"),
	RARE(profiler_warnings, "error or warning of the profiler is in the file",
	     "errors or warnings of the profiler are in the file"),
	FIGURE(duplicate_correlations,
	       "API call has the correlation of another: the first of them gets the GPU work",
	       "API calls have the correlation of others: the first of them gets the GPU work"),
};

#define FEW     50
#define FIGURES (sizeof(figures) / sizeof(figures[0]))

_Static_assert(FIGURES + 4 <= RA_KINETO_FOOTER_LINES, "there is room for all lines");

static uint64_t read_figure(const struct ra_kineto *kineto, const struct figure *figure)
{
	uint64_t value;

	memcpy(&value, (const char *) &kineto->oddities + figure->offset, sizeof(value));
	return value;
}

/* True if the footer mentions a figure. Not if no kernel has a grid, because the tables then have
 * no column for the grid. Not if only a few kernels last whole us. Not if the count is 0. */
static bool is_told(const struct ra_kineto *kineto, const struct figure *figure)
{
	const uint64_t value = read_figure(kineto, figure);
	const uint64_t kernels = kineto->kind_count[RA_KINETO_KERNEL];

	if (strcmp(figure->key, "no_grid") == 0 && value == kernels) {
		return false;
	}
	return value > (strcmp(figure->key, "whole_us_kernels") == 0 ? kernels / 10 + FEW : 0);
}

static bool has_occupancy(const struct ra_kineto *kineto)
{
	double occupancy;

	for (uint32_t i = 0; i < kineto->count; i++) {
		if (kineto->kind[i] == RA_KINETO_KERNEL &&
		    ra_kineto_get_real(kineto, i, RA_KINETO_ARG_OCCUPANCY, &occupancy)) {
			return true;
		}
	}
	return false;
}

uint32_t ra_kineto_footer_name(const struct ra_kineto *kineto, const char *key)
{
	return strcmp(key, "unknown_rows") == 0      ? kineto->unknown_row
	       : strcmp(key, "unknown_records") == 0 ? kineto->unknown_record
	       : strcmp(key, "computed_rows") == 0   ? kineto->computed_row
	                                             : 0;
}

const char *ra_kineto_footer_find_unmatched(const struct ra_kineto *kineto)
{
	const struct ra_kineto_captured *captured = kineto->captured;
	uint64_t found = 0;

	if (captured == NULL || !captured->is_given) {
		return NULL;
	}
	for (int rule = 0; rule < RA_KINETO_CAPTURED_RULES; rule++) {
		found += captured->rule_ops[rule];
	}
	if (found > 0) {
		return NULL;
	}
	if (captured->launches == 0) {
		return "--graph-capture changes nothing: the trace has no work of CUDA graphs";
	}
	if (captured->captures == 0) {
		return "--graph-capture changes nothing: none of its traces has the capture of a "
		       "graph";
	}
	return "--graph-capture changes nothing: no range in those captures matches the trace's "
	       "work of CUDA graphs";
}

/* Adds lines on the traces of captures. Return: how many lines. */
static size_t collect_captures(const struct ra_kineto *kineto, struct ra_footer_line *lines)
{
	static const struct ra_kineto_captured none = { 0 };
	const struct ra_kineto_captured *captured =
		kineto->captured != NULL ? kineto->captured : &none;
	const char *unmatched = ra_kineto_footer_find_unmatched(kineto);
	const struct ra_footer_line all[] = {
		{ .key = "captures_damaged",
		  .count = captured->damaged,
		  .text = captured->damaged == 1 ? "trace of graph captures ends early or is "
		                                   "damaged: its whole events were used"
		                                 : "traces of graph captures end early or are "
		                                   "damaged: their whole events were used" },
		{ .key = "captures_unread",
		  .count = captured->unread,
		  .text = captured->unread == 1
		                  ? "trace of graph captures could not be read: it was left out"
		                  : "traces of graph captures could not be read: they were left "
		                    "out" },
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].count > 0) {
			lines[count] = all[i];
			count++;
		}
	}
	if (unmatched != NULL) {
		lines[count] =
			(struct ra_footer_line){ .key = "captures_unmatched", .text = unmatched };
		count++;
	}
	return count;
}

size_t ra_kineto_footer_collect(const struct ra_kineto *kineto, struct ra_footer_line *lines)
{
	size_t count = 0;

	for (size_t i = 0; i < FIGURES; i++) {
		const uint64_t value = read_figure(kineto, &figures[i]);

		if (is_told(kineto, &figures[i])) {
			lines[count] = (struct ra_footer_line){
				.key = figures[i].key,
				.count = figures[i].one == UNCOUNTED ? 0 : value,
				.text = value == 1 && figures[i].one != UNCOUNTED ? figures[i].one
				                                                  : figures[i].many,
			};
			count++;
		}
	}
	if (kineto->device_count == 0 && kineto->kind_count[RA_KINETO_KERNEL] > 0) {
		lines[count++] = (struct ra_footer_line){
			.key = "no_devices",
			.text = has_occupancy(kineto)
			                ? "the trace has no deviceProperties: occupancy and SM "
			                  "efficiency are the values it gives for each kernel"
			                : "the trace has no deviceProperties: occupancy and SM "
			                  "efficiency are not known",
		};
	}
	return count + collect_captures(kineto, lines + count);
}

void ra_kineto_footer_put_json(struct ra_util_text *text, const struct ra_kineto *kineto)
{
	bool is_first = true;

	for (size_t i = 0; i < FIGURES; i++) {
		const uint64_t value = read_figure(kineto, &figures[i]);

		if (figures[i].is_rare && !is_told(kineto, &figures[i])) {
			continue;
		}
		ra_util_text_format(text, "%s\"%s\":%llu", is_first ? ",\"trace\":{" : ",",
		                    figures[i].key, (unsigned long long) value);
		is_first = false;
	}
	ra_util_text_put_char(text, '}');
}
