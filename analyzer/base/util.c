/* SPDX-License-Identifier: MIT */
/* Small helpers of the analyzer: growing arrays. */
#include "analyzer/base/util.h"

#include <string.h>
#include <sys/mman.h>

#include "analyzer/base/alloc.h"

/* Arrays of at least this many bytes ask for huge pages, because a fault of a 4 KiB page costs
 * about as much as 100 events. */
#define HUGE_BYTES ((size_t) 4 << 20)

size_t ra_util_next_capacity(size_t capacity, size_t need)
{
	size_t next = capacity + capacity / 2;

	if (next < 64) {
		next = 64;
	}
	return next < need ? need : next;
}

static void advise_huge(void *bytes, size_t size)
{
	const uintptr_t page = 4096;
	const uintptr_t begin = (uintptr_t) bytes & ~(page - 1);
	const uintptr_t end = ((uintptr_t) bytes + size + page - 1) & ~(page - 1);

	/* This is only advice: without huge pages everything works the same. It is given for all
	 * pages of the array, because realloc can move a mapping of one kind of pages but has to
	 * copy a mapping of several kinds. */
	(void) madvise((char *) bytes - ((uintptr_t) bytes - begin), end - begin, MADV_HUGEPAGE);
}

void ra_util_resize(void *array, size_t count, size_t element_bytes)
{
	void *old;
	void *bytes;

	memcpy(&old, array, sizeof(old));
	bytes = ra_alloc_resize(old, count, element_bytes);
	if (count * element_bytes >= HUGE_BYTES) {
		advise_huge(bytes, count * element_bytes);
	}
	memcpy(array, &bytes, sizeof(bytes));
}

void ra_util_grow(void *array, size_t *capacity, size_t need, size_t element_bytes)
{
	if (need > *capacity) {
		*capacity = ra_util_next_capacity(*capacity, need);
		ra_util_resize(array, *capacity, element_bytes);
	}
}

char *ra_util_copy(const char *bytes, size_t length)
{
	char *copy = ra_alloc_bytes(length + 1);

	if (length > 0) {
		memcpy(copy, bytes, length);
	}
	copy[length] = '\0';
	return copy;
}
