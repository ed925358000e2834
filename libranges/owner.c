/* SPDX-License-Identifier: MIT */
/* Start times of processes, from /proc. */
#include "libranges/owner.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/log.h"

/* Reads a small file, without the final newline. Return: true if something was read. out is
 * terminated. */
static bool read_small(const char *path, char *out, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = 0;
	size_t total = 0;

	if (fd < 0) {
		out[0] = '\0';
		return false;
	}
	while (total < size - 1 && (length = read(fd, out + total, size - 1 - total)) > 0) {
		total += (size_t) length;
	}
	close(fd);
	if (total > 0 && out[total - 1] == '\n') {
		total--;
	}
	out[total] = '\0';
	return total > 0;
}

uint64_t rcap_owner_start_time(int64_t pid)
{
	char path[64];
	char text[1024];
	const char *field;
	uint64_t value = 0;

	rcap_log_format(path, sizeof(path), "/proc/%ld/stat", (long) pid);
	/* The second field is the name in parentheses and may hold anything, also ")": count from
	 * the last one. */
	if (!read_small(path, text, sizeof(text)) || !(field = strrchr(text, ')')) ||
	    field[1] != ' ' || field[2] == 'Z' || field[2] == 'X') {
		return 0;
	}
	field += 2; /* field 3, the state; field 22 is 19 blanks further */
	for (int blanks = 0; *field && blanks < 19; field++) {
		blanks += *field == ' ';
	}
	for (; *field >= '0' && *field <= '9'; field++) {
		value = value * 10 + (uint64_t) (*field - '0');
	}
	return value;
}

uint64_t rcap_owner_pid_ns(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

bool rcap_owner_boot_id(char *out, size_t size)
{
	return read_small("/proc/sys/kernel/random/boot_id", out, size);
}
