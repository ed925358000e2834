/* SPDX-License-Identifier: MIT */
/* Makes the spool of this process. */
#include "libranges/entry/own-spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/nvml/nvml-ring.h"
#include "libranges/process/process.h"
#include "libranges/spool/spool-dir.h"

/* With RANGES_ON_FULL=block, first blocks of threads and names may take this much more than the
 * buffer's size. */
#define BLOCK_EXTRA_BYTES (UINT64_C(64) << 20)
bool rcap_own_spool_make(struct rcap_config *config)
{
	const bool is_off = config->threads == RCAP_THREADS_OFF;
	char directory[512];
	const bool has_directory = rcap_spool_dir_choose(config, directory, sizeof(directory));
	const bool has_launcher = config->run_dir[0] != '\0';
	const struct rcap_spool_options options = {
		.directory = has_directory ? directory : NULL,
		.limit_bytes = config->buffer_bytes,
		.extra_bytes = config->on_full == RCAP_ON_FULL_BLOCK ? BLOCK_EXTRA_BYTES : 0,
		.is_outside = is_off && has_launcher,
	};
	struct rcap_spool_header *header;

	if (rcap_spool_create(&rcap_process.spool, &options, NULL) != 0) {
		return false;
	}
	header = rcap_process.spool.header;
	if (is_off) {
		header->drained = has_launcher && header->crash_safe ? RCAP_DRAINED_OUTSIDE
		                                                     : RCAP_DRAINED_AT_EXIT;
		atomic_store_explicit(&header->drained_ns, rcap_clock_mono_ns(),
		                      memory_order_relaxed);
	}
	return true;
}

/* Makes an empty directory. The launcher then finds no spool of ours, but the directory shows that
 * we report ourselves. */
void rcap_own_spool_tell_alone(void)
{
	char path[RCAP_CONFIG_PATH_BYTES];

	RCAP_LOG(RCAP_LOG_WARN, "no file for the event buffer: events not yet written are lost if "
	                        "the program is killed");
	if (rcap_process.config.run_dir[0] != '\0') {
		rcap_log_format(path, sizeof(path), "%s/alone-%d", rcap_process.config.run_dir,
		                getpid());
		mkdir(path, 0700);
	}
}

/* True if the launcher lives: it then has a lock on its directory. Uses raw system calls, because
 * the drain has its own file descriptors. */
static bool has_launcher(const char *run_dir)
{
	const int fd =
		(int) syscall(SYS_openat, AT_FDCWD, run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	bool is_gone;

	if (fd < 0) {
		return true;
	}
	is_gone = flock(fd, LOCK_EX | LOCK_NB) == 0;
	syscall(SYS_close, fd);
	return !is_gone;
}

void rcap_own_spool_remove(void)
{
	const char *const run_dir = rcap_process.config.run_dir;
	char path[RCAP_CONFIG_PATH_BYTES];

	if (run_dir[0] == '\0') {
		rcap_spool_unlink(&rcap_process.spool);
	} else if (!has_launcher(run_dir)) {
		rcap_spool_unlink(&rcap_process.spool);
		rcap_log_format(path, sizeof(path), "%s/" RCAP_CONFIG_LOADED_MARK, run_dir);
		rmdir(path);
		rcap_log_format(path, sizeof(path), "%s/" RCAP_NVML_RING_NAME, run_dir);
		unlink(path);
		rmdir(run_dir); /* fails if another spool is in the directory, as it should */
	}
}
