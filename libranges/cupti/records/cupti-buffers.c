/* SPDX-License-Identifier: MIT */
/* The buffers that CUPTI fills with records. */
#include "libranges/cupti/records/cupti-buffers.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "libranges/base/memory.h"

#define PAGE_BYTES      RCAP_CUPTI_BUFFERS_HEADER
#define MAX_BYTES       ((size_t) 1024 * 1024)
#define MIN_BYTES       ((size_t) 16 * 1024)
#define READY           4u /* number of buffers kept ready for CUPTI */
#define EMERGENCIES     32u
#define EMERGENCY_BYTES ((size_t) 64 * 1024)
#define NS_PER_S        UINT64_C(1000000000)

/*
 * The pool. The lock is held for some instructions only, and never while CUPTI is called. In a fork
 * child nobody takes it: rcap_cupti_flow_is_here() is false there, and callers stop.
 */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t queued;
	struct rcap_cupti_buffer *free;
	struct rcap_cupti_buffer *first; /* first buffer of the queue */
	struct rcap_cupti_buffer *last;
	struct rcap_cupti_buffer *made; /* all buffers, as a list by their member `made` */
	size_t bytes;                   /* size of a buffer */
	size_t limit;                   /* at most this many buffers are made */
	size_t count;                   /* number of buffers made so far */
	uint32_t free_count;
	bool is_woken;                /* the present or next rcap_cupti_buffers_wait() ends */
	_Atomic uint32_t emergencies; /* a bit for each emergency buffer in use */
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
	_Alignas(PAGE_BYTES) uint8_t header[PAGE_BYTES];
	uint8_t bytes[EMERGENCY_BYTES];
} emergencies[EMERGENCIES];

void rcap_cupti_buffers_init_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

static void set_up(struct rcap_cupti_buffer *buffer, size_t bytes, bool is_emergency)
{
	buffer->self = buffer;
	buffer->bytes = bytes;
	buffer->is_emergency = is_emergency;
}

void rcap_cupti_buffers_init(uint64_t limit_bytes)
{
	rcap_cupti_buffers_init_condition(&pool.queued);
	pool.bytes = MAX_BYTES;
	/* Makes buffers smaller until the limit allows at least 32 of them. CUPTI keeps two for
	 * each thread, and some must be free while others are being returned. */
	while (pool.bytes > MIN_BYTES && limit_bytes / pool.bytes < 32) {
		pool.bytes /= 2;
	}
	pool.limit = limit_bytes / pool.bytes;
	for (size_t i = 0; i < EMERGENCIES; i++) {
		struct rcap_cupti_buffer *buffer = (void *) emergencies[i].header;

		set_up(buffer, EMERGENCY_BYTES, true);
	}
}

size_t rcap_cupti_buffers_size(void)
{
	return pool.bytes;
}

struct rcap_cupti_buffer *rcap_cupti_buffers_find(uint8_t *bytes)
{
	return (struct rcap_cupti_buffer *) (void *) (bytes - PAGE_BYTES);
}

struct rcap_cupti_buffer *rcap_cupti_buffers_take_back(uint8_t *bytes)
{
	struct rcap_cupti_buffer *buffer = rcap_cupti_buffers_find(bytes);

	/* Relaxed: only one thread at a time owns a buffer. */
	return ((uintptr_t) bytes % 64) == 0 && rcap_memory_is_readable(buffer, sizeof(*buffer)) &&
	                       buffer->self == buffer &&
	                       atomic_exchange_explicit(&buffer->is_out, false,
	                                                memory_order_relaxed)
	               ? buffer
	               : NULL;
}

/* Maps a new buffer; its memory is zero. The caller has counted the buffer. */
static struct rcap_cupti_buffer *map_buffer(void)
{
	struct rcap_cupti_buffer *buffer =
		mmap(NULL, PAGE_BYTES + pool.bytes, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (buffer == MAP_FAILED) {
		return NULL;
	}
	set_up(buffer, pool.bytes, false);
	pthread_mutex_lock(&pool.lock);
	buffer->made = pool.made;
	pool.made = buffer;
	pthread_mutex_unlock(&pool.lock);
	return buffer;
}

/* Maps an additional emergency buffer, so that no two threads write to the same one. */
static struct rcap_cupti_buffer *map_emergency(void)
{
	const int saved = errno;
	struct rcap_cupti_buffer *buffer =
		mmap(NULL, PAGE_BYTES + EMERGENCY_BYTES, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	errno = saved;
	if (buffer == MAP_FAILED) {
		return NULL;
	}
	set_up(buffer, EMERGENCY_BYTES, true);
	return buffer;
}

static bool is_static(const struct rcap_cupti_buffer *buffer)
{
	const uintptr_t at = (uintptr_t) buffer;

	return at >= (uintptr_t) emergencies && at < (uintptr_t) (emergencies + EMERGENCIES);
}

static struct rcap_cupti_buffer *find_emergency(void)
{
	uint32_t used = atomic_load_explicit(&pool.emergencies, memory_order_relaxed);
	uint32_t number;

