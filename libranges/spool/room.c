/* SPDX-License-Identifier: MIT */
/* Finds how much more memory a process may take before a limit stops it. */
#include "libranges/spool/room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/base/log.h"

#define PATH_BYTES 768
/* Without a limit, cgroups v1 give a number near 2^63. */
#define NO_LIMIT (UINT64_C(1) << 60)

/* A small file that is read line by line, by raw system calls: the drain has a file table of its
 * own, so nothing must take its descriptors for the program's. */
struct lines {
	int fd;
	size_t at;
	size_t used;
	char text[1024];
};

/* The file names of one version of cgroups. */
struct files {
	const char *mount;
	const char *limits[2];
	const char *usage;
	const char *reclaimable; /* begin of a line in memory.stat */
};

static const struct files v1 = { .mount = "/sys/fs/cgroup/memory",
	                         .limits = { "memory.limit_in_bytes", NULL },
	                         .usage = "memory.usage_in_bytes",
	                         .reclaimable = "total_inactive_file " };
static const struct files v2 = { .mount = "/sys/fs/cgroup",
	                         .limits = { "memory.max", "memory.high" },
	                         .usage = "memory.current",
	                         .reclaimable = "inactive_file " };

static bool open_lines(struct lines *lines, const char *path)
{
	memset(lines, 0, sizeof(*lines));
	lines->fd = (int) syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	return lines->fd >= 0;
}

static void close_lines(struct lines *lines)
{
	syscall(SYS_close, lines->fd);
}

/* Returns the next line without its newline; NULL at the end. A line that is too long is returned
 * in parts. */
static char *next_line(struct lines *lines)
{
	char *line = lines->text + lines->at;
	char *end = memchr(line, '\n', lines->used - lines->at);

	if (!end) {
		long length;

		memmove(lines->text, line, lines->used - lines->at);
		lines->used -= lines->at;
		lines->at = 0;
		line = lines->text;
		do {
			length = syscall(SYS_read, lines->fd, lines->text + lines->used,
			                 sizeof(lines->text) - 1 - lines->used);
			lines->used += length > 0 ? (size_t) length : 0;
			end = memchr(line, '\n', lines->used);
		} while (!end && length > 0 && lines->used < sizeof(lines->text) - 1);
	}
	if (!end && lines->at == lines->used) {
		return NULL;
	}
	if (!end) {
		end = lines->text + lines->used;
		lines->used++;
	}
	*end = '\0';
	lines->at = (size_t) (end - lines->text) + 1;
	return line;
}

/* Parses a number. Return: false if the text does not begin with one. */
static bool parse_number(const char *text, uint64_t *out)
{
	uint64_t value = 0;

	while (*text == ' ') {
		text++;
	}
	if (*text < '0' || *text > '9') {
		return false;
	}
	for (; *text >= '0' && *text <= '9' && value < UINT64_MAX / 16; text++) {
		value = value * 10 + (uint64_t) (*text - '0');
	}
	*out = value;
	return true;
}

/* Reads the number after `key` at the begin of a line. With the key "", reads it from the first
 * line. Return: false if there is no such line. */
static bool read_number(const char *path, const char *key, uint64_t *out)
{
	struct lines lines;
	const char *line;
	bool found = false;

	if (!open_lines(&lines, path)) {
		return false;
	}
	while (!found && (line = next_line(&lines)) != NULL) {
		if (strncmp(line, key, strlen(key)) == 0) {
			found = parse_number(line + strlen(key), out);
			break;
		}
	}
	close_lines(&lines);
	return found;
}

static void lower(struct rcap_room *out, uint64_t bytes, enum rcap_room_bound bound)
{
	if (bytes < out->bytes) {
		out->bytes = bytes;
		out->bound = bound;
	}
}

/* Checks one level of the tree. @folder: file names are appended to it, and removed again. */
static void look_at_group(char *folder, size_t size, const struct files *files,
                          struct rcap_room *out)
{
	const size_t length = strlen(folder);
	uint64_t limit = UINT64_MAX;
	uint64_t usage = 0;
	uint64_t reclaimable = 0;
	uint64_t number;

	for (size_t i = 0; i < 2 && files->limits[i]; i++) {
		rcap_log_format(folder + length, size - length, "/%s", files->limits[i]);
		if (read_number(folder, "", &number) && number < limit) {
			limit = number;
		}
	}
	if (limit < NO_LIMIT) {
		rcap_log_format(folder + length, size - length, "/%s", files->usage);
		(void) read_number(folder, "", &usage);
		rcap_log_format(folder + length, size - length, "/memory.stat");
		/* The kernel takes the memory of these file pages first, so it is counted as
		 * free. */
		(void) read_number(folder, files->reclaimable, &reclaimable);
		usage -= reclaimable < usage ? reclaimable : usage;
		lower(out, limit > usage ? limit - usage : 0, RCAP_ROOM_CGROUP);
	}
	folder[length] = '\0';
}

