/* SPDX-License-Identifier: MIT */
/* The buffers of the stand-in for libcupti.so: how records get into them, and back to its user. */
/* NVIDIA's names.
 * NOLINTBEGIN(readability-identifier-naming,cert-err34-c,bugprone-sizeof-expression) */
#define _GNU_SOURCE
#include "fake-buffers.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake-hostile.h"
#include "fake-strides.h"
#include "fake-subscribers.h"

/* Lanes of a subscriber: one for all threads, from 13.0 on one for each. */
#define LANES     64u
#define ALL_LANES ((size_t) FAKE_SUBSCRIBERS * LANES)
#define MAX_LATE  16u

struct lane {
	pthread_mutex_t lock;
	uint8_t *buffer;
	size_t bytes;
	size_t valid;
	uint64_t last_end; /* of its kernels */
	char *texts[4096]; /* the names in the buffer, which are freed with it */
	size_t text_count;
};

/* A buffer that is being given back. */
struct done {
	struct done *next;
	uint32_t subscriber;
	uint8_t *buffer;
	size_t bytes;
	size_t valid;
	char *texts[4096];
	size_t text_count;
};

static struct lane lanes[ALL_LANES];
static _Atomic uint32_t next_lane;
/*
 * 0: none yet. Aligned so that the library's data of a thread never begins 16 bytes into a page:
 * gcc's thread sanitizer takes what stands before such for a header of an older glibc, and clears
 * as much as that says.
 */
static __thread uint32_t my_lane __attribute__((aligned(64)));

__thread bool fake_in_callback;
rcap_cupti_time_fn *_Atomic fake_time_fn;
_Atomic bool fake_zeroed_out;

static pthread_mutex_t late_lock = PTHREAD_MUTEX_INITIALIZER;
static struct done *late[MAX_LATE];
static size_t late_count;

void fake_complain(const char *what)
{
	fprintf(stderr, "fake-cupti: %s\n", what);
}

int fake_env(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : 0;
}

/* Does not return if this function is to hang. */
void fake_may_hang(const char *what)
{
	static _Atomic int calls;
	const char *name = getenv("FAKE_CUPTI_HANG");

	if (name && strcmp(name, what) == 0 &&
	    atomic_fetch_add(&calls, 1) >= fake_env("FAKE_CUPTI_HANG_AFTER")) {
		const char *mark = getenv("FAKE_CUPTI_HUNG");

		if (mark) {
			close(open(mark, O_WRONLY | O_CREAT, 0600));
		}
		for (;;) {
			pause();
		}
	}
}

static void check_new(const uint8_t *buffer, size_t bytes)
{
	/* Read once, because sanitizers take long for each read of shared data. */
	const bool is_zeroed = fake_zeroed_out;

	if (!buffer || ((uintptr_t) buffer & 7) != 0) {
		fake_complain("a buffer that is NULL or not aligned");
		abort();
	}
	for (size_t i = 0; is_zeroed && i < bytes; i++) {
		if (buffer[i] != 0) {
			fake_complain("a buffer that is not zero");
			return;
		}
	}
}

static pthread_mutex_t callback_lock = PTHREAD_MUTEX_INITIALIZER;

void fake_buffers_lock(void)
{
	if (fake_env("FAKE_CUPTI_LOCK") == 1) {
		pthread_mutex_lock(&callback_lock);
	}
}

void fake_buffers_unlock(void)
{
	if (fake_env("FAKE_CUPTI_LOCK") == 1) {
		pthread_mutex_unlock(&callback_lock);
	}
}

static pthread_mutex_t calls_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void fake_calls_lock(void)
{
	if (fake_env("FAKE_CUPTI_LOCK") == 2) {
		pthread_mutex_lock(&calls_lock);
	}
}

void fake_calls_unlock(void)
{
	if (fake_env("FAKE_CUPTI_LOCK") == 2) {
		pthread_mutex_unlock(&calls_lock);
	}
}

int fake_buffers_step(uint8_t *buffer, size_t valid, void **record)
{
	uint8_t *at = buffer;
	uint32_t kind;

	if (*record) {
		memcpy(&kind, *record, sizeof(kind));
		at = (uint8_t *) *record + fake_strides_of(kind);
	}
	if (at + sizeof(kind) > buffer + valid) {
		return 12;
	}
	memcpy(&kind, at, sizeof(kind));
	if (fake_strides_of(kind) == 0) {
		return 21;
	}
	if (at + fake_strides_of(kind) > buffer + valid) {
		return 12;
	}
	*record = at;
	return 0;
}

static __thread uint32_t completing; /* the number of the subscriber */

