/* SPDX-License-Identifier: MIT */
/* What libranges.so does and a linked capture does not: it examines the program that loaded it, and
 * offers itself to NVTX. */
#include "libranges/entry/inject.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "libranges/cupti/cupti-control.h"
#include "libranges/cupti/cupti-entry.h"
#include "libranges/entry/lifetime.h"
#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/nvml/nvml-counters.h"
#include "libranges/process/process.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int InitializeInjection(void);

/* The program, as the kernel describes it. */
struct program {
	const ElfW(Phdr) * headers;
	unsigned long count;
};

static struct program find_program(void)
{
	/* The kernel gives an address. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const ElfW(Phdr) *headers = (const ElfW(Phdr) *) getauxval(AT_PHDR);

	return (struct program){ headers, headers ? getauxval(AT_PHNUM) : 0 };
}

/*
 * True if the program is statically linked. If such a program loads us, it also loads a second C
 * library, which does not know the program's threads. To start a thread there would crash. A static
 * program has no interpreter among its program headers.
 */
static bool is_static(const struct program *program)
{
	for (unsigned long i = 0; i < program->count; i++) {
		if (program->headers[i].p_type == PT_INTERP) {
			return false;
		}
	}
	return program->count > 0;
}

/*
 * Finds the start of the program's file in memory; NULL if unknown. A static program has no
 * PT_PHDR, but linkers put the program headers directly behind the file header.
 */
static const char *find_file_header(const struct program *program)
{
	const char *const headers = (const char *) program->headers;
	ElfW(Ehdr) header;

	if (((uintptr_t) headers & 4095) < sizeof(header)) {
		return NULL;
	}
	memcpy(&header, headers - sizeof(header), sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phoff != sizeof(header)) {
		return NULL;
	}
	return headers - sizeof(header);
}

/* Finds the four bytes of our note's content among `bytes` of notes at `at`; NULL if the note is
 * not there. */
static const char *find_note(const char *at, size_t bytes, size_t align)
{
	while (bytes >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) note;
		size_t name_bytes;
		size_t note_bytes;

		memcpy(&note, at, sizeof(note));
		name_bytes = (note.n_namesz + align - 1) / align * align;
		note_bytes =
			sizeof(note) + name_bytes + (note.n_descsz + align - 1) / align * align;
		if (note_bytes > bytes) {
			return NULL;
		}
		if (note.n_type == RCAP_INJECT_NOTE_TYPE && note.n_descsz == sizeof(int32_t) &&
		    note.n_namesz == sizeof(RCAP_INJECT_NOTE_NAME) &&
		    memcmp(at + sizeof(note), RCAP_INJECT_NOTE_NAME, note.n_namesz) == 0) {
			return at + sizeof(note) + name_bytes;
		}
		at += note_bytes;
		bytes -= note_bytes;
	}
	return NULL;
}

/* Finds the capture that is linked into this static program; NULL if there is none. */
static const struct rcap_inject_entries *find_entries(const struct program *program)
{
	const char *const file = find_file_header(program);
	ElfW(Addr) file_vaddr = 0; /* address of the file header, by the program headers */

	for (unsigned long i = 0; i < program->count; i++) {
		if (program->headers[i].p_type == PT_LOAD && program->headers[i].p_offset == 0) {
			file_vaddr = program->headers[i].p_vaddr;
		}
	}
	for (unsigned long i = 0; file && i < program->count; i++) {
		const ElfW(Phdr) *header = &program->headers[i];
		const char *content = NULL;
		int32_t distance;

		if (header->p_type == PT_NOTE) {
			content = find_note(file + (header->p_vaddr - file_vaddr), header->p_memsz,
			                    header->p_align == 8 ? 8 : 4);
		}
		if (content) {
			memcpy(&distance, content, sizeof(distance));
			return (const struct rcap_inject_entries *) (const void *) (content +
			                                                            distance);
		}
	}
	return NULL;
}

/* Reports it only once, because both the constructor and NVTX lead here. */
static void tell_static(void)
{
	static _Atomic bool has_told;

	if (!atomic_exchange_explicit(&has_told, true, memory_order_relaxed)) {
		RCAP_LOG(RCAP_LOG_WARN, "a statically linked program can't be captured");
	}
}

bool rcap_inject_begin(const struct rcap_inject_entries **other)
{
	const struct program program = find_program();

	if (!is_static(&program)) {
		return rcap_lifetime_load();
	}
	if (getauxval(AT_SECURE) == 0) {
		*other = find_entries(&program);
		if (!*other) {
			tell_static();
		}
	}
	return false;
}

/* CUDA's driver finds this function by its name, and calls it within cuInit. */
int InitializeInjection(void)
{
	const struct rcap_inject_entries *other = NULL;

	if (rcap_inject_begin(&other)) {
		rcap_cupti_control_start(false);
	}
	return 1;
}

/* Tells the launcher that we were loaded, so that it can say why there is no log. */
static void tell_loaded(void)
{
	const char *const directory = secure_getenv("RANGES_RUN_DIR");
	char path[RCAP_CONFIG_PATH_BYTES];
	const int saved_errno = errno;

	if (directory && directory[0] == '/') {
		rcap_log_format(path, sizeof(path), "%s/" RCAP_CONFIG_LOADED_MARK, directory);
		mkdir(path, 0700);
		errno = saved_errno;
	}
}

/*
 * Sets the variables by which NVTX and CUDA find us. If we were linked or preloaded, stores our
 * path in both, so that header-only NVTX finds us, too. If NVTX alone has loaded us, stores it only
 * in CUDA's. A variable that is set already stays.
 */
__attribute__((constructor)) static void load(void)
{
	const struct rcap_inject_entries *other = NULL;
	const char *injection;
	Dl_info info;

	if (!rcap_inject_begin(&other)) {
		return;
	}
	tell_loaded();
	rcap_process.look = rcap_cupti_entry_look;
	rcap_process.release_gpu = rcap_cupti_control_release;
	rcap_process.count_gpu_threads = rcap_cupti_control_threads;
	rcap_process.end_gpu_threads = rcap_cupti_control_end_threads;
	rcap_process.look_at_gpu_samples = rcap_nvml_counters_look;
	rcap_process.end_gpu_samples = rcap_nvml_counters_end;
	rcap_process.end_process = exit;
	if (dladdr((void *) load, &info) == 0 || !info.dli_fname) {
		return;
	}
	/* If we are linked or preloaded, the program has no threads yet.
	 * NOLINTBEGIN(concurrency-mt-unsafe) */
	injection = getenv("NVTX_INJECTION64_PATH");
	if (!injection) {
		setenv("NVTX_INJECTION64_PATH", info.dli_fname, 0);
		setenv("CUDA_INJECTION64_PATH", info.dli_fname, 0);
	}
	if (!injection || strcmp(injection, info.dli_fname) == 0) {
		rcap_process.look_again = rcap_cupti_entry_announce(info.dli_fname)
		                                  ? rcap_cupti_entry_look_again
		                                  : NULL;
	}
	/* NOLINTEND(concurrency-mt-unsafe) */
}
