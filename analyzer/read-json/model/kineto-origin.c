/* SPDX-License-Identifier: MIT */
/* Reads facts about the machine from a trace: those top-level keys that are versions
 * (cuda_driver_version …), the host's name, and the backend by which ranks communicate. */
#include "analyzer/read-json/model/kineto-origin.h"

#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/model/model-facts.h"
#include "analyzer/rows/kineto.h"

static const char version[] = "_version";

/* Our key for a key of the trace; empty: the key is no fact. */
static struct rlog_string name_fact(struct rlog_string key)
{
	const uint32_t tail = sizeof(version) - 1;
	const struct rlog_string none = { "", 0, 0 };

	if (key.length == 9 && memcmp(key.bytes, "host_name", 9) == 0) {
		return ra_util_string("host");
	}
	if (key.length <= tail || memcmp(key.bytes + key.length - tail, version, tail) != 0) {
		return none;
	}
	key.length -= tail;
	return key;
}

/* The text of a number, or of a string without escapes; empty for anything else. */
static struct rlog_string read_scalar(struct rlog_string json)
{
	if (json.length >= 2 && json.bytes[0] == '"' &&
	    memchr(json.bytes, '\\', json.length) == NULL) {
		json.bytes++;
		json.length -= 2;
	} else if (json.length == 0 ||
	           (json.bytes[0] != '-' && (json.bytes[0] < '0' || json.bytes[0] > '9'))) {
		json.length = 0;
	}
	return json;
}

void ra_kineto_origin_add(struct ra_model *model)
{
	const struct ra_kineto *k = model->kineto;

	for (size_t i = 0; i < k->fact_count; i++) {
		ra_model_facts_add(model, name_fact(ra_kineto_string(k, k->facts[i].key)),
		                   read_scalar(ra_kineto_string(k, k->facts[i].json)));
	}
	if (k->backend != 0) {
		ra_model_facts_add(model, ra_util_string("backend"),
		                   ra_kineto_string(k, k->backend));
	}
	if (k->nccl_version != 0) {
		ra_model_facts_add(model, ra_util_string("nccl"),
		                   ra_kineto_string(k, k->nccl_version));
	}
	if (k->world_size > 0) {
		ra_model_facts_add_number(model, "world_size", k->world_size);
	}
}