	do {
		struct rcap_cupti_buffer *mapped = used == UINT32_MAX ? map_emergency() : NULL;

		if (mapped) {
			return mapped;
		}
		/* If there is no memory, several threads share the last buffer. Then the count of
		 * its lost records is not exact; they are used for nothing else. */
		number = used == UINT32_MAX ? EMERGENCIES - 1 : (uint32_t) __builtin_ctz(~used);
		/* Acquire pairs with the release when the buffer was freed, so that its zeros are
		 * visible. */
	} while (!atomic_compare_exchange_weak_explicit(
		&pool.emergencies, &used, used | UINT32_C(1) << number, memory_order_acquire,
		memory_order_relaxed));
	return (void *) emergencies[number].header;
}

uint8_t *rcap_cupti_buffers_take_emergency(void)
{
	struct rcap_cupti_buffer *buffer = find_emergency();

	atomic_store_explicit(&buffer->is_out, true, memory_order_relaxed);
	return rcap_cupti_buffers_bytes(buffer);
}

uint8_t *rcap_cupti_buffers_take(void)
{
	const int saved = errno;
	struct rcap_cupti_buffer *buffer;
	bool may_make = false;

	pthread_mutex_lock(&pool.lock);
	buffer = pool.free;
	if (buffer) {
		pool.free = buffer->next;
		pool.free_count--;
	} else if (pool.count < pool.limit) {
		pool.count++;
		may_make = true;
	}
	pthread_mutex_unlock(&pool.lock);
	if (may_make) {
		buffer = map_buffer();
	}
	if (may_make && !buffer) {
		pthread_mutex_lock(&pool.lock);
		pool.count--;
		pthread_mutex_unlock(&pool.lock);
	}
	errno = saved;
	if (!buffer) {
		return rcap_cupti_buffers_take_emergency();
	}
	/* Relaxed: rcap_cupti_buffers_are_kept() reads is_out only after a flush of CUPTI. */
	atomic_store_explicit(&buffer->is_out, true, memory_order_relaxed);
	return rcap_cupti_buffers_bytes(buffer);
}

/* True if a buffer has records. CUPTI may be writing to the buffer, so a record that begins just
 * now may be seen or not. */
__attribute__((no_sanitize("thread"))) static bool has_records(struct rcap_cupti_buffer *buffer)
{
	/* The first byte is the low byte of the first record's kind; 0: there is no record yet. */
	return *(volatile uint8_t *) rcap_cupti_buffers_bytes(buffer) != 0;
}

bool rcap_cupti_buffers_are_kept(void)
{
	bool are_kept = false;

	pthread_mutex_lock(&pool.lock);
	for (struct rcap_cupti_buffer *buffer = pool.made; buffer && !are_kept;
	     buffer = buffer->made) {
		are_kept = atomic_load_explicit(&buffer->is_out, memory_order_relaxed) &&
		           has_records(buffer);
	}
	pthread_mutex_unlock(&pool.lock);
	return are_kept;
}

void rcap_cupti_buffers_put(struct rcap_cupti_buffer *buffer, size_t valid_bytes)
{
	buffer->valid_bytes = valid_bytes;
	buffer->next = NULL;
	pthread_mutex_lock(&pool.lock);
	if (pool.last) {
		pool.last->next = buffer;
	} else {
		pool.first = buffer;
	}
	pool.last = buffer;
	pthread_cond_signal(&pool.queued);
	pthread_mutex_unlock(&pool.lock);
}

struct rcap_cupti_buffer *rcap_cupti_buffers_next(void)
{
	struct rcap_cupti_buffer *buffer;

	pthread_mutex_lock(&pool.lock);
	buffer = pool.first;
	if (buffer) {
		pool.first = buffer->next;
		if (!pool.first) {
			pool.last = NULL;
		}
	}
	pthread_mutex_unlock(&pool.lock);
	return buffer;
}

void rcap_cupti_buffers_wait(uint64_t until_ns)
{
	const struct timespec until = { .tv_sec = (time_t) (until_ns / NS_PER_S),
		                        .tv_nsec = (long) (until_ns % NS_PER_S) };

	pthread_mutex_lock(&pool.lock);
	while (!pool.first && !pool.is_woken &&
	       pthread_cond_timedwait(&pool.queued, &pool.lock, &until) == 0) {
	}
	pool.is_woken = false;
	pthread_mutex_unlock(&pool.lock);
}

void rcap_cupti_buffers_wake(void)
{
	pthread_mutex_lock(&pool.lock);
	pool.is_woken = true;
	pthread_cond_signal(&pool.queued);
	pthread_mutex_unlock(&pool.lock);
}

void rcap_cupti_buffers_give(struct rcap_cupti_buffer *buffer)
{
	if (buffer->is_emergency && !is_static(buffer)) {
		munmap(buffer, PAGE_BYTES + EMERGENCY_BYTES);
		return;
	}
	/* Zeroes the whole buffer, because CUPTI may have written beyond the valid bytes. */
	memset(rcap_cupti_buffers_bytes(buffer), 0, buffer->bytes);
	if (buffer->is_emergency) {
		const size_t number = (size_t) ((uint8_t *) buffer - emergencies[0].header) /
		                      sizeof(emergencies[0]);

		atomic_fetch_and_explicit(&pool.emergencies, ~(UINT32_C(1) << number),
		                          memory_order_release);
		return;
	}
	pthread_mutex_lock(&pool.lock);
	buffer->next = pool.free;
	pool.free = buffer;
	pool.free_count++;
	pthread_mutex_unlock(&pool.lock);
}

void rcap_cupti_buffers_look_ahead(void)
{
	for (;;) {
		struct rcap_cupti_buffer *buffer;
		bool is_wanted;

		pthread_mutex_lock(&pool.lock);
		is_wanted = pool.free_count < READY && pool.count < pool.limit;
		pool.count += is_wanted;
		pthread_mutex_unlock(&pool.lock);
		if (!is_wanted) {
			return;
		}
		buffer = map_buffer();
		if (!buffer) {
			pthread_mutex_lock(&pool.lock);
			pool.count--;
			pthread_mutex_unlock(&pool.lock);
			return;
		}
		rcap_cupti_buffers_give(buffer); /* touches the buffer's pages */
	}
}
