/* SPDX-License-Identifier: MIT */
/* Asks whether an address from the program can be read at all, before it is. */
#include "libranges/base/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* Pages may be bigger, never smaller; a page of 64 KiB is asked for in 16 pieces then. */
#define PAGE_BYTES 4096u
#define SEEN_PAGES 1024u

/* Numbers of pages that could be read, by their low bits; relaxed: each entry stands alone. */
static _Atomic uintptr_t seen[SEEN_PAGES];

/*
 * Two calls that every sandbox lets through. The first knows nothing of pages of devices, and
 * kernels before 5.14 know nothing of it; the second copies a set of signals from there before it
 * finds out that -1 is no way to use it. It is not the first choice because valgrind complains of
 * the whole eight bytes.
 */
static bool ask_kernel(uintptr_t page)
{
	const uintptr_t at = page * PAGE_BYTES;

	if (syscall(SYS_madvise, at, 1ul, MADV_POPULATE_READ) == 0) {
		return true;
	}
	if (errno == ENOMEM || errno == EFAULT) {
		return false;
	}
	return syscall(SYS_rt_sigprocmask, -1l, at, NULL, 8l) == 0 || errno != EFAULT;
}

/* The kernel's half, where nothing is ever ours to read. On aarch64 the top byte may be a tag. */
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
	_Atomic uintptr_t *entry = &seen[page % SEEN_PAGES];
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
	for (uintptr_t page = first / PAGE_BYTES; page <= (first + (bytes - 1)) / PAGE_BYTES;
	     page++) {
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
		size_t piece = PAGE_BYTES - at % PAGE_BYTES;
		size_t found;

		if (!is_page_readable(at / PAGE_BYTES)) {
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
