/* SPDX-License-Identifier: MIT */
/* The functions of NVTX that are recorded as calls: doc/format.md, section 14. */
#include "analyzer/model/calls.h"

#include <stddef.h>

#include "analyzer/base/order/search.h"

/* Indexed by function number; generated from doc/format.md by calls.awk. */
static const struct ra_calls_function functions[] = {
#include "analyzer/model/calls.inc"
};

const struct ra_calls_function *ra_calls_find(uint64_t number)
{
	struct ra_search at = ra_search_in(0, sizeof(functions) / sizeof(functions[0]));

	while (ra_search_next(&at)) {
		ra_search_tell(&at, functions[at.middle].number < number);
	}
	return at.low < sizeof(functions) / sizeof(functions[0]) &&
	                       functions[at.low].number == number
	               ? &functions[at.low]
	               : NULL;
}
