/* SPDX-License-Identifier: MIT */
/* Writes several inputs on one time axis, as JSON for Perfetto. */
#include "analyzer/timeline/ranks/out-ranks.h"

#include "analyzer/base/util.h"
#include "analyzer/timeline/perfetto/out-perfetto.h"
#include "analyzer/timeline/pens/pen-json.h"

/* This many numbers are reserved for the processes and devices of each input. The first number is
 * above Linux's tids. */
#define PIDS_EACH 10000u
#define FIRST_PID 10000000u
#define IDS_EACH  (UINT64_C(1) << 33)

/* Returns an input's time 0, by CLOCK_REALTIME of the first input. */
static int64_t find_origin(const struct ra_ranks_input *input)
{
	return ra_util_add_time(input->offset_ns, input->real_ns);
}

/* Returns the earliest time at which an input draws something. */
static int64_t find_zero(const struct ra_ranks *ranks)
{
	int64_t zero_ns = 0;

	for (size_t i = 0; i < ranks->count; i++) {
		const struct ra_ranks_input *input = &ranks->inputs[i];
		const int64_t first_ns = find_origin(input) + input->first_ns;

		if (i == 0 || first_ns < zero_ns) {
			zero_ns = first_ns;
		}
	}
	return zero_ns;
}

static void put_input(struct ra_jsonw *json, const struct ra_ranks_input *input)
{
	const char *slash = strrchr(input->path, '/');

	ra_jsonw_newline(json);
	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "source");
	ra_jsonw_text(json, slash == NULL ? input->path : slash + 1);
	ra_jsonw_key(json, "rank");
	if (input->rank < 0) {
		ra_jsonw_null(json);
	} else {
		ra_jsonw_signed(json, input->rank);
	}
	ra_jsonw_key(json, "offset_ns");
	ra_jsonw_signed(json, input->offset_ns);
	ra_jsonw_key(json, "uncertainty_ns");
	if (input->uncertainty_ns < 0) {
		ra_jsonw_null(json);
	} else {
		ra_jsonw_signed(json, input->uncertainty_ns);
	}
	ra_jsonw_key(json, "meetings");
	ra_jsonw_unsigned(json, input->matched);
	ra_jsonw_close(json, '}');
}

/* @first, @count: the inputs in the file. */
static void begin(struct ra_jsonw *json, const struct ra_ranks *ranks, int64_t zero_ns,
                  size_t first, size_t count)
{
	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "schemaVersion");
	ra_jsonw_unsigned(json, 1);
	ra_jsonw_key(json, "displayTimeUnit");
	ra_jsonw_text(json, "ms");
	ra_jsonw_key(json, "baseTimeNanoseconds");
	ra_jsonw_signed(json, zero_ns);
	ra_jsonw_key(json, "alignment");
	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "pairs");
	ra_jsonw_unsigned(json, ranks->pairs);
	ra_jsonw_key(json, "reversed");
	ra_jsonw_unsigned(json, ranks->reversed);
	ra_jsonw_key(json, "inputs");
	ra_jsonw_open(json, '[');
	for (size_t i = first; i < first + count; i++) {
		put_input(json, &ranks->inputs[i]);
	}
	ra_jsonw_close(json, ']');
	ra_jsonw_close(json, '}');
	ra_jsonw_newline(json);
	ra_jsonw_key(json, "traceEvents");
	ra_jsonw_open(json, '[');
}

static void end(struct ra_jsonw *json)
{
	json->is_first = true;
	ra_jsonw_newline(json);
	ra_jsonw_close(json, ']');
	ra_jsonw_close(json, '}');
	ra_jsonw_newline(json);
}

static void draw(const struct ra_ranks *ranks, size_t index, const struct ra_model *model,
                 const struct ra_out_options *options, struct ra_pen_json *pen)
{
	const struct ra_ranks_input *input = &ranks->inputs[index];
	const struct ra_out_place place = {
		.zero_ns = find_zero(ranks) - find_origin(input),
		.first_pid = FIRST_PID + (uint32_t) index * PIDS_EACH,
		.first_id = index * IDS_EACH,
		.rank = input->rank,
	};
	struct ra_out_options own = *options;
	struct ra_out_report report = { 0 };

	own.place = &place;
	ra_out_perfetto_draw(model, &own, &pen->pen, pen->file, &report);
}

void ra_out_ranks_draw(const struct ra_ranks *ranks, size_t index, const struct ra_model *model,
                       const struct ra_out_options *options, struct ra_outbuf *out)
{
	struct ra_pen_json pen;
	struct ra_jsonw json;

	ra_pen_json_init(&pen, out);
	ra_jsonw_init(&json, out);
	begin(&json, ranks, find_zero(ranks), index, 1);
	draw(ranks, index, model, options, &pen);
	end(&json);
	ra_pen_json_fini(&pen);
}

int ra_out_ranks_write(const struct ra_ranks *ranks, const struct ra_load_options *load,
                       const struct ra_out_options *options, struct ra_outbuf *out,
                       const char **failed, struct rlog_error *err)
{
	struct ra_pen_json pen;
	struct ra_jsonw json;
	int rc = 0;

	ra_pen_json_init(&pen, out);
	ra_jsonw_init(&json, out);
	begin(&json, ranks, find_zero(ranks), 0, ranks->count);
	for (size_t i = 0; i < ranks->count && rc == 0; i++) {
		struct ra_model *model = NULL;

		*failed = ranks->inputs[i].path;
		rc = ra_load_file(&model, ranks->inputs[i].path, load, err);
		if (rc == 0) {
			draw(ranks, i, model, options, &pen);
		}
		ra_model_destroy(model);
	}
	end(&json);
	ra_pen_json_fini(&pen);
	return rc;
}
