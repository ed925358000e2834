/* SPDX-License-Identifier: MIT */
/* Small helpers of the analyzer: growing arrays. */
#include "analyzer/base/util.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "format/error.h"

/* Arrays from this size on ask for huge pages: a 4 KiB fault costs about as much as 100 events. */
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

	/* A wish only: without huge pages everything works the same. It is for all pages of the
	 * array, as realloc can move a mapping of one kind, and has to copy one of several. */
	(void) madvise((char *) bytes - ((uintptr_t) bytes - begin), end - begin, MADV_HUGEPAGE);
}

int ra_util_resize(void *array, size_t count, size_t element_bytes)
{
	void *old;
	void *bytes;

	memcpy(&old, array, sizeof(old));
	if (count > SIZE_MAX / 2 / element_bytes) {
		return -RLOG_E_NO_MEMORY;
	}
	bytes = realloc(old, count * element_bytes);
	if (bytes == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	if (count * element_bytes >= HUGE_BYTES) {
		advise_huge(bytes, count * element_bytes);
	}
	memcpy(array, &bytes, sizeof(bytes));
	return 0;
}

int ra_util_grow(void *array, size_t *capacity, size_t need, size_t element_bytes)
{
	size_t next;
	int rc;

	if (need <= *capacity) {
		return 0;
	}
	next = ra_util_next_capacity(*capacity, need);
	rc = ra_util_resize(array, next, element_bytes);
	if (rc == 0) {
		*capacity = next;
	}
	return rc;
}

char *ra_util_copy(const char *bytes, size_t length)
{
	char *copy = malloc(length + 1);

	if (copy != NULL) {
		if (length > 0) {
			memcpy(copy, bytes, length);
		}
		copy[length] = '\0';
	}
	return copy;
}
