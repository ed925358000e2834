/* SPDX-License-Identifier: MIT */
/* Reads memory by process_vm_readv() on our own process. If the kernel refuses that, checks each
 * page by memory.h before a plain read. */
#include "libranges/base/peek.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libranges/base/memory.h"

/* The smallest page size. A piece that ends at a multiple of it is inside one page. */
#define PAGE_BYTES 4096u
#define PIECES     17
/* Reads so many bytes first. Most texts are shorter, so the rest of their page need not be
 * copied. */
#define FIRST_LOOK_BYTES 256u

/* True once the kernel or a system-call filter has refused the call. Relaxed: a thread that sees it
 * late tries once more. */
static _Atomic bool is_refused;

static size_t to_page_end(uintptr_t address)
{
	return PAGE_BYTES - address % PAGE_BYTES;
}

/*
 * Copies at most PIECES pages by one call. Each page is a piece of its own, because the kernel ends
 * a transfer early only between pieces. Return: result of the system call.
 */
static ssize_t transfer(long call, void *ours, uintptr_t theirs, size_t count)
{
	struct iovec local = { .iov_base = ours, .iov_len = 0 };
	struct iovec remote[PIECES];
	unsigned long pieces = 0;

	while (pieces < PIECES && count > 0) {
		const size_t left = to_page_end(theirs);
		const size_t step = left < count ? left : count;

		/* An address that the program gave us. NOLINTNEXTLINE(performance-no-int-to-ptr) */
		remote[pieces].iov_base = (void *) theirs;
		remote[pieces++].iov_len = step;
		local.iov_len += step;
		theirs += step;
		count -= step;
	}
	return syscall(call, getpid(), &local, 1ul, remote, pieces, 0ul);
}

/* Notes if a call failed because it is not allowed. Return: true if that is so. */
static bool is_refusal(ssize_t status)
{
	if (status >= 0 || errno == EFAULT || errno == EINVAL || errno == ENOMEM) {
		return false;
	}
	atomic_store_explicit(&is_refused, true, memory_order_relaxed);
	return true;
}

/* Copies page by page until a page can't be read. The program may still unmap a page after it is
 * checked. */
__attribute__((no_sanitize("address", "thread"))) static size_t probe(void *to, uintptr_t from,
                                                                      size_t count)
{
	size_t done = 0;

	while (done < count) {
		const size_t left = to_page_end(from + done);
		const size_t step = left < count - done ? left : count - done;
		/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		const void *const page = (const void *) (from + done);

		if (!rcap_memory_is_readable(page, step)) {
			break;
		}
		memcpy((char *) to + done, page, step);
		done += step;
	}
	return done;
}

size_t rcap_peek_bytes(void *to, const void *from, size_t count)
{
	const uintptr_t start = (uintptr_t) from;
	const int saved = errno;
	size_t done = 0;

	if (count > UINTPTR_MAX - start) {
		count = UINTPTR_MAX - start;
	}
	while (done < count && !atomic_load_explicit(&is_refused, memory_order_relaxed)) {
		const ssize_t got = transfer(SYS_process_vm_readv, (char *) to + done, start + done,
		                             count - done);

		if (got > 0) {
			done += (size_t) got;
		} else if (!is_refusal(got)) {
			count = done;
		}
	}
	if (done < count) {
		done += probe((char *) to + done, start + done, count - done);
	}
	errno = saved;
	return done;
}

static bool is_zero(const uint8_t *word, size_t unit)
{
	for (size_t i = 0; i < unit; i++) {
		if (word[i] != 0) {
			return false;
		}
	}
	return true;
}

bool rcap_peek_text(void *to, size_t max, const void *from, size_t unit, size_t *length)
{
	uint8_t *const bytes = to;
	const char *next = from;
	size_t step = FIRST_LOOK_BYTES;
	size_t seen = 0;

	*length = 0;
	while (*length < max) {
		const size_t left = to_page_end((uintptr_t) next);
		size_t got;

		step = step < left ? step : left;
		step = step < max - *length ? step : max - *length;
		got = rcap_peek_bytes(bytes + *length, next, step);
		*length += got;
		for (; seen + unit <= *length; seen += unit) {
			if (is_zero(bytes + seen, unit)) {
				*length = seen + unit;
				return true;
			}
		}
		if (got < step) {
			break;
		}
		next += got; /* not earlier, because nothing may be added to a null pointer */
		step = PAGE_BYTES;
	}
	return false;
}

bool rcap_peek_write(void *to, const void *from, size_t count)
{
	const int saved = errno;
	const char *next = from;
	uintptr_t start = (uintptr_t) to;
	ssize_t put = 1;

	while (count > 0 && put > 0 && !atomic_load_explicit(&is_refused, memory_order_relaxed)) {
		/* The kernel only reads `next`. NOLINTNEXTLINE(performance-no-int-to-ptr) */
		put = transfer(SYS_process_vm_writev, (void *) (uintptr_t) next, start, count);
		if (put > 0) {
			next += put;
			start += (size_t) put;
			count -= (size_t) put;
		} else if (is_refusal(put)) {
			put = 1;
		}
	}
	if (put > 0 && count > 0) {
		/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		void *const place = (void *) start;

		if (rcap_memory_is_readable(place, count)) {
			memcpy(place, next, count);
			count = 0;
		}
	}
	errno = saved;
	return count == 0;
}
