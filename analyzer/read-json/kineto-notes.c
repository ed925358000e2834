/* SPDX-License-Identifier: MIT */
/* Messages about oddities in a trace's text: for `verify`, the footer, and standard error. */
#include "analyzer/read-json/kineto-notes.h"

#include <inttypes.h>

#include "analyzer/rows/kineto-kinds.h"

/* longest duration of a short kernel: a microsecond is a tenth of it or more */
#define SHORT_NS 10000

void ra_kineto_notes_put(const struct ra_kineto_read_options *options, uint64_t offset,
                         const char *what)
{
	if (options != NULL && options->finding != NULL) {
		options->finding(options->finding_context, offset, what);
	}
}

void ra_kineto_notes_put_text(const struct ra_kineto_read_options *options, uint64_t offset,
                              enum ra_json_oddity oddity)
{
	static const char *const sentences[RA_JSON_ODDITIES] = {
		[RA_JSON_ODD_WORD] = "a word such as NaN is not JSON",
		[RA_JSON_ODD_COMMA] = "there is a comma too many or too few",
		[RA_JSON_ODD_SURROGATE] = "half of a surrogate pair stands for no character",
		[RA_JSON_ODD_CONTROL] = "a text has control characters that are not escaped",
		[RA_JSON_ODD_UTF8] = "a text is not in UTF-8",
		[RA_JSON_ODD_ESCAPE] = "a backslash begins no escape of JSON",
		[RA_JSON_ODD_NUMBER] = "a number is not written as in JSON",
		[RA_JSON_ODD_DOCUMENT] = "another document begins",
		[RA_JSON_ODD_DAMAGE] = "this is not JSON: all up to the next event was left out",
	};

	ra_kineto_notes_put(options, offset, sentences[oddity]);
}

void ra_kineto_notes_put_row(const struct ra_kineto_read_options *options, uint64_t offset,
                             const struct ra_kineto_row *row)
{
	if (options == NULL || options->finding == NULL) {
		return;
	}
	if (ra_kineto_kinds_lacks_time(row)) {
		ra_kineto_notes_put(options, offset, "the event has no usable time");
	}
	if (row->phase != 'X') {
		return;
	}
	if ((row->flags & RA_KINETO_HAS_DUR) == 0) {
		ra_kineto_notes_put(options, offset, "the event has no usable duration");
	}
	if (row->dur_ns < 0) {
		ra_kineto_notes_put(options, offset, "the duration is below 0");
	}
	if ((row->flags & RA_KINETO_HAS_NAME) == 0) {
		ra_kineto_notes_put(options, offset, "the event has no name");
	}
}

void ra_kineto_notes_count_short(struct ra_kineto *kineto)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < kineto->count; i++) {
		if (kineto->kind[i] != RA_KINETO_KERNEL) {
			continue;
		}
		if (ra_kineto_ts(kineto, i) % 1000 != 0 || ra_kineto_dur(kineto, i) % 1000 != 0) {
			return;
		}
		count += ra_kineto_dur(kineto, i) < SHORT_NS;
	}
	kineto->oddities.whole_us_kernels = count;
}

void ra_kineto_notes_count(struct ra_kineto_oddities *odd, const struct ra_json *json)
{
	const uint64_t *found = json->odd;

	odd->repaired_words = found[RA_JSON_ODD_WORD];
	odd->repaired_commas = found[RA_JSON_ODD_COMMA];
	odd->repaired_surrogates = found[RA_JSON_ODD_SURROGATE];
	odd->control_texts = found[RA_JSON_ODD_CONTROL];
	odd->not_utf8 = found[RA_JSON_ODD_UTF8];
	odd->literal_backslashes = found[RA_JSON_ODD_ESCAPE];
	odd->odd_numbers = found[RA_JSON_ODD_NUMBER];
	odd->documents = found[RA_JSON_ODD_DOCUMENT];
	odd->damages = found[RA_JSON_ODD_DAMAGE];
	odd->lost_bytes = json->lost_bytes;
	odd->lost_events = json->lost_records;
	odd->lost_offset = json->lost_offset;
}

bool ra_kineto_notes_stop(struct rlog_error *stop, const struct ra_json *json,
                          const struct ra_kineto_input *input)
{
	if (stop->code != 0 || json->odd[RA_JSON_ODD_DAMAGE] == 0) {
		return false;
	}
	rlog_error_set(stop, RLOG_E_SCHEMA, json->lost_offset,
	               "%s: %" PRIu64 " event%s left out, %" PRIu64 " bytes in all%s",
	               json->lost_why, json->lost_records, json->lost_records == 1 ? "" : "s",
	               json->lost_bytes,
	               ra_kineto_input_is_gzip(input) ? " (offset of the unpacked text)" : "");
	return true;
}

int ra_kineto_notes_refuse(const struct ra_kineto_input *input, bool has_events,
                           const struct rlog_error *stop, struct rlog_error *err)
{
	const char *packed = ra_kineto_input_packed(input);

	if (packed != NULL) {
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
		                      "%s in gzip: only traces and logs are read packed; unpack it "
		                      "first (gunzip -k FILE)",
		                      packed);
	}
	if (stop->code != 0) {
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, stop->offset,
		                      "neither a log nor a trace in JSON: %.120s", stop->message);
	}
	return rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
	                      "JSON, but no trace: there is no %s",
	                      has_events ? "event in it" : "array traceEvents");
}
