/* SPDX-License-Identifier: MIT */
/* The buffers of the stand-in for libcupti.so: how records get into them, and back to its user. */
#ifndef FAKE_BUFFERS_H
#define FAKE_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* The settings of its user. */
extern rcap_cupti_time_fn *_Atomic fake_time_fn;
extern _Atomic bool fake_zeroed_out;

extern __thread bool fake_in_callback; /* this thread is in one of the two */

/* A line about a broken rule. */
void fake_complain(const char *what);
/* The number in a variable of the environment; 0: it is not set. */
int fake_env(const char *name);
/* Does not return if this function is to hang. */
void fake_may_hang(const char *what);

/* A lock that CUPTI holds during its callbacks, with FAKE_CUPTI_LOCK=1. */
void fake_buffers_lock(void);
void fake_buffers_unlock(void);
/* One that it holds while it calls its subscriber, with FAKE_CUPTI_LOCK=2. */
void fake_calls_lock(void);
void fake_calls_unlock(void);

uint64_t fake_buffers_now(void);
/* For the subscriber of that number. See struct fake_tracer. */
void fake_buffers_add(uint32_t subscriber, const void *record, size_t bytes, size_t name_at);
/* cuptiActivityGetNextRecord(). */
int fake_buffers_step(uint8_t *buffer, size_t valid, void **record);
/* Gives back all buffers, or all except those with unfinished records. */
void fake_buffers_flush(bool forced);
bool fake_buffers_have_records(uint32_t subscriber);
/* Forgets all records. */
void fake_buffers_clear(void);

#endif
