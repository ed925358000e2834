/* SPDX-License-Identifier: MIT */
/* Samples of GPUs in memory that the launcher shares with the programs that it records. */
#include "libranges/nvml/nvml-ring.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/futex.h"
#include "libranges/base/log.h"

#define MAGIC UINT64_C(0x31676e69726c6d76) /* "vmlring1" */

static void name(char *out, size_t size, const char *directory)
{
	rcap_log_format(out, size, "%s/" RCAP_NVML_RING_NAME, directory);
}

static struct rcap_nvml_ring *map(int fd)
{
	void *const ring = mmap(NULL, sizeof(struct rcap_nvml_ring), PROT_READ | PROT_WRITE,
	                        MAP_SHARED, fd, 0);

	return ring == MAP_FAILED ? NULL : ring;
}

struct rcap_nvml_ring *rcap_nvml_ring_make(const char *directory)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	struct rcap_nvml_ring *ring = NULL;
	int fd;

	name(path, sizeof(path), directory);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		return NULL;
	}
	if (ftruncate(fd, sizeof(struct rcap_nvml_ring)) == 0) {
		ring = map(fd);
	}
	close(fd);
	if (ring == NULL) {
		unlink(path);
		return NULL;
	}
	ring->magic = MAGIC;
	return ring;
}

void rcap_nvml_ring_remove(struct rcap_nvml_ring *ring, const char *directory)
{
	char path[RCAP_CONFIG_PATH_BYTES];

	name(path, sizeof(path), directory);
	unlink(path);
	munmap(ring, sizeof(*ring));
}

/* Uses raw system calls, because the drain has its own file descriptors. */
struct rcap_nvml_ring *rcap_nvml_ring_open(const char *directory)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	struct rcap_nvml_ring *ring = NULL;
	struct stat st;
	int fd;

	name(path, sizeof(path), directory);
	fd = (int) syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	if (fd < 0) {
		return NULL;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size == (off_t) sizeof(struct rcap_nvml_ring)) {
		ring = map(fd);
	}
	syscall(SYS_close, fd);
	if (ring != NULL && ring->magic != MAGIC) {
		munmap(ring, sizeof(*ring));
		return NULL;
	}
	return ring;
}

void rcap_nvml_ring_put(struct rcap_nvml_ring *ring, const struct rcap_nvml_ring_sample *sample)
{
	const uint64_t number = atomic_load_explicit(&ring->written, memory_order_relaxed);

	ring->samples[number % RCAP_NVML_RING_SAMPLES] = *sample;
	/* Release pairs with the reader's acquire. */
	atomic_store_explicit(&ring->written, number + 1, memory_order_release);
}

void rcap_nvml_ring_note(struct rcap_nvml_ring *ring, const char *format, ...)
{
	const uint32_t number = atomic_load_explicit(&ring->notes, memory_order_relaxed);
	va_list arguments;

	if (number == RCAP_NVML_RING_NOTES) {
		return;
	}
	va_start(arguments, format);
	vsnprintf(ring->note[number], sizeof(ring->note[number]), format, arguments);
	va_end(arguments);
	atomic_store_explicit(&ring->notes, number + 1, memory_order_release);
}

void rcap_nvml_ring_ring(struct rcap_nvml_ring *ring)
{
	atomic_fetch_add_explicit(&ring->bell, 1, memory_order_release);
	rcap_futex_wake_shared(&ring->bell);
}
