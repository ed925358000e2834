/* SPDX-License-Identifier: MIT */
/* Chooses and checks the directory of spools. */
#include "libranges/spool/spool-dir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/log.h"

/* True for a directory that is not a link, belongs to us, and is closed to others. In another
 * directory other users could place a file. */
static bool is_private(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       (st.st_mode & 077) == 0 && access(path, W_OK | X_OK) == 0;
}

static bool try_parent(const char *parent, char *out, size_t size)
{
	if (!parent || parent[0] != '/') {
		return false;
	}
	rcap_log_format(out, size, "%s/ranges-%u", parent, (unsigned) geteuid());
	mkdir(out, 0700); /* may fail because the directory exists: it is checked below */
	return is_private(out);
}

bool rcap_spool_dir_choose(struct rcap_config *config, char *out, size_t size)
{
	if (config->run_dir[0] != '\0') {
		rcap_log_format(out, size, "%s", config->run_dir);
		if (is_private(out)) {
			return true;
		}
		/* The directory belongs to another machine of the job, or to another root
		 * directory. Its launcher can't see our spool. */
		config->run_dir[0] = '\0';
	}
	if (config->spool_dir[0] != '\0') {
		return try_parent(config->spool_dir, out, size);
	}
	return try_parent("/dev/shm", out, size) ||
	       try_parent(secure_getenv("TMPDIR"), out, size) || try_parent("/tmp", out, size);
}
