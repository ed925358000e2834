/* SPDX-License-Identifier: MIT */
/* Names the ranges that were never closed: they show where a program hung or was killed. */
#include "analyzer/read-log/ranges/open-ranges.h"

typedef void put_range(struct ra_util_text *text, const struct ra_model *model,
                       const struct ra_track *track, size_t slice);

/* Return: the number of ranges that were written. */
static uint64_t put_ranges(struct ra_util_text *text, const struct ra_model *model, put_range *put)
{
	const uint64_t open = model->quality.open_ranges;
	const uint64_t wanted = open < RA_OPEN_RANGES_NAMED ? open : RA_OPEN_RANGES_NAMED;
	uint64_t count = 0;

	for (size_t t = 0; t < model->track_count && count < wanted; t++) {
		const struct ra_track *track = &model->tracks[t];
		const size_t end = track->first_slice + track->slice_count;

		for (size_t i = track->first_slice; i < end && count < wanted; i++) {
			if (model->slices.flags[i] & RA_SLICE_OPEN) {
				put(text, model, track, i);
				count++;
			}
		}
	}
	return count;
}

static void put_line(struct ra_util_text *text, const struct ra_model *model,
                     const struct ra_track *track, size_t slice)
{
	ra_util_text_format(text, "open at the end: \"");
	ra_util_text_put_name(text, ra_model_string(model, model->slices.name[slice]),
	                      RA_TEXT_TERMINAL);
	if (track->kind == RA_TRACK_START_END) {
		ra_util_text_format(text, "\" of the process (start/end)");
	} else if (track->tid != 0) {
		ra_util_text_format(text, "\" on thread %lld", (long long) track->tid);
	} else {
		ra_util_text_format(text, "\" on the thread of stream %lu",
		                    (unsigned long) track->stream);
	}
	if (track->name != 0) {
		ra_util_text_format(text, " (");
		ra_util_text_put_name(text, ra_model_string(model, track->name), RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, ')');
	}
	ra_util_text_format(text, ", for ");
	ra_util_text_put_time(text, model->slices.dur_ns[slice]);
	ra_util_text_put_char(text, '\n');
}

void ra_open_ranges_put_text(struct ra_util_text *text, const struct ra_model *model)
{
	const uint64_t count = put_ranges(text, model, put_line);

	if (model->quality.open_ranges > count) {
		ra_util_text_format(text, "and ");
		ra_util_text_put_count(text, model->quality.open_ranges - count);
		ra_util_text_format(text, " more\n");
	}
}

static void put_object(struct ra_util_text *text, const struct ra_model *model,
                       const struct ra_track *track, size_t slice)
{
	ra_util_text_format(text, "{\"name\":\"");
	ra_util_text_put_name(text, ra_model_string(model, model->slices.name[slice]),
	                      RA_TEXT_JSON);
	ra_util_text_format(text, "\",\"kind\":\"%s\",\"tid\":",
	                    (model->slices.flags[slice] & RA_SLICE_WAIT) != 0 ? "wait"
	                    : track->kind == RA_TRACK_START_END               ? "start/end"
	                                                                      : "push/pop");
	if (track->kind == RA_TRACK_START_END || track->tid == 0) {
		ra_util_text_format(text, "null");
	} else {
		ra_util_text_format(text, "%lld", (long long) track->tid);
	}
	ra_util_text_format(text, ",\"start_ns\":%lld,\"dur_ns\":%lld},",
	                    (long long) model->slices.start_ns[slice],
	                    (long long) model->slices.dur_ns[slice]);
}

void ra_open_ranges_put_json(struct ra_util_text *text, const struct ra_model *model)
{
	ra_util_text_put_char(text, '[');
	if (put_ranges(text, model, put_object) > 0) {
		text->length--; /* removes the last comma */
	}
	ra_util_text_put_char(text, ']');
}
