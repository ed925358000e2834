/* SPDX-License-Identifier: MIT */
/* Finds how much more memory a process may take before a limit stops it. */
#ifndef RCAP_ROOM_H
#define RCAP_ROOM_H

#include <stdint.h>

/* What limits the memory of a process, or of its buffer. Stored in the spool's header. */
enum rcap_room_bound {
	RCAP_ROOM_SETTING,    /* only RANGES_BUFFER */
	RCAP_ROOM_FILES,      /* free space of the spool's file system */
	RCAP_ROOM_CGROUP,     /* a memory cgroup, its own or one above */
	RCAP_ROOM_ADDRESSES,  /* RLIMIT_AS */
	RCAP_ROOM_FREE_MEMORY /* free memory of the machine */
};

struct rcap_room {
	uint64_t bytes;             /* left; UINT64_MAX: nothing is known */
	enum rcap_room_bound bound; /* which limit that is */
};

/* The capture may take this fraction (a quarter) of the memory that is left. The rest is the
 * program's. */
#define RCAP_ROOM_SHARE 4u

/*
 * Finds how much memory is left: the least of what memory cgroups (v1 and v2, each level up the
 * tree), RLIMIT_AS and the machine's free memory allow. What can't be read is no limit.
 *
 * @root: prefix of /proc and /sys: "", or a made-up tree.
 * @pid: whose; 0: the caller's.
 * Context: any thread; some ten to thirty system calls, 3 KiB of stack, no allocation; errno is
 * kept.
 */
void rcap_room_look(const char *root, int64_t pid, struct rcap_room *out);

/* The name of a bound in the log. */
const char *rcap_room_name(enum rcap_room_bound bound);

#endif
