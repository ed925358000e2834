/* SPDX-License-Identifier: MIT */
/* Ten million pairs on four threads, as fast as possible: nothing is lost or doubled, all is in
 * order, and the log is small. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/capture/judge.h"
#include "tests/tap.h"

static struct pushing *map(const char *file)
{
	const int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	void *memory = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, sizeof(struct pushing)) == 0) {
		memory = mmap(NULL, sizeof(struct pushing), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		              0);
	}
	close(fd);
	return memory == MAP_FAILED ? NULL : memory;
}

static void run(const char *build, const char *folder, unsigned threads, unsigned long pairs)
{
	char command[8192];
	char file[256];
	char log_name[256];
	struct judgement one;
	struct pushing *shared;
	int status;

	snprintf(file, sizeof(file), "%s/calls", folder);
	snprintf(log_name, sizeof(log_name), "%s/log.bin", folder);
	shared = map(file);
	if (!shared) {
		tap_bail("%s can't be made", file);
	}
	snprintf(command, sizeof(command),
	         "'%s/libranges/ranges' run -q -f -o %s -- '%s/tests/capture/pusher' %s %u %lu",
	         build, log_name, build, file, threads, pairs);
	status = system(command);
	tap_ok(status >> 8 == 7, "%u threads push and pop %lu pairs each", threads, pairs);
	tap_ok(judge_log(log_name, shared, threads, &one), "their log can be read");
	tap_is_uint(one.events, 2ul * pairs * threads, "it holds every event");
	tap_is_uint(one.lost, 0, "none was lost");
	tap_ok(judge_is_good(&one), "each in its place, under its name: %s", one.why);
	if (pairs >= 100000) {
		tap_ok(one.bytes_per_pair < 4, "a pair takes %.2f bytes of file, less than 4",
		       one.bytes_per_pair);
	}
	munmap(shared, sizeof(*shared));
	unlink(file);
	unlink(log_name);
}

int main(void)
{
	const char *build = getenv("top_builddir");
	const char *sanitizers = getenv("SANITIZERS");
	const bool is_slow = sanitizers && strcmp(sanitizers, "no") != 0;
	char folder[] = "/tmp/ranges-counts.XXXXXX";

	if (!build) {
		build = ".";
	}
	if (!mkdtemp(folder)) {
		tap_bail("no temporary folder");
	}
	run(build, folder, 4, is_slow ? 100000 : 2500000);
	run(build, folder, 64, 2000);
	run(build, folder, 1, 1);
	rmdir(folder);
	return tap_done();
}
