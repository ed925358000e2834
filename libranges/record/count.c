/* SPDX-License-Identifier: MIT */
/* Reads what a thread has done so far from counters of the CPU or the kernel (RANGES_COUNT). */
#include "libranges/record/count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "libranges/base/log.h"

/* A read of the register is repeated at most so many times. The kernel changes its page during a
 * read only if the thread is moved or interrupted. */
#define TRIES 64
/* Descriptors of files for read() have numbers from here on, which programs do not use. They are
 * not higher than needed, because the kernel's file table is as long as the largest number. */
#define HIGH_FD  3500
#define MANY_FDS 8192
#define NS_PER_S UINT64_C(1000000000)

/* Set by rcap_count_prepare(), before any thread opens counters. */
static const struct rcap_counts_kind *kinds[RCAP_COUNTS_MAX];
static uint32_t kind_count;

static int open_kind(const struct rcap_counts_kind *kind)
{
	struct perf_event_attr attr = { .type = kind->type,
		                        .size = sizeof(attr),
		                        .config = kind->config,
		                        .exclude_kernel = 1,
		                        .exclude_hv = 1 };

	return (int) syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void add_text(char *texts, size_t size, const char *text)
{
	size_t used = 0;

	while (texts[used] != '\0') {
		used += strlen(texts + used) + 1;
	}
	if (used + strlen(text) + 2 <= size) {
		memcpy(texts + used, text, strlen(text) + 1);
		texts[used + strlen(text) + 1] = '\0';
	}
}

void rcap_count_prepare(const char *text, char *names, size_t size, char *note, size_t note_size)
{
	const struct rcap_counts_kind *wanted[RCAP_COUNTS_MAX];
	const int count = rcap_counts_parse(text, wanted, note, note_size);
	char refused[RCAP_COUNTS_BYTES] = "";
	int error = 0;

	kind_count = 0;
	names[0] = '\0';
	note[0] = '\0';
	for (int i = 0; i < count; i++) {
		const bool is_clock = wanted[i]->type == RCAP_COUNTS_CLOCK;
		const int fd = is_clock ? -1 : open_kind(wanted[i]);

		if (fd >= 0) {
			close(fd);
		}
		if (fd >= 0 || is_clock) {
			kinds[kind_count++] = wanted[i];
			add_text(names, size, wanted[i]->name);
			continue;
		}
		error = errno;
		rcap_log_format(refused + strlen(refused), sizeof(refused) - strlen(refused),
		                "%s%s", refused[0] != '\0' ? ", " : "", wanted[i]->name);
	}
	if (refused[0] != '\0') {
		rcap_log_format(note, note_size, "cannot count %s: %s", refused,
		                error == EACCES || error == EPERM
		                        ? "not allowed (kernel.perf_event_paranoid)"
		                : error == ENOENT || error == EOPNOTSUPP || error == ENODEV
		                        ? "this machine has no such counter"
		                : error == ENOSYS ? "this kernel does not count"
		                                  : "the kernel refuses");
		RCAP_LOG(RCAP_LOG_WARN, "%s; times are recorded", note);
	}
}

/*
 * Moves a file to a descriptor that the program probably neither closes nor gives to a file of its
 * own. We take at most a quarter of the descriptors that the program may have. Return: -1 if we
 * have that many.
 */
static int move_up(int fd)
{
	struct rlimit limit = { .rlim_cur = 0 };
	int least;
	int moved;

	getrlimit(RLIMIT_NOFILE, &limit);
	least = limit.rlim_cur >= MANY_FDS ? HIGH_FD : (int) limit.rlim_cur / 2;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	close(fd);
	if (moved >= 0 && (rlim_t) moved >= (rlim_t) least + limit.rlim_cur / 4) {
		close(moved);
		return -1;
	}
	return moved;
}

/* Opens one counter. Return: false if the thread can't have it. */
static bool open_source(struct rcap_count_source *source, const struct rcap_counts_kind *kind)
{
	int fd;

	*source = (struct rcap_count_source){ .fd = -1 };
	if (kind->type == RCAP_COUNTS_CLOCK) {
		source->is_clock = true;
		return true;
	}
	fd = open_kind(kind);
	if (fd < 0) {
		return false;
	}
#if defined(__x86_64__)
	{
		void *const page =
			mmap(NULL, (size_t) sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

		if (page != MAP_FAILED) {
			if (((const struct perf_event_mmap_page *) page)->cap_user_rdpmc) {
				/* the mapping keeps the counter open without the file */
				source->page = page;
				close(fd);
				return true;
			}
			munmap(page, (size_t) sysconf(_SC_PAGESIZE));
		}
	}
#endif
	source->fd = move_up(fd);
	return source->fd >= 0 && ioctl(source->fd, PERF_EVENT_IOC_ID, &source->id) == 0;
}

/* True if the descriptor is still that of our file. The program may have closed it. */
static bool is_ours(const struct rcap_count_source *source)
{
	uint64_t id = 0;

	return syscall(SYS_ioctl, source->fd, PERF_EVENT_IOC_ID, &id) == 0 && id == source->id;
}

void rcap_count_open(struct rcap_counters *counters)
{
	if (counters->count != 0) {
		return;
	}
	for (uint32_t i = 0; i < kind_count; i++) {
		counters->count = i + 1;
		if (!open_source(&counters->sources[i], kinds[i])) {
			rcap_count_close(counters);
			return;
		}
	}
}

void rcap_count_close(struct rcap_counters *counters)
{
	for (uint32_t i = 0; i < counters->count && !counters->is_borrowed; i++) {
		struct rcap_count_source *const source = &counters->sources[i];

		if (source->page != NULL) {
			munmap(source->page, (size_t) sysconf(_SC_PAGESIZE));
		} else if (source->fd >= 0 && is_ours(source)) {
			close(source->fd);
		}
	}
	*counters = (struct rcap_counters){ 0 };
}

#if defined(__x86_64__)
static uint64_t read_register(uint32_t number)
{
	uint32_t low;
	uint32_t high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
	return low | (uint64_t) high << 32;
}

/* Reads the counter by the page. Reads again if the kernel has written to the page meanwhile, as
 * the kernel's header requires. */
static uint64_t read_page(const struct perf_event_mmap_page *page)
{
	for (int i = 0; i < TRIES; i++) {
		const uint32_t lock = *(const volatile uint32_t *) &page->lock;
		uint32_t index;
		int64_t count;

		atomic_signal_fence(memory_order_seq_cst);
		index = *(const volatile uint32_t *) &page->index;
		count = page->offset;
		if (page->cap_user_rdpmc && index != 0) {
			const unsigned shift = 64u - page->pmc_width;

			count += (int64_t) (read_register(index - 1) << shift) >> shift;
		}
		atomic_signal_fence(memory_order_seq_cst);
		if (*(const volatile uint32_t *) &page->lock == lock) {
			return (uint64_t) count + 1;
		}
	}
	return 0;
}
#endif

static uint64_t read_file(const struct rcap_count_source *source)
{
	const int saved = errno;
	uint64_t count = 0;
	bool is_read;

	/* Uses a raw system call, because that is no cancellation point. */
	is_read = source->fd >= 0 && is_ours(source) &&
	          syscall(SYS_read, source->fd, &count, sizeof(count)) == sizeof(count);
	errno = saved;
	return is_read ? count + 1 : 0;
}

/* Reads the thread's clock by a system call, because only the kernel's scheduler has the time. */
static uint64_t read_clock(void)
{
	const int saved = errno;
	struct timespec now;
	bool is_read;

	is_read = syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now) == 0;
	errno = saved;
	return is_read ? (uint64_t) now.tv_sec * NS_PER_S + (uint64_t) now.tv_nsec + 1 : 0;
}

uint64_t rcap_count_read(const struct rcap_count_source *source)
{
	if (source->is_clock) {
		return read_clock();
	}
#if defined(__x86_64__)
	if (source->page != NULL) {
		return read_page(source->page);
	}
#endif
	return read_file(source);
}