static void complete_v2(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid)
{
	(void) context;
	(void) stream;
	fake_subscribers[completing].completed_v2(buffer, bytes, valid, NULL);
}

static void request(uint32_t number, uint8_t **buffer, size_t *bytes, size_t *max_records)
{
	struct fake_subscriber *subscriber = &fake_subscribers[number];

	if (number == 0) {
		subscriber->requested(buffer, bytes, max_records);
	} else {
		subscriber->requested_v2(buffer, bytes, max_records, NULL);
	}
}

/* Gives a buffer back. The texts in it become invalid. */
static void complete(struct done *done)
{
	fake_in_callback = true;
	fake_buffers_lock();
	completing = done->subscriber;
	fake_hostile_complete(done->subscriber == 0 ? fake_subscribers[0].completed : complete_v2,
	                      done->buffer, done->bytes, done->valid);
	fake_buffers_unlock();
	fake_in_callback = false;
	for (size_t i = 0; i < done->text_count; i++) {
		memset(done->texts[i], 0xEE, strlen(done->texts[i]));
		free(done->texts[i]);
	}
	free(done);
}

uint64_t fake_buffers_now(void)
{
	struct timespec t;

	if (fake_time_fn) {
		return fake_time_fn();
	}
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* A kernel of the buffer has not ended. */
static bool is_in_flight(const struct lane *lane)
{
	return lane->buffer && lane->valid > 0 && lane->last_end > fake_buffers_now() &&
	       fake_env("FAKE_CUPTI_IN_FLIGHT") != 0;
}

/* Clears the end times of kernels that have not ended yet. */
static void cut_ends(struct lane *lane)
{
	const uint64_t time = fake_buffers_now();
	void *record = NULL;

	while (fake_buffers_step(lane->buffer, lane->valid, &record) == 0) {
		struct rcap_cupti_kernel kernel;

		memcpy(&kernel, record, offsetof(struct rcap_cupti_kernel, completed));
		if (kernel.kind == RCAP_CUPTI_CONCURRENT_KERNEL && kernel.end > time) {
			kernel.start = kernel.start > time ? 0 : kernel.start;
			kernel.end = 0;
			memcpy(record, &kernel, offsetof(struct rcap_cupti_kernel, completed));
		}
	}
}

static uint32_t subscriber_of(const struct lane *lane)
{
	return (uint32_t) ((size_t) (lane - lanes) / LANES);
}

static struct done *take_buffer(struct lane *lane)
{
	struct done *done;

	if (!lane->buffer) {
		return NULL;
	}
	lane->last_end = 0;
	done = malloc(sizeof(*done));
	done->subscriber = subscriber_of(lane);
	done->buffer = lane->buffer;
	done->bytes = lane->bytes;
	done->valid = lane->valid;
	done->text_count = lane->text_count;
	memcpy(done->texts, lane->texts, lane->text_count * sizeof(lane->texts[0]));
	lane->buffer = NULL;
	lane->text_count = 0;
	return done;
}

/* Gives the waiting buffers back, the last one first. */
static void complete_late(void)
{
	struct done *mine[MAX_LATE];
	size_t count;

	pthread_mutex_lock(&late_lock);
	count = late_count;
	memcpy(mine, late, count * sizeof(mine[0]));
	late_count = 0;
	pthread_mutex_unlock(&late_lock);
	while (count > 0) {
		complete(mine[--count]);
	}
}

/* ---- A thread that gives buffers back ---- */

static pthread_mutex_t delivery_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t delivery_changed = PTHREAD_COND_INITIALIZER;
static struct done *delivery_first;
static struct done **delivery_last = &delivery_first;
static size_t delivery_open; /* not given back yet */

static void *deliver_main(void *argument)
{
	(void) argument;
	pthread_mutex_lock(&delivery_lock);
	for (;;) {
		struct done *done = delivery_first;

		if (!done) {
			pthread_cond_wait(&delivery_changed, &delivery_lock);
			continue;
		}
		delivery_first = done->next;
		if (!delivery_first) {
			delivery_last = &delivery_first;
		}
		pthread_mutex_unlock(&delivery_lock);
		complete(done);
		pthread_mutex_lock(&delivery_lock);
		delivery_open--;
		pthread_cond_broadcast(&delivery_changed);
	}
	return NULL;
}

static void start_delivery(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, deliver_main, NULL);
	pthread_detach(thread);
}

/* Return: false if there is no such thread. */
static bool deliver(struct done *done)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (fake_env("FAKE_CUPTI_DELIVERY") == 0) {
		return false;
	}
	pthread_once(&once, start_delivery);
	done->next = NULL;
	pthread_mutex_lock(&delivery_lock);
	*delivery_last = done;
	delivery_last = &done->next;
	delivery_open++;
	pthread_cond_broadcast(&delivery_changed);
	pthread_mutex_unlock(&delivery_lock);
	return true;
}

