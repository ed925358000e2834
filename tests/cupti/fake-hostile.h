/* SPDX-License-Identifier: MIT */
/* Violations of CUPTI's rules. */
#ifndef FAKE_HOSTILE_H
#define FAKE_HOSTILE_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* Gives a buffer back, as FAKE_CUPTI_HOSTILE says. */
void fake_hostile_complete(rcap_cupti_completed_fn *completed, uint8_t *buffer, size_t bytes,
                           size_t valid);

/* Spoils the record of the kernel with that number, which counts from 1. */
void fake_hostile_kernel(void *record, uint64_t number);

#endif
