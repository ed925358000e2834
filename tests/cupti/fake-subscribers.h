/* SPDX-License-Identifier: MIT */
/* The users of the stand-in for libcupti.so: one in the old way, or several in the new one (_v2).
 */
#ifndef FAKE_SUBSCRIBERS_H
#define FAKE_SUBSCRIBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

#define FAKE_SUBSCRIBERS 3u
#define FAKE_CBIDS       1024u

/* The settings of one subscriber. The first of the table is the only one of the old way. */
struct fake_subscriber {
	rcap_cupti_callback_fn *callback;
	void *user;
	char name[65];
	_Atomic bool is_there;
	_Atomic uint64_t enabled;
	_Atomic bool wants_init;
	_Atomic bool driver_on[FAKE_CBIDS];   /* calls of the driver that are wanted one by one */
	_Atomic bool runtime_off[FAKE_CBIDS]; /* calls of the runtime that are not */
	_Atomic bool watched[4][FAKE_CBIDS];
	_Atomic size_t dropped;
	rcap_cupti_requested_fn *_Atomic requested;
	rcap_cupti_completed_fn *_Atomic completed;
	rcap_cupti_requested_v2_fn *_Atomic requested_v2;
	rcap_cupti_completed_v2_fn *_Atomic completed_v2;
};

extern struct fake_subscriber fake_subscribers[FAKE_SUBSCRIBERS];
extern _Atomic bool fake_subscribers_is_mixed; /* somebody has mixed the two ways */

/* True while somebody uses the new way. */
bool fake_subscribers_are_shared(void);

/* Return: its number; FAKE_SUBSCRIBERS: it is none. */
uint32_t fake_subscribers_find(const void *subscriber);

/* True if a subscriber wants records of that kind. */
bool fake_subscribers_want(uint32_t kind);

/* True if that subscriber wants this record. */
bool fake_subscribers_wants(const struct fake_subscriber *subscriber, const void *record);

/* Switches a kind on or off. */
void fake_subscribers_enable(struct fake_subscriber *subscriber, uint32_t kind);
void fake_subscribers_disable(struct fake_subscriber *subscriber, uint32_t kind);

/* Subscribes, in the old way or the new one. Return: CUPTI's code. */
int fake_subscribers_add(bool is_shared, rcap_cupti_callback_fn *callback, void *user,
                         const char *name, void **out);

/* Unsubscribes, and forgets its settings. Return: CUPTI's code. */
int fake_subscribers_remove(const void *subscriber);

/* Checks a call of the old way, which is forbidden while somebody uses the new one. Return: CUPTI's
 * code. */
int fake_subscribers_refuse_old(const char *what);

#endif
