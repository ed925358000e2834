/* SPDX-License-Identifier: MIT */
/* Shared by the functions of the stand-in for libcupti.so, of the old way and the new. */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include "fake-subscribers.h"

/* The check in every call. It does not return in the call that is to hang. */
void fake_cupti_enter(const char *what);
/* The same for calls that wait until no other thread is in a subscriber. */
void fake_cupti_enter_alone(const char *what);

/* Return: CUPTI's code: whether there is a driver that it can trace. */
int fake_cupti_connect(void);
int fake_cupti_enable(struct fake_subscriber *subscriber, uint32_t kind);
int fake_cupti_enable_and_dump(struct fake_subscriber *subscriber, uint32_t kind);
int fake_cupti_take_dropped(struct fake_subscriber *subscriber, size_t *count);

#endif
