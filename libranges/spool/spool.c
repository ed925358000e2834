/* SPDX-License-Identifier: MIT */
/* Manages the spool's file, its mapping, and the pool of blocks. */
#include "libranges/spool/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/log.h"
#include "libranges/spool/room.h"
#include "libranges/spool/spool-lock.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* How many blocks the file grows by: 1 MiB if a producer needs a block now, and 4 MiB if the drain
 * extends the file before it is full. */
#define GROW_NOW   64u
#define GROW_AHEAD 256u
/* If producers can't extend the file, the drain keeps this many blocks ready: 16 MiB, which a
 * thread fills in 20 ms. */
#define READY_BLOCKS 1024u
/* How many names are tried for a new file. */
#define MAX_NAMES 8

/* True if a file of this size is within the process' limit. For a larger file the kernel ends the
 * program with SIGXFSZ. */
static bool is_within_file_limit(size_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	       bytes <= limit.rlim_cur;
}

/*
 * Allocates memory for blocks `first` to `end`, and for the header if first is 0. It may be done
 * twice. Return: 0 or an errno value.
 */
static int allocate_file(int fd, uint32_t first, uint32_t end)
{
	const size_t from = first == 0 ? 0 : rcap_spool_bytes(first);

	if (!is_within_file_limit(rcap_spool_bytes(end))) {
		return EFBIG;
	}
	return posix_fallocate(fd, (off_t) from, (off_t) (rcap_spool_bytes(end) - from));
}

static void random_hex(char *out, size_t digits)
{
	static const char hex[] = "0123456789abcdef";
	uint8_t bytes[32] = { 0 };

	if (syscall(SYS_getrandom, bytes, sizeof(bytes), 1 /* GRND_NONBLOCK */) < 0) {
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		memcpy(bytes, &now, sizeof(now) < sizeof(bytes) ? sizeof(now) : sizeof(bytes));
	}
	for (size_t i = 0; i < digits; i++) {
		out[i] = hex[(bytes[i / 2 % sizeof(bytes)] >> (i % 2 * 4)) & 15];
	}
	out[digits] = '\0';
}

/* Limits of the spool's size, in blocks. */
struct limits {
	uint32_t blocks;
	uint32_t extra; /* further blocks for urgent needs */
	enum rcap_room_bound bound;
	bool is_outside;
};

static void lower_limit(uint64_t *limit, uint64_t bytes, enum rcap_room_bound bound,
                        enum rcap_room_bound *out)
{
	if (*limit > bytes) {
		*limit = bytes;
		*out = bound;
	}
}

static struct limits find_limits(const struct rcap_spool_options *options)
{
	struct limits limits = { .bound = RCAP_ROOM_SETTING, .is_outside = options->is_outside };
	uint64_t bytes = options->limit_bytes;
	struct rcap_room room;
	struct statvfs fs;

	rcap_room_look("", 0, &room);
	room.bytes /= RCAP_ROOM_SHARE;
	lower_limit(&bytes, room.bytes, room.bound, &limits.bound);
	if (options->directory && statvfs(options->directory, &fs) == 0) {
		lower_limit(&bytes, (uint64_t) fs.f_bavail * fs.f_frsize / 2, RCAP_ROOM_FILES,
		            &limits.bound);
	}
	bytes /= RCAP_BLOCK_BYTES;
	if (bytes < GROW_NOW) {
		bytes = GROW_NOW;
	}
	limits.blocks = bytes > (1u << 24) ? 1u << 24 : (uint32_t) bytes;
	limits.extra = (uint32_t) ((options->extra_bytes < room.bytes ? options->extra_bytes
	                                                              : room.bytes) /
	                           RCAP_BLOCK_BYTES);
	return limits;
}

/* Returns with how many blocks the file begins. */
static uint32_t first_blocks(const struct limits *limits)
{
	if (!limits->is_outside) {
		return GROW_NOW;
	}
	return (limits->blocks < READY_BLOCKS ? limits->blocks : READY_BLOCKS) +
	       (limits->extra < GROW_NOW ? limits->extra : GROW_NOW);
}

/* Opens a new file with an unpredictable name, and locks it. Sets spool->path on success. Return:
 * fd or -1. */
