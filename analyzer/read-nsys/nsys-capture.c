/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: its clock, its losses, and in our own exports when time begins. */
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-facts.h"
#include "analyzer/model/names.h"
#include "analyzer/read-nsys/nsys.h"
#include "format/wire.h"

#define SEVERITY_WARNING 2

/* Reads a fact in LIBRANGES_CAPTURE, which only our exports have. @none: returned if it is
 * missing. */
static int64_t read_fact(struct ra_nsys *nsys, const char *where, int64_t none)
{
	static const char *const columns[] = { "value", NULL };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "LIBRANGES_CAPTURE", columns, where);
	if (ra_nsys_rows_next(&rows)) {
		none = ra_nsys_rows_int(&rows, 0, none);
	}
	ra_nsys_rows_close(&rows);
	return none;
}

void ra_nsys_capture_read(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "utcEpochNs", "systemClockNs", NULL };
	struct ra_nsys_rows rows;
	int64_t *own = nsys->own_axis_ns;

	ra_nsys_rows_open(&rows, &nsys->db, "TARGET_INFO_SESSION_START_TIME", columns, NULL);
	if (ra_nsys_rows_next(&rows)) {
		nsys->model->zero_real_ns = ra_nsys_rows_int(&rows, 0, 0);
		nsys->model->zero_ns = ra_nsys_rows_int(&rows, 1, 0);
	}
	ra_nsys_rows_close(&rows);
	nsys->has_capture = ra_nsys_db_has(&nsys->db, "LIBRANGES_CAPTURE");
	own[0] = read_fact(nsys, "name = 'zero'", INT64_MIN);
	own[1] = read_fact(nsys, "name = 'end'", INT64_MIN);
	nsys->has_own_axis =
		own[0] >= -RA_NSYS_TIME_MAX && own[0] <= own[1] && own[1] <= RA_NSYS_TIME_MAX;
}

/* Adds a text from a table as a fact. Return: false if the text is missing. */
static bool add_fact(struct ra_nsys *nsys, const char *table, const char *where, const char *key)
{
	static const char *const columns[] = { "value", NULL };
	struct ra_nsys_rows rows;
	bool has_text = false;

	ra_nsys_rows_open(&rows, &nsys->db, table, columns, where);
	if (ra_nsys_rows_next(&rows)) {
		const struct rlog_string text = ra_nsys_rows_text(&rows, 0);

		has_text = text.bytes != NULL && text.length > 0;
		if (has_text) {
			ra_model_facts_add(nsys->model, ra_util_string(key), text);
		}
	}
	ra_nsys_rows_close(&rows);
	return has_text;
}

/* Adds facts about the machine, and the version of nsys that made the export. */
static void read_facts(struct ra_nsys *nsys)
{
	static const char *const of_machine[][2] = {
		{ "name = 'Hostname'", "host" },
		{ "name = 'OsDescription'", "os" },
		{ "name = 'CpuArchitecture'", "arch" },
		{ "name = 'CpuCores'", "cpus" },
		{ "name = 'NvDriverVersion'", "gpu_driver" },
		{ "name = 'CudaDriverVersion'", "cuda_driver" },
	};
	static const char product[] = "name = 'EXPORT_PRODUCT_VERSION'";

	for (size_t i = 0; i < sizeof(of_machine) / sizeof(of_machine[0]); i++) {
		add_fact(nsys, "TARGET_INFO_SYSTEM_ENV", of_machine[i][0], of_machine[i][1]);
	}
	if (!add_fact(nsys, "META_DATA_EXPORT", product, "nsys")) {
		add_fact(nsys, "EXPORT_META_DATA", product, "nsys");
	}
}

/* True if a text contains a word. */
static bool has_word(struct rlog_string text, const char *word)
{
	for (; text.length > 0; text.bytes++, text.length--) {
		if (ra_util_string_has_prefix(text, word)) {
			return true;
		}
	}
	return false;
}

/* The last number in a text at `from` or later; 0: there is none. */
static uint64_t find_number(struct rlog_string text, uint32_t from)
{
	uint64_t number = 0;
	bool is_inside = false;

	for (uint32_t i = from; i < text.length; i++) {
		const bool is_digit = text.bytes[i] >= '0' && text.bytes[i] <= '9';

		if (is_digit && number < UINT64_MAX / 100) {
			number = (is_inside ? number * 10 : 0) + (uint64_t) (text.bytes[i] - '0');
		} else if (is_inside && !is_digit) {
			break;
		}
		is_inside = is_digit;
	}
	return number;
}

/* Reads a loss in the form that our exports have: "ring_full: 12 events were lost: the buffer was
 * full". Return: false if the text has another form. */
static bool read_own_loss(struct ra_quality *quality, struct rlog_string text)
{
	for (uint32_t cause = 0; cause < RLOG_CAUSES; cause++) {
		const char *name = cause == 0 ? "unknown" : ra_names_cause(cause);
		const uint32_t length = name != NULL ? (uint32_t) strlen(name) : 0;

		if (name != NULL && ra_util_string_has_prefix(text, name) && length < text.length &&
		    text.bytes[length] == ':') {
			quality->lost[cause] =
				ra_util_add(quality->lost[cause], find_number(text, length));
			return true;
		}
	}
	if (ra_util_string_has_prefix(text, "missing_rows:")) {
		quality->missing_rows = find_number(text, 0);
	} else if (ra_util_string_has_prefix(text, "damaged_stretches:")) {
		quality->damaged_stretches = find_number(text, 0);
	} else if (ra_util_string_has_prefix(text, "warnings:")) {
		quality->warnings = find_number(text, 0);
	} else if (ra_util_string_has_prefix(text, "not_closed:")) {
		quality->closed = false;
	} else if (ra_util_string_has_prefix(text, "recovered:")) {
		quality->recovered = true;
	} else {
		return false;
	}
	return true;
}

/* Reads a loss in the form that nsys has, a sentence: "Number of incomplete CUPTI events dropped:
 * 12". */
static void read_loss(struct ra_quality *quality, struct rlog_string text, int64_t severity)
{
	const bool is_loss = has_word(text, "dropped") || has_word(text, " lost");
	const uint64_t count = is_loss ? find_number(text, 0) : 0;
	uint64_t *lost = &quality->lost[has_word(text, "CUPTI") || has_word(text, "CUDA")
	                                        ? RLOG_CAUSE_GPU_DROPPED
	                                        : 0];

	*lost = ra_util_add(*lost, count);
	if (count == 0 && severity >= SEVERITY_WARNING && (has_word(text, "Not all ") || is_loss)) {
		quality->warnings++;
	}
}

void ra_nsys_capture_finish(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "severity", "text", NULL };
	struct ra_quality *quality = &nsys->model->quality;
	struct ra_nsys_rows rows;

	if (nsys->db.rc != 0) {
		return;
	}
	quality->clock_error_ns = read_fact(nsys, "name = 'clock_error'", 0);
	nsys->model->processes[0].rank = read_fact(nsys, "name = 'rank'", -1);
	read_facts(nsys);
	ra_nsys_rows_open(&rows, &nsys->db, "DIAGNOSTIC_EVENT", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		const struct rlog_string text = ra_nsys_rows_text(&rows, 1);

		if (text.bytes != NULL && !(nsys->has_capture && read_own_loss(quality, text))) {
			read_loss(quality, text, ra_nsys_rows_int(&rows, 0, 0));
		}
	}
	ra_nsys_rows_close(&rows);
}
