/* SPDX-License-Identifier: MIT */
/* What the functions of the stand-in for libcupti.so have in common, of the old way and the new. */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include "fake-subscribers.h"

/* What every call checks; it may be the one that does not return. */
void fake_cupti_enter(const char *what);
/* The same of what waits until no other thread is with a subscriber. */
void fake_cupti_enter_alone(const char *what);

/* Return: CUPTI's code: whether there is a driver that it can trace. */
int fake_cupti_connect(void);
int fake_cupti_enable(struct fake_subscriber *subscriber, uint32_t kind);
int fake_cupti_enable_and_dump(struct fake_subscriber *subscriber, uint32_t kind);
int fake_cupti_take_dropped(struct fake_subscriber *subscriber, size_t *count);

#endif