static int try_file(struct rcap_spool *spool, const char *directory)
{
	struct stat st;
	char random[17];
	int fd;

	random_hex(random, 16);
	rcap_log_format(spool->path, sizeof(spool->path), "%s/%d-%s" RCAP_SPOOL_SUFFIX, directory,
	                getpid(), random);
	fd = open(spool->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && fstat(fd, &st) == 0) {
		spool->device = st.st_dev;
		spool->inode = st.st_ino;
	}
	if (fd >= 0 && !rcap_spool_lock_own(spool, fd)) {
		unlink(spool->path);
		close(fd);
		fd = -1;
		errno = EAGAIN;
	}
	if (fd < 0) {
		spool->path[0] = '\0';
	}
	return fd;
}

/* A recovery that looks for spools of dead programs may lock ours before we do. Then another name
 * is tried. */
static int create_file(struct rcap_spool *spool, const char *directory)
{
	int fd = -1;

	for (int i = 0; i < MAX_NAMES && fd < 0 && (i == 0 || errno == EAGAIN); i++) {
		fd = try_file(spool, directory);
	}
	return fd;
}

/*
 * Reserves address space for the largest size, or less if the process may not have so much. Pages
 * become accessible when the file grows. If pages beyond the file's end were accessible, valgrind's
 * leak check would take minutes to find out, word by word, that they can't be read. If another
 * process extends the file, all pages are accessible at once.
 */
static void *map_largest(int fd, bool is_outside, uint32_t *blocks)
{
	for (;;) {
		void *memory = mmap(
			NULL, rcap_spool_bytes(*blocks),
			fd >= 0 && !is_outside ? PROT_NONE : PROT_READ | PROT_WRITE,
			fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, fd, 0);

		if (memory != MAP_FAILED || *blocks <= GROW_NOW) {
			return memory;
		}
		*blocks /= 2;
	}
}

static int map_new(struct rcap_spool *spool, int fd, const struct limits *limits)
{
	uint32_t blocks = limits->blocks + limits->extra;
	void *memory = map_largest(fd, limits->is_outside, &blocks);
	struct rcap_spool_header *header = memory;

	if (memory == MAP_FAILED) {
		return -1;
	}
	if (fd >= 0 &&
	    mprotect(memory, rcap_spool_bytes(first_blocks(limits)), PROT_READ | PROT_WRITE) != 0) {
		munmap(memory, rcap_spool_bytes(blocks));
		return -1;
	}
	/* A fork child must not write to its parent's queues. It gets a spool of its own. */
	madvise(memory, rcap_spool_bytes(blocks), MADV_DONTFORK);
	spool->header = header;
	spool->mapped_bytes = rcap_spool_bytes(blocks);
	header->version = RCAP_SPOOL_VERSION;
	header->endian = 0x01020304;
	header->header_bytes = sizeof(*header);
	header->word_bytes = sizeof(void *);
	header->block_bytes = RCAP_BLOCK_BYTES;
	header->max_blocks = limits->blocks < blocks ? limits->blocks : blocks;
	header->all_blocks = blocks;
	header->bound = limits->blocks <= blocks ? limits->bound : RCAP_ROOM_ADDRESSES;
	atomic_store_explicit(&header->max_now, header->max_blocks, memory_order_relaxed);
	header->crash_safe = fd >= 0;
	atomic_store_explicit(&header->locking,
	                      spool->lock_fd > 0 ? RCAP_LOCKING_PROGRAM : RCAP_LOCKING_NONE,
	                      memory_order_relaxed);
	atomic_store_explicit(&header->free_list, RCAP_NO_BLOCK, memory_order_relaxed);
	atomic_store_explicit(&header->ready, fd >= 0 ? first_blocks(limits) : blocks,
	                      memory_order_relaxed);
	atomic_store_explicit(&header->is_grown_by_drain, limits->is_outside, memory_order_relaxed);
	atomic_store_explicit(&header->next_stream_id, 1, memory_order_relaxed);
	rcap_spool_hide_magic(header->magic);
	return 0;
}

int rcap_spool_create(struct rcap_spool *spool, const struct rcap_spool_options *options,
                      struct rlog_error *err)
{
	const struct limits limits = find_limits(options);
	int fd = -1;
	int status;