/* Finds the path of a memory group in a line: version 1 has "4:cpu,memory:/a/b", version 2
 * "0::/a/b". Return: the path; NULL for other lines. */
static char *find_group(char *line, const struct files **files)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!path) {
		return NULL;
	}
	*path++ = '\0';
	controllers++;
	if (controllers[0] == '\0' && strncmp(line, "0:", 2) == 0) {
		*files = &v2;
		return path;
	}
	for (char *at = controllers; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		if (strncmp(at, "memory", 6) == 0 && (at[6] == ',' || at[6] == '\0')) {
			*files = &v1;
			return path;
		}
	}
	return NULL;
}

/*
 * Checks all levels from that of the process up to the mount, which in a container is the
 * container's level. Skips levels that are not mounted here.
 */
static void look_up_tree(const char *root, const struct files *files, const char *group,
                         struct rcap_room *out)
{
	char folder[PATH_BYTES];
	size_t mount;
	char *slash = NULL;

	mount = rcap_log_format(folder, sizeof(folder), "%s%s", root, files->mount);
	if (strlen(group) > sizeof(folder) - mount - 40) {
		group = "";
	}
	rcap_log_format(folder + mount, sizeof(folder) - mount, "%s", group);
	do {
		if (folder[strlen(folder) - 1] == '/') {
			folder[strlen(folder) - 1] = '\0';
		}
		look_at_group(folder, sizeof(folder), files, out);
		slash = strrchr(folder + mount, '/');
		if (slash) {
			*slash = '\0';
		}
	} while (slash);
}

static void look_at_groups(const char *root, const char *process, struct rcap_room *out)
{
	char path[PATH_BYTES];
	struct lines lines;
	char *line;

	rcap_log_format(path, sizeof(path), "%s/proc/%s/cgroup", root, process);
	if (!open_lines(&lines, path)) {
		return;
	}
	while ((line = next_line(&lines)) != NULL) {
		const struct files *files = NULL;
		const char *group = find_group(line, &files);

		if (group) {
			look_up_tree(root, files, group, out);
		}
	}
	close_lines(&lines);
}

static void look_at_addresses(const char *root, const char *process, int64_t pid,
                              struct rcap_room *out)
{
	struct rlimit limit;
	char path[PATH_BYTES];
	uint64_t pages = 0;
	uint64_t used;

	if (prlimit((pid_t) pid, RLIMIT_AS, NULL, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
		return;
	}
	rcap_log_format(path, sizeof(path), "%s/proc/%s/statm", root, process);
	(void) read_number(path, "", &pages);
	used = pages * (uint64_t) sysconf(_SC_PAGESIZE);
	lower(out, limit.rlim_cur > used ? limit.rlim_cur - used : 0, RCAP_ROOM_ADDRESSES);
}

void rcap_room_look(const char *root, int64_t pid, struct rcap_room *out)
{
	const int saved = errno;
	char process[24] = "self";
	char path[PATH_BYTES];
	uint64_t free_kib;

	out->bytes = UINT64_MAX;
	out->bound = RCAP_ROOM_SETTING;
	if (pid != 0) {
		rcap_log_format(process, sizeof(process), "%ld", (long) pid);
	}
	look_at_groups(root, process, out);
	look_at_addresses(root, process, pid, out);
	rcap_log_format(path, sizeof(path), "%s/proc/meminfo", root);
	if (read_number(path, "MemAvailable:", &free_kib)) {
		lower(out, free_kib * 1024, RCAP_ROOM_FREE_MEMORY);
	}
	errno = saved;
}

const char *rcap_room_name(enum rcap_room_bound bound)
{
	static const char *const names[] = {
		[RCAP_ROOM_SETTING] = "RANGES_BUFFER",
		[RCAP_ROOM_FILES] = "free space of the spool's file system",
		[RCAP_ROOM_CGROUP] = "limit of the memory cgroup",
		[RCAP_ROOM_ADDRESSES] = "limit of the address space",
		[RCAP_ROOM_FREE_MEMORY] = "free memory of the machine",
	};

	return (size_t) bound < sizeof(names) / sizeof(names[0]) ? names[bound] : "";
}
