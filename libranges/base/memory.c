/* SPDX-License-Identifier: MIT */
/* Finds out whether an address from the program can be read, before we read it. */
#include "libranges/base/memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

_Atomic uintptr_t rcap_memory_seen[RCAP_MEMORY_SEEN] __attribute__((visibility("hidden")));

/*
 * Asks the kernel whether a page can be read, by two system calls that every sandbox allows. The
 * first is madvise(). It can't tell for pages of devices, and does not work before kernel 5.14. The
 * second is rt_sigprocmask(): it copies a signal set from the page before it refuses the operation
 * -1. It comes second, because valgrind complains about the eight bytes that it reads.
 */
static bool ask_kernel(uintptr_t page)
{
	const uintptr_t at = page * RCAP_MEMORY_PAGE;

	if (syscall(SYS_madvise, at, 1ul, MADV_POPULATE_READ) == 0) {
		return true;
	}
	if (errno == ENOMEM || errno == EFAULT) {
		return false;
	}
	return syscall(SYS_rt_sigprocmask, -1l, at, NULL, 8l) == 0 || errno != EFAULT;
}

/* True for addresses in the kernel's half. On aarch64 nothing is known, because the top byte may be
 * a tag. */
static bool is_kernels(uintptr_t page)
{
#ifdef __x86_64__
	return page >> 51 != 0;
#else
	(void) page;
	return false;
#endif
}

static bool is_page_readable(uintptr_t page)
{
	_Atomic uintptr_t *entry = &rcap_memory_seen[page % RCAP_MEMORY_SEEN];
	const int saved = errno;
	bool is_readable;

	if (page == 0 || is_kernels(page)) {
		return false;
	}
	if (atomic_load_explicit(entry, memory_order_relaxed) == page) {
		return true;
	}
	is_readable = ask_kernel(page);
	errno = saved;
	if (is_readable) {
		atomic_store_explicit(entry, page, memory_order_relaxed);
	}
	return is_readable;
}

bool rcap_memory_is_readable(const void *at, size_t bytes)
{
	const uintptr_t first = (uintptr_t) at;

	if (bytes == 0) {
		return true;
	}
	if (first > UINTPTR_MAX - (bytes - 1)) {
		return false;
	}
	for (uintptr_t page = first / RCAP_MEMORY_PAGE;
	     page <= (first + (bytes - 1)) / RCAP_MEMORY_PAGE; page++) {
		if (!is_page_readable(page)) {
			return false;
		}
	}
	return true;
}

size_t rcap_memory_measure(const char *text, size_t max)
{
	size_t length = 0;

	while (length < max) {
		const uintptr_t at = (uintptr_t) text + length;
		size_t piece = RCAP_MEMORY_PAGE - at % RCAP_MEMORY_PAGE;
		size_t found;

		if (!is_page_readable(at / RCAP_MEMORY_PAGE)) {
			return RCAP_MEMORY_BAD;
		}
		piece = piece < max - length ? piece : max - length;
		found = strnlen(text + length, piece);
		length += found;
		if (found < piece) {
			break;
		}
	}
	return length;
}