	memset(spool, 0, sizeof(*spool));
	if (options->directory) {
		fd = create_file(spool, options->directory);
	}
	if (fd >= 0 && allocate_file(fd, 0, first_blocks(&limits)) != 0) {
		unlink(spool->path);
		rcap_spool_lock_drop(spool);
		close(fd);
		spool->path[0] = '\0';
		fd = -1;
	}
	status = map_new(spool, fd, &limits);
	if (fd >= 0) {
		close(fd); /* the mapping does not need the file open; lock_fd keeps it open */
	}
	if (status != 0) {
		if (spool->path[0] != '\0') {
			unlink(spool->path);
		}
		rcap_spool_lock_drop(spool);
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
		                      "no memory for the event buffer");
	}
	return 0;
}

void rcap_spool_unlink(const struct rcap_spool *spool)
{
	if (spool->path[0] != '\0') {
		unlink(spool->path);
	}
}

static bool is_spool(const struct rcap_spool *spool, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == spool->device && st.st_ino == spool->inode;
}

int rcap_spool_claim(const struct rcap_spool *spool, int fd, uint32_t first, uint32_t end)
{
	const bool is_own = fd <= 0;
	bool done = !is_own;
	int rc;

	if (is_own) {
		fd = open(spool->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	}
	if (fd < 0) {
		return -1;
	}
	/* The program can't replace a file in the drain's own table. TSan knows only one table. It
	 * would report the descriptor as a race with the program's. */
	if (done || is_spool(spool, fd)) {
		rc = allocate_file(fd, first, end);
		if (rc != 0) {
			atomic_store_explicit(&spool->header->grow_error, (uint32_t) rc,
			                      memory_order_relaxed);
		}
		done = rc == 0 && mprotect(rcap_spool_block(spool, first),
		                           (size_t) (end - first) * RCAP_BLOCK_BYTES,
		                           PROT_READ | PROT_WRITE) == 0;
	}
	if (is_own) {
		close(fd);
	}
	return done;
}

/*
 * Extends the pool by `step` blocks, up to `limit`. If several threads come here at the same time,
 * they do the same work several times. They do not wait for each other, because a thread may not be
 * running. Signals are blocked, so that no handler of the program runs between open and close.
 *
 * @fd: as in rcap_spool_claim().
 * Return: true if it makes sense to try again to take a block.
 */
static bool grow(struct rcap_spool *spool, int fd, uint32_t step, uint32_t limit)
{
	struct rcap_spool_header *header = spool->header;
	uint32_t ready = atomic_load_explicit(&header->ready, memory_order_acquire);
	const uint32_t first = ready;
	uint32_t end = first + step;
	sigset_t all;
	sigset_t old;
	int cancel = 0;
	int grown;

	if (end > limit) {
		end = limit;
	}
	if (end <= first || spool->path[0] == '\0') {
		return false;
	}
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	grown = rcap_spool_claim(spool, fd, first, end);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_setcancelstate(cancel, NULL);
	/* Release pairs with the acquire when blocks up to this one are taken. */
	while (grown > 0 && ready < end &&
	       !atomic_compare_exchange_weak_explicit(&header->ready, &ready, end,
	                                              memory_order_release, memory_order_acquire)) {
	}
	if (grown < 0) {
		atomic_store_explicit(&header->is_grown_by_drain, 1, memory_order_relaxed);
	}
	return grown > 0 || atomic_load_explicit(&header->ready, memory_order_acquire) != first;
}

uint32_t rcap_spool_limit_now(const struct rcap_spool *spool)
{
	const struct rcap_spool_header *header = spool->header;
	const uint64_t limit =
		(uint64_t) atomic_load_explicit(&header->max_now, memory_order_relaxed) +
		atomic_load_explicit(&header->gone, memory_order_relaxed);

	return limit < header->max_blocks ? (uint32_t) limit : header->max_blocks;
}

uint32_t rcap_spool_pop_free(const struct rcap_spool *spool)
{
	struct rcap_spool_header *header = spool->header;
	/* Acquire pairs with the release in rcap_spool_free_block(): the block's next_free is
	 * visible. */
	uint64_t top = atomic_load_explicit(&header->free_list, memory_order_acquire);

	for (;;) {
		const uint32_t block = (uint32_t) top;
		uint64_t next;

		if (block == RCAP_NO_BLOCK || !rcap_spool_has_block(spool, block)) {
			return RCAP_NO_BLOCK;
		}
		/* Another thread may own this block by now and write to it. Then the tag makes the
		 * exchange fail, and this value is not used. */
		next = __atomic_load_n(&rcap_spool_block(spool, block)->next_free,
		                       __ATOMIC_RELAXED);
		next |= (top & 0xFFFFFFFF00000000u) + (1ull << 32);
		if (atomic_compare_exchange_weak_explicit(&header->free_list, &top, next,
		                                          memory_order_acquire,
		                                          memory_order_acquire)) {
			atomic_fetch_sub_explicit(&header->free_count, 1, memory_order_relaxed);
			return block;
		}
	}
}

static uint32_t take_fresh(struct rcap_spool_header *header, uint32_t count, uint32_t limit)
{
	uint32_t fresh = atomic_load_explicit(&header->fresh, memory_order_relaxed);

	do {
		if (fresh + count > limit ||
		    fresh + count > atomic_load_explicit(&header->ready, memory_order_acquire)) {
			return RCAP_NO_BLOCK;
		}
	} while (!atomic_compare_exchange_weak_explicit(
		&header->fresh, &fresh, fresh + count, memory_order_relaxed, memory_order_relaxed));
	return fresh;
}

static bool is_grown_here(const struct rcap_spool *spool)
{
	return atomic_load_explicit(&spool->header->is_grown_by_drain, memory_order_relaxed) == 0;
}

/* Takes a block. @limit: most blocks. @now: most blocks that have memory now. */
static uint32_t take_block(struct rcap_spool *spool, uint32_t limit, uint32_t now)
{
	const int saved = errno;
	uint32_t block;

	do {
		block = rcap_spool_pop_free(spool);
		if (block == RCAP_NO_BLOCK) {
			block = take_fresh(spool->header, 1, limit);
		}
	} while (block == RCAP_NO_BLOCK && is_grown_here(spool) && grow(spool, 0, GROW_NOW, now));
	errno = saved;
	return block;
}

uint32_t rcap_spool_take_block(struct rcap_spool *spool)
{
	return take_block(spool, spool->header->max_blocks, rcap_spool_limit_now(spool));
}

uint32_t rcap_spool_take_vital(struct rcap_spool *spool)
{
	return take_block(spool, spool->header->all_blocks, spool->header->all_blocks);
}

uint32_t rcap_spool_take_extent(struct rcap_spool *spool)
{
	const uint32_t limit = spool->header->all_blocks;
	const int saved = errno;
	uint32_t block;

	do {
		block = take_fresh(spool->header, RCAP_EXTENT_BLOCKS, limit);
	} while (block == RCAP_NO_BLOCK && is_grown_here(spool) && grow(spool, 0, GROW_NOW, limit));
	errno = saved;
	return block;
}

void rcap_spool_free_block(struct rcap_spool *spool, uint32_t block)
{
	struct rcap_spool_header *header = spool->header;
	struct rcap_block *memory = rcap_spool_block(spool, block);
	uint64_t top = atomic_load_explicit(&header->free_list, memory_order_relaxed);

	do {
		__atomic_store_n(&memory->next_free, (uint32_t) top, __ATOMIC_RELAXED);
	} while (!atomic_compare_exchange_weak_explicit(
		&header->free_list, &top, block | ((top & 0xFFFFFFFF00000000u) + (1ull << 32)),
		memory_order_release, memory_order_relaxed));
	atomic_fetch_add_explicit(&header->free_count, 1, memory_order_relaxed);
}

void rcap_spool_look_ahead(struct rcap_spool *spool, uint32_t blocks)
{
	struct rcap_spool_header *header = spool->header;
	const uint32_t ready = atomic_load_explicit(&header->ready, memory_order_acquire);
	const uint32_t fresh = atomic_load_explicit(&header->fresh, memory_order_relaxed);
	const uint32_t idle = atomic_load_explicit(&header->free_count, memory_order_relaxed) +
	                      (ready > fresh ? ready - fresh : 0);

	if (!is_grown_here(spool)) {
		blocks = blocks < READY_BLOCKS ? READY_BLOCKS : blocks;
		/* For urgent needs only blocks are taken that were never used. */
		if (ready < fresh + GROW_NOW) {
			(void) grow(spool, spool->drain_fd, GROW_NOW, header->all_blocks);
		}
	}
	if (idle >= blocks ||
	    !grow(spool, spool->drain_fd, idle + GROW_AHEAD < blocks ? blocks - idle : GROW_AHEAD,
	          rcap_spool_limit_now(spool))) {
		return;
	}
	/* Touching a page took 0.9 µs here, and 1 µs in a producer. If a producer takes a block
	 * meanwhile, its pages are touched twice, which is harmless. */
	madvise(rcap_spool_block(spool, ready),
	        (size_t) (atomic_load_explicit(&header->ready, memory_order_acquire) - ready) *
	                RCAP_BLOCK_BYTES,
	        MADV_POPULATE_WRITE);
}

bool rcap_spool_is_grown_outside(const struct rcap_spool *spool)
{
	return !is_grown_here(spool) &&
	       atomic_load_explicit(&spool->header->ready, memory_order_relaxed) <
	               spool->header->all_blocks;
}

bool rcap_spool_is_tight(const struct rcap_spool *spool)
{
	const struct rcap_spool_header *header = spool->header;
	const uint64_t used = atomic_load_explicit(&header->fresh, memory_order_relaxed);
	const uint64_t idle =
		(uint64_t) atomic_load_explicit(&header->free_count, memory_order_relaxed) +
		atomic_load_explicit(&header->gone, memory_order_relaxed);
	const uint64_t limit = atomic_load_explicit(&header->max_now, memory_order_relaxed);

	return used - (idle < used ? idle : used) > limit * 3 / 4;
}

bool rcap_spool_has_block(const struct rcap_spool *spool, uint32_t block)
{
	return block < atomic_load_explicit(&spool->header->ready, memory_order_acquire) &&
	       rcap_spool_bytes(block + 1) <= spool->mapped_bytes;
}

struct rcap_stream *rcap_spool_stream(const struct rcap_spool *spool, uint32_t index)
{
	const uint32_t table = index / RCAP_STREAMS_BLOCK;

	if (table >= RCAP_STREAM_BLOCKS ||
	    !rcap_spool_has_block(spool, spool->header->stream_block[table])) {
		return NULL;
	}
	return (struct rcap_stream *) (void *) rcap_spool_block(
		       spool, spool->header->stream_block[table]) +
	       index % RCAP_STREAMS_BLOCK;
}

struct rcap_position rcap_spool_position(const struct rcap_stream *stream)
{
	return stream->done[atomic_load_explicit(&stream->commit, memory_order_acquire) & 1];
}

void rcap_spool_commit(struct rcap_stream *stream, struct rcap_position position)
{
	const uint32_t commit = atomic_load_explicit(&stream->commit, memory_order_relaxed);

	stream->done[(commit + 1) & 1] = position;
	atomic_store_explicit(&stream->commit, commit + 1, memory_order_release);
}

const struct rcap_ended *rcap_spool_ended(const struct rcap_spool *spool)
{
	const struct rcap_spool_header *header = spool->header;

	return &header->ended[atomic_load_explicit(&header->ended_commit, memory_order_acquire) &
	                      1];
}

bool rcap_spool_is_counted_alone(const struct rcap_spool *spool, const struct rcap_stream *stream)
{
	return atomic_load_explicit(&stream->state, memory_order_acquire) != RCAP_STREAM_FREE &&
	       stream->id != rcap_spool_ended(spool)->stream;
}

void rcap_spool_add_ended(struct rcap_spool *spool, const struct rcap_stream *stream)
{
	struct rcap_spool_header *header = spool->header;
	const uint32_t commit = atomic_load_explicit(&header->ended_commit, memory_order_relaxed);
	const struct rcap_position at = rcap_spool_position(stream);
	struct rcap_ended sum = header->ended[commit & 1];

	if (sum.stream == stream->id) {
		return;
	}
	sum.ordinal += at.ordinal;
	sum.remarks += at.remarks;
	sum.stream = stream->id;
	for (uint32_t cause = 0; cause < RLOG_CAUSES; cause++) {
		sum.lost[cause] += atomic_load_explicit(&stream->lost[cause], memory_order_relaxed);
	}
	header->ended[(commit + 1) & 1] = sum;
	atomic_store_explicit(&header->ended_commit, commit + 1, memory_order_release);
}
