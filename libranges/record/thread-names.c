/* SPDX-License-Identifier: MIT */
/* The cache of names of each producer thread. */
#include "libranges/record/thread.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/auxv.h>

#include "libranges/base/memory.h"
#include "libranges/record/names/names.h"
#include "libranges/record/watched.h"
#include "libranges/process/oddity.h"

/* The read-only parts of the main program. They are found once. */
static struct {
	uintptr_t start;
	uintptr_t bytes;
} constants[8];
static uint32_t constant_count;

/*
 * Finds these parts by the program headers that the kernel gives every process, without a lock of
 * the dynamic linker. Leaves out shared libraries: they can be unloaded, and something else can be
 * mapped in their place.
 */
static void find_constants(void)
{
	/* The kernel gives an address. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const ElfW(Phdr) *headers = (const ElfW(Phdr) *) getauxval(AT_PHDR);
	const unsigned long count = getauxval(AT_PHNUM);
	uintptr_t base = 0;

	for (unsigned long i = 0; headers && i < count; i++) {
		if (headers[i].p_type == PT_PHDR) {
			base = (uintptr_t) headers - headers[i].p_vaddr;
		}
	}
	for (unsigned long i = 0; headers && i < count && constant_count < 8; i++) {
		if (headers[i].p_type == PT_LOAD && (headers[i].p_flags & PF_W) == 0) {
			constants[constant_count].start = base + headers[i].p_vaddr;
			constants[constant_count++].bytes = headers[i].p_memsz;
		}
	}
}

void rcap_thread_names_reset(void)
{
	if (constant_count == 0) {
		find_constants();
	}
}

/* True for a text in read-only memory of the main program, which does not change until the process
 * ends. */
static bool is_constant(const char *text)
{
	for (uint32_t i = 0; i < constant_count; i++) {
		if ((uintptr_t) text - constants[i].start < constants[i].bytes) {
			return true;
		}
	}
	return false;
}

/* Fills all members but the key. */
static void fill_cache(struct rcap_cached_name *entry, const char *text, const char *copy,
                       size_t bytes)
{
	entry->copy = copy;
	/* There may be a shorter text at this address later. The comparison must then not cross
	 * into the next page. */
	if (bytes > RCAP_SHORT_BYTES || bytes < 4 ||
	    ((uintptr_t) text & 4095) > 4096 - RCAP_SHORT_BYTES) {
		return;
	}
	entry->bytes = (uint32_t) bytes;
	if (bytes < 8) {
		entry->words[0] = rcap_thread_halves(copy, bytes);
		return;
	}
	entry->words[0] = rcap_thread_word(copy);
	entry->words[1] = rcap_thread_word(copy + bytes - 8);
	if (bytes > 16) {
		entry->words[2] = rcap_thread_word(copy + 8);
		entry->words[3] = rcap_thread_word(copy + bytes - 16);
	}
}

uint32_t rcap_thread_intern(struct rcap_thread *thread, const char *text,
                            struct rcap_cached_name *entry)
{
	const int saved = errno;
	const size_t length = rcap_memory_measure(text, RCAP_NAMES_LOOK_BYTES);
	const char *copy = NULL;
	bool lost = false;
	uint32_t id;

	if (length == RCAP_MEMORY_BAD) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
		return 0;
	}
	id = rcap_names_intern(text, length, 0, &copy, &lost);
	if (lost) {
		rcap_thread_count_lost_name(thread);
	} else if (copy && !rcap_watched_is_name(text, length)) {
		/* A longjmp out of a handler may end this anywhere, and an entry that has a key
		 * must be complete. */
		rcap_thread_clear_name(thread, entry);
		fill_cache(entry, text, copy, length + 1);
		entry->id = id;
		entry->push = rcap_slot_bare_word(id, 0, RLOG_OP_PUSH);
		atomic_signal_fence(memory_order_seq_cst);
		entry->key = is_constant(text) ? (uintptr_t) text : ~(uintptr_t) text;
	}
	errno = saved;
	return id;
}

void rcap_thread_cache_handle(struct rcap_thread *thread, const void *handle, uint32_t id)
{
	struct rcap_cached_name *entry = rcap_thread_cached_handle(thread, handle);

	rcap_thread_clear_name(thread, entry);
	entry->id = id;
	entry->push = rcap_slot_bare_word(id, 0, RLOG_OP_PUSH);
	atomic_signal_fence(memory_order_seq_cst);
	entry->key = (uintptr_t) handle;
}

void rcap_thread_count_lost_name(struct rcap_thread *thread)
{
	atomic_fetch_add_explicit(&thread->stream->lost[RLOG_CAUSE_INTERN_OVERFLOW], 1,
	                          memory_order_relaxed);
}
