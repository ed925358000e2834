/* SPDX-License-Identifier: MIT */
/* Walks over the values of counters over time: one series for each counter, or for each field of a
 * group. */
#include "analyzer/payload/series.h"

#include <string.h>

#include "analyzer/payload/counters.h"
#include "analyzer/payload/payload-path.h"

struct walk {
	const struct ra_model *model;
	void (*visit)(void *context, const struct ra_series_value *value);
	void *context;
	const struct ra_sample *sample; /* the current sample */
};

static void give(const struct walk *walk, struct rlog_string field, struct rlog_string unit,
                 double number)
{
	const struct ra_counter *counter = &walk->model->counters[walk->sample->counter];
	struct ra_series_value value = {
		.counter = walk->sample->counter,
		.field = field,
		.unit = unit,
		.time_ns = walk->sample->time_ns,
		.value = number,
	};

	if (unit.bytes == NULL && counter->unit != 0) {
		value.unit = ra_model_string(walk->model, counter->unit);
	}
	walk->visit(walk->context, &value);
}

/* Visits a number in a group. Its unit is in the schema's entry. */
static void visit_field(void *context, struct rlog_string path,
                        const struct ra_payload_value *value)
{
	const struct walk *walk = context;
	const bool is_whole = value->entry == NULL && value->name.bytes == NULL;
	struct ra_counters_unit semantics = { 0 };
	struct rlog_string unit = { NULL, 0, 0 };
	double number;

	switch (value->kind) {
	case RA_PAYLOAD_UNSIGNED:
		number = (double) value->bits;
		break;
	case RA_PAYLOAD_SIGNED:
		number = (double) (int64_t) value->bits;
		break;
	case RA_PAYLOAD_REAL:
		number = value->real;
		break;
	default:
		return;
	}
	if (value->entry != NULL) {
		if ((value->entry->flags & RLOG_ENTRY_TIMESTAMP) != 0) {
			return;
		}
		ra_counters_read_semantics(value->entry->semantics, &semantics);
		unit = (struct rlog_string){ semantics.unit.bytes, semantics.unit.length,
			                     semantics.unit.length };
	}
	if (is_whole) {
		path = (struct rlog_string){ NULL, 0, 0 };
	}
	give(walk, path, unit, number);
}

static void decode(struct walk *walk, struct ra_payload *decoder, struct ra_payload_path *path)
{
	const struct ra_model *m = walk->model;
	const struct ra_payload_visitor visitor = ra_payload_path_visitor(path);
	const struct ra_data *data;

	if (walk->sample->bits >= m->sample_data.count) {
		return;
	}
	data = &m->sample_data.rows[walk->sample->bits];
	ra_payload_decode_one(decoder, m->domains[m->counters[walk->sample->counter].domain].id,
	                      m->data_bytes + data->from, data->length, &visitor);
}

void ra_series_walk(const struct ra_model *model,
                    void (*visit)(void *context, const struct ra_series_value *value),
                    void *context)
{
	static const struct rlog_string none = { NULL, 0, 0 };
	struct walk walk = { .model = model, .visit = visit, .context = context };
	struct ra_payload_path path = { .field = visit_field,
		                        .context = &walk,
		                        .with_index = true };
	struct ra_payload *decoder = ra_payload_create(model->schemas);
	double real;

	for (size_t i = 0; i < model->sample_count; i++) {
		walk.sample = &model->samples[i];
		switch ((enum ra_sample_kind) walk.sample->kind) {
		case RA_SAMPLE_INTEGER:
			give(&walk, none, none, (double) (int64_t) walk.sample->bits);
			break;
		case RA_SAMPLE_REAL:
			memcpy(&real, &walk.sample->bits, sizeof(real));
			give(&walk, none, none, real);
			break;
		case RA_SAMPLE_DATA:
			decode(&walk, decoder, &path);
			break;
		case RA_SAMPLE_UNCHANGED:
		case RA_SAMPLE_UNAVAILABLE:
			break;
		}
	}
	ra_payload_destroy(decoder);
	ra_util_text_free(&path.text);
}
