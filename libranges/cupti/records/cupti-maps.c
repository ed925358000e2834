/* SPDX-License-Identifier: MIT */
/* Records device memory that the program maps itself. */
#include "libranges/cupti/records/cupti-maps.h"

#include <pthread.h>
#include <string.h>

#define MAPS 4096u /* most entries between two rounds of the worker; further ones are lost */

/* The lock is held for some instructions only. */
static struct {
	pthread_mutex_t lock;
	struct rcap_cupti_map maps[MAPS];
	uint32_t first;
	uint32_t count;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool rcap_cupti_maps_keep(const struct rcap_cupti_call_data *call, bool is_unmap, uint64_t time)
{
	struct rcap_cupti_map_arguments arguments;
	uint32_t result = 0;
	bool has_room;

	if (!call->arguments || !call->result) {
		return true;
	}
	memcpy(&result, call->result, sizeof(result));
	if (result != 0) {
		return true;
	}
	memcpy(&arguments, call->arguments, sizeof(arguments));
	pthread_mutex_lock(&kept.lock);
	has_room = kept.count < MAPS;
	if (has_room) {
		kept.maps[(kept.first + kept.count++) % MAPS] =
			(struct rcap_cupti_map){ .time = time,
			                         .address = arguments.address,
			                         .bytes = arguments.bytes,
			                         .context = call->context_id,
			                         .correlation = call->correlation,
			                         .is_unmap = is_unmap };
	}
	pthread_mutex_unlock(&kept.lock);
	return has_room;
}

bool rcap_cupti_maps_take(struct rcap_cupti_map *out)
{
	bool is_there;

	pthread_mutex_lock(&kept.lock);
	is_there = kept.count > 0;
	if (is_there) {
		*out = kept.maps[kept.first];
		kept.first = (kept.first + 1) % MAPS;
		kept.count--;
	}
	pthread_mutex_unlock(&kept.lock);
	return is_there;
}
