/* SPDX-License-Identifier: MIT */
/* Finds what earlier programs of this process left: exec keeps the process and replaces the
 * program. */
#include "libranges/spool/spool-past.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/log.h"

/* True if the capture was ever on, so that a log exists or will exist. */
static bool has_log(const struct rcap_spool_header *header)
{
	/* Acquire pairs with lifetime.c, which stores the state last: the other members are filled
	 * in. */
	return atomic_load_explicit(&header->state, memory_order_acquire) != 0 &&
	       (header->control.first_phase == RCAP_PHASE_ON ||
	        atomic_load_explicit(&header->control.switches, memory_order_relaxed) > 0);
}

/* Returns how many names the program of this file, and the programs before it, use. 0 if the spool
 * is another process', or has another pattern. */
static uint32_t count_names(const struct rcap_spool_header *own, int fd)
{
	struct rcap_spool_header *past;
	uint32_t names = 0;
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (size_t) st.st_size < sizeof(*past)) {
		return 0;
	}
	past = mmap(NULL, sizeof(*past), PROT_READ, MAP_SHARED, fd, 0);
	if (past == MAP_FAILED) {
		return 0;
	}
	if (memcmp(past->magic, own->magic, sizeof(own->magic)) == 0 &&
	    past->version == own->version && past->header_bytes == own->header_bytes &&
	    past->facts.pid == own->facts.pid && past->start_time == own->start_time &&
	    past->pid_ns == own->pid_ns && has_log(past) &&
	    strncmp(past->output, own->output, sizeof(own->output)) == 0) {
		names = past->first_attempt + 1;
	}
	munmap(past, sizeof(*past));
	return names;
}

/* True if the name is that of another spool of this process. */
static bool is_other_of(const char *name, const char *own_name)
{
	const char *const dash = strchr(own_name, '-');

	return dash && strncmp(name, own_name, (size_t) (dash - own_name) + 1) == 0 &&
	       strcmp(name, own_name) != 0;
}

uint32_t rcap_spool_past_names(const struct rcap_spool *spool)
{
	const char *const slash = strrchr(spool->path, '/');
	char path[sizeof(spool->path)];
	_Alignas(struct dirent64) char entries[4096];
	uint32_t names = 0;
	ssize_t bytes;
	int directory;

	if (!slash || spool->header->start_time == 0) {
		return 0;
	}
	rcap_log_format(path, sizeof(path), "%.*s", (int) (slash - spool->path), spool->path);
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (directory >= 0 && (bytes = getdents64(directory, entries, sizeof(entries))) > 0) {
		for (ssize_t at = 0; at < bytes;) {
			const struct dirent64 *entry = (const void *) (entries + at);
			uint32_t count = 0;
			int fd = -1;

			at += entry->d_reclen;
			if (is_other_of(entry->d_name, slash + 1)) {
				fd = openat(directory, entry->d_name,
				            O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
			}
			if (fd >= 0) {
				count = count_names(spool->header, fd);
				close(fd);
			}
			names = count > names ? count : names;
		}
	}
	if (directory >= 0) {
		close(directory);
	}
	return names;
}
