/* SPDX-License-Identifier: MIT */
/* Start times of processes, from /proc. */
#include "libranges/spool/owner.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/log.h"

/* Reads a small file without its last newline. Ends `out` with a NUL. Return: true if something was
 * read. */
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

/*
 * Reads field number `wanted` (3 or more) of /proc/PID/stat. The second field is the name in
 * parentheses and may contain anything, also ")". So fields are counted from the last ")". @state:
 * gets field 3. Return: the number; 0 if it can't be read.
 */
static uint64_t read_stat(const char *path, int wanted, char *state)
{
	char text[1024];
	const char *field;
	uint64_t value = 0;

	if (!read_small(path, text, sizeof(text)) || !(field = strrchr(text, ')')) ||
	    field[1] != ' ') {
		return 0;
	}
	field += 2;
	*state = *field;
	for (int blanks = 0; *field && blanks < wanted - 3; field++) {
		blanks += *field == ' ';
	}
	for (; *field >= '0' && *field <= '9'; field++) {
		value = value * 10 + (uint64_t) (*field - '0');
	}
	return value;
}

uint64_t rcap_owner_start_time(int64_t pid)
{
	char path[64];
	char state = 'X';
	uint64_t start;

	rcap_log_format(path, sizeof(path), "/proc/%ld/stat", (long) pid);
	start = read_stat(path, 22, &state);
	/* A zombie with other threads is a process that lives: its main thread has left by
	 * pthread_exit(). */
	if (state == 'X' || (state == 'Z' && read_stat(path, 20, &state) < 2)) {
		return 0;
	}
	return start;
}

bool rcap_owner_is_alone(uint64_t ours)
{
	char state = 'R';
	const uint64_t threads = read_stat("/proc/self/stat", 20, &state);

	/* A main thread that has left stays as a zombie, and is counted as a thread until the
	 * process ends. */
	return state == 'Z' && threads == 1 + ours;
}

bool rcap_owner_is_single(void)
{
	char state = 'R';

	return read_stat("/proc/self/stat", 20, &state) == 1;
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
