/* SPDX-License-Identifier: MIT */
/* Finds how much more memory a process may take before a limit stops it. */
#ifndef RCAP_ROOM_H
#define RCAP_ROOM_H

#include <stdint.h>

/* What limits the memory of a process, or the size of its buffer. Stored in the spool's header. */
enum rcap_room_bound {
	RCAP_ROOM_SETTING,    /* nothing but RANGES_BUFFER */
	RCAP_ROOM_FILES,      /* free space of the spool's file system */
	RCAP_ROOM_CGROUP,     /* a memory cgroup: that of the process, or one above */
	RCAP_ROOM_ADDRESSES,  /* RLIMIT_AS */
	RCAP_ROOM_FREE_MEMORY /* free memory of the machine */
};

struct rcap_room {
	uint64_t bytes;             /* bytes that are left; UINT64_MAX: unknown */
	enum rcap_room_bound bound; /* the limit that allows the least */
};

/* The capture may take 1/4 of the memory that is left. The other memory is for the program. */
#define RCAP_ROOM_SHARE 4u

/*
 * Finds out how much memory is left. Takes the least of what memory cgroups (v1 and v2, each level
 * up the tree), RLIMIT_AS and the machine's free memory allow. A value that can't be read does not
 * limit.
 *
 * @root: what precedes /proc and /sys: "", or the folder of an artificial tree.
 * @pid: the process; 0: the caller's.
 * Context: any thread; some ten to thirty system calls, 3 KiB of stack, no allocation; errno is
 * kept.
 */
void rcap_room_look(const char *root, int64_t pid, struct rcap_room *out);

/* Returns the name of a bound in the log. */
const char *rcap_room_name(enum rcap_room_bound bound);

#endif
