/* SPDX-License-Identifier: MIT */
/* Tests opening a spool while its program enlarges the file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libranges/spool/spool-lock.h"
#include "libranges/spool/spool.h"
#include "tests/tap.h"

#define BLOCKS 20000u

/* The program's side: the file, its header, and the end of its growth. */
struct program {
	int fd;
	struct rcap_spool_header *header;
	_Atomic bool is_done;
};

/* As in a program: first the file becomes longer, then the header says so. */
static void *enlarge(void *context)
{
	struct program *program = context;

	for (uint32_t blocks = 2; blocks < BLOCKS; blocks++) {
		if (ftruncate(program->fd, (off_t) rcap_spool_bytes(blocks)) != 0) {
			break;
		}
		atomic_store_explicit(&program->header->ready, blocks, memory_order_release);
	}
	atomic_store(&program->is_done, true);
	return NULL;
}

static void make_spool(struct program *program, const char *path)
{
	const size_t bytes = rcap_spool_bytes(1);
	struct rcap_spool_header *header;
	void *memory = MAP_FAILED;

	program->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (program->fd >= 0 && ftruncate(program->fd, (off_t) bytes) == 0) {
		memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, program->fd, 0);
	}
	if (memory == MAP_FAILED) {
		tap_bail("the spool can't be made");
	}
	header = memory;
	header->version = RCAP_SPOOL_VERSION;
	header->endian = 0x01020304;
	header->header_bytes = sizeof(*header);
	header->block_bytes = RCAP_BLOCK_BYTES;
	rcap_spool_hide_magic(header->magic);
	atomic_store(&header->ready, 1);
	atomic_store(&header->state, RCAP_SPOOL_LIVE);
	program->header = header;
}

int main(void)
{
	static struct program program;
	char path[] = "/tmp/test-spool-grow.XXXXXX/0" RCAP_SPOOL_SUFFIX;
	char *const name = strrchr(path, '/');
	struct rlog_error err = { .code = RLOG_OK };
	pthread_t thread;
	unsigned refused = 0;
	unsigned opened = 0;

	*name = '\0';
	if (!mkdtemp(path)) {
		tap_bail("no folder");
	}
	*name = '/';
	make_spool(&program, path);
	if (pthread_create(&thread, NULL, enlarge, &program) != 0) {
		tap_bail("no thread");
	}
	do {
		struct rcap_spool spool;
		int holder;

		if (rcap_spool_open(&spool, path, &holder, &err) == 0) {
			opened++;
			rcap_spool_close(&spool);
		} else {
			refused++;
		}
	} while (!atomic_load(&program.is_done));
	pthread_join(thread, NULL);
	tap_ok(opened > 0, "a spool is opened while it grows (%u times)", opened);
	tap_is_uint(refused, 0, "and always is");
	close(program.fd);
	unlink(path);
	*name = '\0';
	rmdir(path);
	return tap_done();
}
