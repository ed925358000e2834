/* SPDX-License-Identifier: MIT */
/* Records device memory that the program maps itself (cuMemMap). CUPTI has no records of it, so we
 * take it from the calls. */
#ifndef RCAP_CUPTI_MAPS_H
#define RCAP_CUPTI_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

struct rcap_cupti_map {
	uint64_t time; /* by the clock of CUPTI's records */
	uint64_t address;
	uint64_t bytes;
	uint32_t context;
	uint32_t correlation;
	bool is_unmap;
};

/*
 * Stores what a call has mapped or unmapped, if the call succeeded.
 *
 * Return: false if there is no room.
 * Context: CUPTI's callback after the call; no malloc.
 */
bool rcap_cupti_maps_keep(const struct rcap_cupti_call_data *call, bool is_unmap, uint64_t time);

/* Takes the oldest entry. Return: false if there is none. Context: the converter. */
bool rcap_cupti_maps_take(struct rcap_cupti_map *out);

#endif
