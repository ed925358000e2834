/* SPDX-License-Identifier: MIT */
/* Reads the counters of a Chrome trace. */
#include "analyzer/read-json/model/kineto-samples.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

struct building {
	struct ra_model *model;
	struct ra_util_map index; /* name << 32 | arg → counter */
	size_t counter_capacity;
	size_t sample_capacity;
};

/* An arg called "value" is the counter's value itself. Otherwise the arg's name is the counter's
 * unit, as in our own output. */
static uint32_t find_counter(struct building *building, uint32_t name, uint32_t key)
{
	struct ra_model *m = building->model;
	const uint64_t id = (uint64_t) name << 32 | key;
	uint32_t counter = ra_util_map_find(&building->index, id);

	if (counter == RA_UTIL_MAP_NONE) {
		counter = (uint32_t) m->counter_count;
		ra_util_map_put(&building->index, id, counter);
		RA_UTIL_APPEND(m->counters, m->counter_count, building->counter_capacity,
		               (struct ra_counter){
				       .id = (uint64_t) counter + 1,
				       .name = name,
				       .unit = ra_kineto_is_text(m->kineto, key, "value") ? 0 : key,
			       });
	}
	return counter;
}

static void add_sample(struct building *building, uint32_t event, const struct ra_kineto_rest *rest)
{
	struct ra_model *m = building->model;
	struct ra_sample sample = {
		.time_ns = ra_kineto_ts(m->kineto, event) - m->kineto->zero_ns,
		.kind = RA_SAMPLE_INTEGER,
		.bits = (uint64_t) rest->value.integer,
	};

	if (rest->value.type == RA_KINETO_NUMBER) {
		char text[64];
		char *end;
		double real;

		if (rest->value.text.length >= sizeof(text)) {
			return;
		}
		memcpy(text, rest->value.text.bytes, rest->value.text.length);
		text[rest->value.text.length] = '\0';
		real = strtod(text, &end);
		if (*end != '\0') {
			return;
		}
		sample.kind = RA_SAMPLE_REAL;
		memcpy(&sample.bits, &real, sizeof(real));
	} else if (rest->value.type != RA_KINETO_INT) {
		return;
	}
	sample.counter = find_counter(building, m->kineto->name[event], rest->key);
	RA_UTIL_APPEND(m->samples, m->sample_count, building->sample_capacity, sample);
	m->end_ns = sample.time_ns > m->end_ns ? sample.time_ns : m->end_ns;
}

static int compare_samples(const void *left, const void *right)
{
	const struct ra_sample *a = left;
	const struct ra_sample *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, counter), RA_ORDER_UP(a, b, time_ns));
}

/* True for counters that our own output drew from GPU operations (they are in processes of devices)
 * or from memory (they have a category of their own). The program did not make these counters, and
 * they can be drawn again. */
static bool is_drawn(const struct ra_model *model, uint32_t event)
{
	const struct ra_kineto *k = model->kineto;
	const int64_t pid = k->threads[ra_kineto_get_thread(k, event)].pid_number;

	if (k->is_ours && ra_kineto_is_text(k, k->categories[ra_kineto_get_category(k, event)].name,
	                                    RA_KINETO_KINDS_MEMORY)) {
		return true;
	}
	for (size_t i = 0; i < model->process_count && k->is_ours; i++) {
		if (model->processes[i].pid == pid) {
			return false;
		}
	}
	return k->is_ours;
}

void ra_kineto_samples_build(struct ra_model *model)
{
	const struct ra_kineto *k = model->kineto;
	struct building building = { .model = model };

	for (uint32_t i = 0; i < k->count && k->kind_count[RA_KINETO_COUNTER] > 0; i++) {
		struct ra_kineto_rest rest;

		if (k->kind[i] != RA_KINETO_COUNTER || (k->flags[i] & RA_KINETO_HAS_TS) == 0 ||
		    is_drawn(model, i)) {
			continue;
		}
		ra_kineto_rest_init(&rest, k, i);
		while (ra_kineto_rest_next(&rest, k)) {
			if (rest.is_arg) {
				add_sample(&building, i, &rest);
			}
		}
	}
	RA_SORT(model->samples, model->sample_count, compare_samples);
	ra_util_map_free(&building.index);
}
