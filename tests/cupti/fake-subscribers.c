/* SPDX-License-Identifier: MIT */
/* The users of the stand-in for libcupti.so: one in the old way, or several in the new one (_v2).
 */
#define _GNU_SOURCE
#include "fake-subscribers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake-buffers.h"

struct fake_subscriber fake_subscribers[FAKE_SUBSCRIBERS];
_Atomic bool fake_subscribers_is_mixed;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool fake_subscribers_are_shared(void)
{
	bool is_shared = false;

	for (uint32_t i = 1; i < FAKE_SUBSCRIBERS; i++) {
		is_shared |= fake_subscribers[i].is_there;
	}
	return is_shared;
}

uint32_t fake_subscribers_find(const void *subscriber)
{
	uint32_t i = 0;

	while (i < FAKE_SUBSCRIBERS &&
	       (subscriber != &fake_subscribers[i] || !fake_subscribers[i].is_there)) {
		i++;
	}
	return i;
}

bool fake_subscribers_want(uint32_t kind)
{
	uint64_t enabled = 0;

	for (uint32_t i = 0; i < FAKE_SUBSCRIBERS; i++) {
		enabled |= fake_subscribers[i].enabled;
	}
	return (enabled >> kind & 1) != 0;
}

bool fake_subscribers_wants(const struct fake_subscriber *subscriber, const void *record)
{
	uint32_t kind;
	uint32_t cbid;

	memcpy(&kind, record, sizeof(kind));
	memcpy(&cbid, (const char *) record + 4, sizeof(cbid));
	if (kind == RCAP_CUPTI_DRIVER) {
		return subscriber->driver_on[cbid];
	}
	return (subscriber->enabled >> kind & 1) != 0 &&
	       !(kind == RCAP_CUPTI_RUNTIME && subscriber->runtime_off[cbid]);
}

void fake_subscribers_enable(struct fake_subscriber *subscriber, uint32_t kind)
{
	for (uint32_t i = 0; i < FAKE_CBIDS; i++) {
		if (kind == RCAP_CUPTI_DRIVER) {
			subscriber->driver_on[i] = true;
		} else if (kind == RCAP_CUPTI_RUNTIME) {
			subscriber->runtime_off[i] = false;
		}
	}
	subscriber->enabled |= UINT64_C(1) << kind;
}

void fake_subscribers_disable(struct fake_subscriber *subscriber, uint32_t kind)
{
	for (uint32_t i = 0; kind == RCAP_CUPTI_DRIVER && i < FAKE_CBIDS; i++) {
		subscriber->driver_on[i] = false;
	}
	subscriber->enabled &= ~(UINT64_C(1) << kind);
}

static uint32_t find_place(bool is_shared)
{
	uint32_t i = is_shared ? 1 : 0;

	while (i < FAKE_SUBSCRIBERS && fake_subscribers[i].is_there) {
		i++;
	}
	return i;
}

int fake_subscribers_add(bool is_shared, rcap_cupti_callback_fn *callback, void *user,
                         const char *name, void **out)
{
	struct fake_subscriber *subscriber;
	uint32_t place;

	pthread_mutex_lock(&lock);
	place = find_place(is_shared);
	if (place == FAKE_SUBSCRIBERS || fake_subscribers[0].is_there ||
	    (!is_shared && fake_subscribers_are_shared())) {
		pthread_mutex_unlock(&lock);
		return RCAP_CUPTI_MULTIPLE_SUBSCRIBERS;
	}
	subscriber = &fake_subscribers[place];
	subscriber->callback = callback;
	subscriber->user = user;
	snprintf(subscriber->name, sizeof(subscriber->name), "CUPTI for %s",
	         name ? name : "<not provided>");
	subscriber->is_there = true;
	*out = subscriber;
	pthread_mutex_unlock(&lock);
	return 0;
}

int fake_subscribers_remove(const void *subscriber)
{
	const uint32_t place = fake_subscribers_find(subscriber);

	if (place == FAKE_SUBSCRIBERS) {
		return 1;
	}
	fake_subscribers[place].is_there = false;
	/* The settings of a subscriber of the old way stay, as in real versions; buffers may still
	 * be on their way. */
	for (uint32_t kind = 0; place > 0 && kind < RCAP_CUPTI_KINDS; kind++) {
		fake_subscribers_disable(&fake_subscribers[place], kind);
	}
	return 0;
}

int fake_subscribers_refuse_old(const char *what)
{
	char line[100];

	if (!fake_subscribers_are_shared()) {
		return 0;
	}
	fake_subscribers_is_mixed = true;
	/* Another profiler may break rules that we must keep. */
	if (!getenv("FAKE_CUPTI_MIXED")) {
		snprintf(line, sizeof(line), "%s in the old way, while CUPTI is shared", what);
		fake_complain(line);
	}
	return RCAP_CUPTI_NOT_COMPATIBLE;
}
