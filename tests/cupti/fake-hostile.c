/* SPDX-License-Identifier: MIT */
/*
 * Violations of CUPTI's rules, by faults of its own, or because another tool in the process uses
 * it, too. FAKE_CUPTI_HOSTILE=HOW:
 *
 *   foreign    before each buffer comes one that nobody was asked for, alone in its page
 *   twice      each buffer comes twice
 *   long       each is said to be larger than it is, and is full of records to its end
 *   short      the last record of each is not whole
 *   kind=N     each ends in a record of kind N, of 48 bytes
 *   infix=N    each begins with such a record
 *   wild       the name of each third kernel of it is no text, its address is not even mapped
 *   clock      each third kernel has times of another clock
 *   far        each third kernel never ends
 *   same       all have the correlation id of the first
 *   exit       the program ends in a launch, while CUPTI has its lock (FAKE_CUPTI_LOCK)
 */
/* Numbers of tests.
 * NOLINTBEGIN(readability-identifier-naming,cert-err34-c,performance-no-int-to-ptr) */
#define _GNU_SOURCE
#include "fake-hostile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake-buffers.h"
#include "fake-strides.h"

#define STRANGE_BYTES 48u

static bool is_how(const char *how)
{
	const char *said = getenv("FAKE_CUPTI_HOSTILE");

	return said && strcmp(said, how) == 0;
}

/* The N of "how=N"; 0: it is something else. */
static uint32_t number_of(const char *how)
{
	const char *said = getenv("FAKE_CUPTI_HOSTILE");
	const size_t length = strlen(how);

	return said && strncmp(said, how, length) == 0 && said[length] == '='
	               ? (uint32_t) strtoul(said + length + 1, NULL, 10)
	               : 0;
}

/* Another tool's buffer: nothing before it can be read. */
static void complete_foreign(rcap_cupti_completed_fn *completed)
{
	uint8_t *pages = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct rcap_cupti_api call = { .kind = RCAP_CUPTI_RUNTIME, .cbid = 1, .end = 1 };

	mprotect(pages + 4096, 4096, PROT_READ | PROT_WRITE);
	memcpy(pages + 4096, &call, sizeof(call));
	completed(NULL, 0, pages + 4096, 4096, sizeof(call));
	munmap(pages, 8192);
}

/* Calls of the runtime from the end of what is valid on. */
static void fill(uint8_t *buffer, size_t bytes, size_t valid)
{
	const uint64_t call = RCAP_CUPTI_RUNTIME;

	for (size_t at = valid; at + sizeof(call) <= bytes; at += sizeof(call)) {
		memcpy(buffer + at, &call, sizeof(call));
	}
}

/* Names at unmapped addresses. */
static void spoil_names(uint8_t *buffer, size_t valid)
{
	const char *const nowhere = (const char *) 0x100001;
	unsigned kernels = 0;
	uint32_t kind;

	for (size_t at = 0; at < valid; at += fake_strides_of(kind)) {
		memcpy(&kind, buffer + at, sizeof(kind));
		if (kind == RCAP_CUPTI_CONCURRENT_KERNEL && kernels++ % 3 == 0) {
			memcpy(buffer + at + offsetof(struct rcap_cupti_kernel, name), &nowhere,
			       sizeof(nowhere));
		}
	}
}

static size_t add_strange(uint8_t *buffer, size_t bytes, size_t valid)
{
	const uint32_t last = number_of("kind");
	const uint32_t first = number_of("infix");
	const uint32_t kind = last != 0 ? last : first;
	size_t at = last != 0 ? valid : 0;

	if (kind == 0 || bytes - valid < STRANGE_BYTES) {
		return valid;
	}
	memmove(buffer + at + STRANGE_BYTES, buffer + at, valid - at);
	memset(buffer + at, 0xFF, STRANGE_BYTES);
	memcpy(buffer + at, &kind, sizeof(kind));
	return valid + STRANGE_BYTES;
}

void fake_hostile_complete(rcap_cupti_completed_fn *completed, uint8_t *buffer, size_t bytes,
                           size_t valid)
{
	if (is_how("foreign")) {
		complete_foreign(completed);
	} else if (is_how("long")) {
		fill(buffer, bytes, valid);
		valid = bytes + 1048576;
	} else if (is_how("short")) {
		valid -= valid > 4 ? 4 : 0;
	} else if (is_how("wild")) {
		spoil_names(buffer, valid);
	} else if (valid > 0) {
		valid = add_strange(buffer, bytes, valid);
	}
	completed(NULL, 0, buffer, bytes, valid);
	if (is_how("twice")) {
		completed(NULL, 0, buffer, bytes, valid);
	}
}

void fake_hostile_kernel(void *record, uint64_t number)
{
	const bool is_third = number % 3 == 0;
	struct rcap_cupti_kernel kernel;
	/* Not all versions have the rest. */
	const size_t bytes = offsetof(struct rcap_cupti_kernel, name);

	if (is_how("exit") && number == 250) {
		fake_buffers_lock();
		exit(5);
	}
	memcpy(&kernel, record, bytes);
	if (is_how("clock") && is_third) {
		kernel.start = UINT64_C(1) << 63;
		kernel.end = kernel.start + 1000;
	} else if (is_how("far") && is_third) {
		kernel.end = UINT64_MAX;
	} else if (is_how("same")) {
		static uint32_t first;

		first = first != 0 ? first : kernel.correlation;
		kernel.correlation = first;
	}
	memcpy(record, &kernel, bytes);
}
/* NOLINTEND(readability-identifier-naming,cert-err34-c,performance-no-int-to-ptr) */