static void await_delivery(void)
{
	pthread_mutex_lock(&delivery_lock);
	while (delivery_open > 0) {
		pthread_cond_wait(&delivery_changed, &delivery_lock);
	}
	pthread_mutex_unlock(&delivery_lock);
}

static void hand_back(struct done *done)
{
	bool is_full;

	if (deliver(done)) {
		return;
	}
	if (fake_env("FAKE_CUPTI_LATE") == 0) {
		complete(done);
		return;
	}
	for (;;) {
		pthread_mutex_lock(&late_lock);
		is_full = late_count == MAX_LATE;
		if (!is_full) {
			late[late_count++] = done;
		}
		pthread_mutex_unlock(&late_lock);
		if (!is_full) {
			return;
		}
		complete_late();
	}
}

static struct lane *find_lane(uint32_t subscriber)
{
	if (FAKE_VERSION < 130000) {
		return &lanes[subscriber * LANES];
	}
	if (my_lane == 0) {
		my_lane = 1 + atomic_fetch_add(&next_lane, 1);
	}
	return &lanes[subscriber * LANES + my_lane % LANES];
}

void fake_buffers_add(uint32_t subscriber, const void *record, size_t bytes, size_t name_at)
{
	struct lane *lane = find_lane(subscriber);
	uint32_t kind;
	size_t stride;
	struct done *done = NULL;
	bool is_full;

	memcpy(&kind, record, sizeof(kind));
	stride = fake_strides_of(kind);
	pthread_mutex_lock(&lane->lock);
	is_full = lane->buffer && (lane->valid + stride > lane->bytes || lane->text_count == 4096);
	if (is_full) {
		done = take_buffer(lane);
	}
	if (!lane->buffer) {
		size_t max_records = 1;

		fake_in_callback = true;
		fake_buffers_lock();
		request(subscriber, &lane->buffer, &lane->bytes, &max_records);
		fake_buffers_unlock();
		fake_in_callback = false;
		check_new(lane->buffer, lane->bytes);
		lane->valid = 0;
	}
	memcpy(lane->buffer + lane->valid, record, bytes < stride ? bytes : stride);
	if (name_at != 0) {
		char *text;

		memcpy(&text, (const char *) record + name_at, sizeof(text));
		text = strdup(text);
		lane->texts[lane->text_count++] = text;
		memcpy(lane->buffer + lane->valid + name_at, &text, sizeof(text));
	}
	lane->valid += stride;
	if (kind == RCAP_CUPTI_CONCURRENT_KERNEL) {
		uint64_t end;

		memcpy(&end, (const char *) record + offsetof(struct rcap_cupti_kernel, end),
		       sizeof(end));
		lane->last_end = end > lane->last_end ? end : lane->last_end;
	}
	pthread_mutex_unlock(&lane->lock);
	if (done) {
		hand_back(done);
	}
}

void fake_buffers_flush(bool forced)
{
	for (size_t i = 0; i < ALL_LANES; i++) {
		struct lane *lane = &lanes[i];
		struct done *done;

		pthread_mutex_lock(&lane->lock);
		if (forced && is_in_flight(lane)) {
			cut_ends(lane);
		}
		done = !forced && is_in_flight(lane) ? NULL : take_buffer(lane);
		pthread_mutex_unlock(&lane->lock);
		if (done && !deliver(done)) {
			complete(done);
		}
	}
	complete_late();
	await_delivery();
}

bool fake_buffers_have_records(uint32_t subscriber)
{
	bool have_records = false;

	for (size_t i = 0; i < LANES; i++) {
		struct lane *lane = &lanes[subscriber * LANES + i];

		pthread_mutex_lock(&lane->lock);
		have_records |= lane->buffer && lane->valid > 0;
		pthread_mutex_unlock(&lane->lock);
	}
	return have_records;
}

void fake_buffers_clear(void)
{
	for (size_t i = 0; i < ALL_LANES; i++) {
		pthread_mutex_lock(&lanes[i].lock);
		lanes[i].valid = 0;
		pthread_mutex_unlock(&lanes[i].lock);
	}
}

__attribute__((constructor)) static void load(void)
{
	for (size_t i = 0; i < ALL_LANES; i++) {
		pthread_mutex_init(&lanes[i].lock, NULL);
	}
}
/* NOLINTEND(readability-identifier-naming,cert-err34-c,bugprone-sizeof-expression) */
