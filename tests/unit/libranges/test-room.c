/* SPDX-License-Identifier: MIT */
/* Tests how a process finds out how much memory is left, with made-up trees of /proc and /sys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/spool/room.h"
#include "tests/tap.h"

#define MIB (UINT64_C(1) << 20)

static char root[64];

/* One thread. NOLINTBEGIN(concurrency-mt-unsafe) */

/* Makes a file of the tree with the folders above it. */
static void put(const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *at = full + strlen(root) + 1; *at != '\0'; at++) {
		if (*at == '/') {
			*at = '\0';
			mkdir(full, 0700);
			*at = '/';
		}
	}
	file = fopen(full, "we");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static void clear(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command) == 0) {
		mkdir(root, 0700);
	}
}

static void is_room(uint64_t bytes, enum rcap_room_bound bound, const char *what)
{
	struct rcap_room room;

	errno = 4711;
	rcap_room_look(root, 0, &room);
	tap_is_uint(room.bytes >> 10, bytes >> 10, "%s", what);
	tap_ok(room.bound == bound && errno == 4711, "the same, why: %s",
	       rcap_room_name(room.bound));
}

static void test_nothing(void)
{
	clear();
	is_room(UINT64_MAX, RCAP_ROOM_SETTING, "where nothing can be read nothing is known");
	put("/proc/meminfo", "MemTotal:       24684212 kB\nMemFree:        23032432 kB\n"
	                     "MemAvailable:    1048576 kB\n");
	is_room(1024 * MIB, RCAP_ROOM_FREE_MEMORY, "the machine's free memory");
}

static void test_v2(void)
{
	clear();
	put("/proc/meminfo", "MemAvailable:   8388608 kB\n");
	put("/proc/self/cgroup", "0::/jobs/one/step\n");
	put("/sys/fs/cgroup/jobs/one/step/memory.max", "max\n");
	put("/sys/fs/cgroup/jobs/one/step/memory.high", "max\n");
	put("/sys/fs/cgroup/jobs/one/step/memory.current", "1048576\n");
	is_room(8192 * MIB, RCAP_ROOM_FREE_MEMORY, "a cgroup without a limit is none");
	put("/sys/fs/cgroup/jobs/memory.max", "268435456\n");
	put("/sys/fs/cgroup/jobs/memory.current", "104857600\n");
	is_room(156 * MIB, RCAP_ROOM_CGROUP, "v2: the limit of a level above");
	put("/sys/fs/cgroup/jobs/memory.stat",
	    "anon 1\nfile 52428800\nactive_file 1\ninactive_file 20971520\n");
	is_room(176 * MIB, RCAP_ROOM_CGROUP, "v2: pages of files can go");
	put("/sys/fs/cgroup/jobs/one/step/memory.high", "8388608\n");
	is_room(7 * MIB, RCAP_ROOM_CGROUP, "v2: the smallest of the tree; also a high mark");
	put("/sys/fs/cgroup/jobs/one/step/memory.current", "9388608\n");
	is_room(0, RCAP_ROOM_CGROUP, "v2: more used than allowed");
}

static void test_container(void)
{
	clear();
	put("/proc/self/cgroup", "0::/\n");
	put("/sys/fs/cgroup/memory.max", "67108864\n");
	put("/sys/fs/cgroup/memory.current", "3145728\n");
	is_room(61 * MIB, RCAP_ROOM_CGROUP, "v2: a container with a namespace of its own");
	put("/proc/self/cgroup", "0::/../../other\n");
	is_room(61 * MIB, RCAP_ROOM_CGROUP, "v2: a group outside of the namespace");
}

static void test_v1(void)
{
	clear();
	put("/proc/self/cgroup", "9:name=systemd:/\n8:pids:/\n4:hugetlb,memory:/a/b\n3:cpuset:/\n"
	                         "1:cpu,memory_not:/zzz\n0::/\n");
	put("/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
	put("/sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "4096\n");
	is_room(UINT64_MAX, RCAP_ROOM_SETTING, "v1: the largest number is no limit");
	put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "134217728\n");
	put("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "33554432\n");
	put("/sys/fs/cgroup/memory/a/memory.stat", "cache 5\ninactive_file 1\n"
	                                           "total_inactive_file 2097152\n");
	is_room(98 * MIB, RCAP_ROOM_CGROUP, "v1: the limit of a level above");
	clear();
	put("/proc/self/cgroup", "4:memory:/docker/0123456789abcdef\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "134217728\n");
	put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
	is_room(128 * MIB, RCAP_ROOM_CGROUP, "v1: a container that sees its level at the mount");
}

static void test_long_lines(void)
{
	static char text[6000];
	size_t used = 0;

	clear();
	for (int i = 0; i < 20; i++) {
		used += (size_t) snprintf(text + used, sizeof(text) - used, "%d:cpu%d:/%0200d\n",
		                          40 - i, i, i);
	}
	snprintf(text + used, sizeof(text) - used, "1:memory:/deep\n0::/");
	put("/proc/self/cgroup", text);
	put("/sys/fs/cgroup/memory/deep/memory.limit_in_bytes", "134217728");
	put("/sys/fs/cgroup/memory/deep/memory.usage_in_bytes", "0");
	is_room(128 * MIB, RCAP_ROOM_CGROUP, "many lines, the last ones without an end");
	memset(text, 'x', 3000);
	snprintf(text + 3000, 100, "\n1:memory:/deep\n");
	put("/proc/self/cgroup", text);
	is_room(128 * MIB, RCAP_ROOM_CGROUP, "a line that is too long is passed over");
}

static void test_addresses(void)
{
	struct rlimit limit = { 0, 0 };
	struct rlimit before;

	clear();
	put("/proc/self/statm", "1000 10 10 1 0 1 0\n");
	getrlimit(RLIMIT_AS, &before);
	limit = before;
	limit.rlim_cur = UINT64_C(1) << 46;
	if (setrlimit(RLIMIT_AS, &limit) != 0) {
		tap_skip("ulimit -v, without what is used", "no limit can be set");
		return;
	}
	is_room((UINT64_C(1) << 46) - 1000u * (uint64_t) sysconf(_SC_PAGESIZE), RCAP_ROOM_ADDRESSES,
	        "ulimit -v, without what is used");
	setrlimit(RLIMIT_AS, &before);
}

static void test_here(void)
{
	struct rcap_room own;
	struct rcap_room by_pid;

	rcap_room_look("", 0, &own);
	rcap_room_look("", getpid(), &by_pid);
	tap_ok(own.bytes > 0 && own.bytes != UINT64_MAX, "this machine says something");
	tap_is_int(own.bound, by_pid.bound, "also when asked by pid");
}

/* A limit on the test itself would be found in each of the made-up systems. */
static void lift_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
}

int main(void)
{
	lift_limit();
	snprintf(root, sizeof(root), "./test-room-%d", (int) getpid());
	test_nothing();
	test_v2();
	test_container();
	test_v1();
	test_long_lines();
	test_addresses();
	test_here();
	clear();
	rmdir(root);
	return tap_done();
}

/* NOLINTEND(concurrency-mt-unsafe) */
