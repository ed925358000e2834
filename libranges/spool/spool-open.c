/* SPDX-License-Identifier: MIT */
/* Opens a spool that another process made. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/log.h"
#include "libranges/spool/spool-lock.h"
#include "libranges/spool/spool.h"

/* Checks a header. @bytes: gets the size of the file. A living program may be enlarging the file:
 * first the file is made longer, and then the header is changed. So this reads the header before
 * the file's size. */
static bool is_header_sound(const struct rcap_spool_header *header, int fd, size_t *bytes)
{
	const uint32_t ready = atomic_load_explicit(&header->ready, memory_order_acquire);
	uint8_t magic[8];
	struct stat st;

	if (fstat(fd, &st) != 0) {
		return false;
	}
	*bytes = (size_t) st.st_size;
	rcap_spool_hide_magic(magic);
	return memcmp(header->magic, magic, 8) == 0 && header->version == RCAP_SPOOL_VERSION &&
	       header->endian == 0x01020304 && header->header_bytes == sizeof(*header) &&
	       header->block_bytes == RCAP_BLOCK_BYTES && rcap_spool_bytes(ready) <= *bytes;
}

static bool has_suffix(const char *path, const char *suffix)
{
	const size_t length = strlen(path);

	return length > strlen(suffix) && strcmp(path + length - strlen(suffix), suffix) == 0;
}

/* True if the program was killed before it recorded anything: of the header's members after the
 * magic only the state is stored, and there are no events. */
static bool is_unfinished(const struct rcap_spool_header *header, const char *path)
{
	static const uint8_t none[8];

	if (!has_suffix(path, RCAP_SPOOL_SUFFIX)) {
		return false;
	}
	return !header || memcmp(header->magic, none, sizeof(none)) == 0 ||
	       (header->version == RCAP_SPOOL_VERSION &&
	        atomic_load_explicit(&header->state, memory_order_acquire) == 0);
}

/* Replaces the mapping by one with this many bytes. */
static int map_bytes(struct rcap_spool *spool, size_t bytes, int fd, struct rlog_error *err)
{
	void *const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	munmap(spool->header, spool->mapped_bytes);
	spool->header = NULL;
	if (memory == MAP_FAILED) {
		(void) rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "no addresses");
		return -RLOG_E_SYSTEM;
	}
	spool->header = memory;
	spool->mapped_bytes = bytes;
	return 0;
}

static int map_other(struct rcap_spool *spool, int fd, const char *path, struct rlog_error *err)
{
	struct stat st;
	void *memory = MAP_FAILED;
	struct rcap_spool_header *header = NULL;
	size_t bytes = 0;

	if (fstat(fd, &st) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: can't look at it",
		                      path);
	}
	if (S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    (size_t) st.st_size >= rcap_spool_bytes(1)) {
		memory = mmap(NULL, (size_t) st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	header = memory == MAP_FAILED ? NULL : memory;
	if (S_ISREG(st.st_mode) && st.st_uid == geteuid() && (header || st.st_size == 0) &&
	    is_unfinished(header, path)) {
		if (header) {
			munmap(memory, (size_t) st.st_size);
		}
		return rlog_error_set(err, RLOG_E_EMPTY, RLOG_NO_OFFSET,
		                      "%s: its program ended before it recorded anything", path);
	}
	if (!header || !is_header_sound(header, fd, &bytes)) {
		if (header) {
			munmap(memory, (size_t) st.st_size);
		}
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
		                      "%s: not a spool of this version", path);
	}
	spool->header = header;
	spool->mapped_bytes = (size_t) st.st_size;
	spool->device = st.st_dev;
	spool->inode = st.st_ino;
	return bytes > (size_t) st.st_size ? map_bytes(spool, bytes, fd, err) : 0;
}

int rcap_spool_open(struct rcap_spool *spool, const char *path, int *holder, struct rlog_error *err)
{
	int status = 0;
	int fd;

	memset(spool, 0, sizeof(*spool));
	/* O_NONBLOCK, because the file may be a pipe that nobody writes to. */
	fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
		                      "%s: can't open the spool", path);
	}
	*holder = rcap_spool_lock_take(fd);
	if (*holder != RCAP_HOLDER_GONE) {
		status = map_other(spool, fd, path, err);
	}
	if (status == 0 || status == -RLOG_E_EMPTY) {
		rcap_log_format(spool->path, sizeof(spool->path), "%s", path);
		spool->lock_fd = fd;
	} else {
		close(fd);
	}
	return status;
}

/* Maps as much address space as the program has reserved, because the file will grow. */
static int map_whole(struct rcap_spool *spool, int fd, struct rlog_error *err)
{
	return map_bytes(spool, rcap_spool_bytes(spool->header->all_blocks), fd, err);
}

int rcap_spool_attach(struct rcap_spool *spool, const char *path, struct rlog_error *err)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	int status;

	memset(spool, 0, sizeof(*spool));
	if (fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
		                      "%s: can't open the spool", path);
	}
	status = map_other(spool, fd, path, err);
	/* Acquire pairs with the program's release: everything that was stored before is
	 * visible. */
	if (status == 0 &&
	    (atomic_load_explicit(&spool->header->state, memory_order_acquire) != RCAP_SPOOL_LIVE ||
	     spool->header->drained != RCAP_DRAINED_OUTSIDE ||
	     fcntl(fd, F_OFD_SETLK, &whole) != 0)) {
		status = -RLOG_E_EMPTY;
	}
	if (status == 0) {
		status = map_whole(spool, fd, err);
	}
	if (status != 0) {
		if (spool->header) {
			munmap(spool->header, spool->mapped_bytes);
			spool->header = NULL;
		}
		close(fd);
		return status;
	}
	rcap_log_format(spool->path, sizeof(spool->path), "%s", path);
	spool->lock_fd = fd;
	spool->drain_fd = fd;
	return 0;
}

void rcap_spool_close(struct rcap_spool *spool)
{
	if (spool->header) {
		munmap(spool->header, spool->mapped_bytes);
		spool->header = NULL;
	}
	if (spool->lock_fd > 0) {
		close(spool->lock_fd);
		spool->lock_fd = 0;
	}
}
