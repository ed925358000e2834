/* SPDX-License-Identifier: MIT */
/* Deferred events and batches of counters: calls that bring their own times. */
#ifndef RA_DEFERRED_H
#define RA_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/builder.h"
#include "analyzer/clock.h"
#include "analyzer/spans.h"

/* True for functions whose data ra_deferred_expand() can use. */
bool ra_deferred_is_wanted(uint64_t function);

#endif
