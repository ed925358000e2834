/* SPDX-License-Identifier: MIT */
/* Finds out whether an unfinished call was left for ever, by a longjmp, or is only interrupted. */
#include "libranges/record/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/base/signals.h"
#include "libranges/base/tsan.h"

/* A distance on the stack that is less than the smallest signal frame, and more than our own
 * functions take from here up to the program's. */
#define SIGNAL_FRAME_BYTES 512u

/* Parser of a line of /proc/self/maps. The line begins with two numbers: start-end. */
struct mapping {
	uintptr_t number[2];
	unsigned index; /* which number is being read; 2: the rest of the line */
};

static void take_character(struct mapping *line, char c)
{
	if (c == '\n') {
		*line = (struct mapping){ { 0, 0 }, 0 };
	} else if (line->index < 2 && (c == '-' || c == ' ')) {
		line->index++;
	} else if (line->index < 2) {
		line->number[line->index] = line->number[line->index] * 16 +
		                            (uintptr_t) (c <= '9' ? c - '0' : c - 'a' + 10);
	}
}

/* Reads the file up to the mapping that has the address. Does not allocate, so it is safe in signal
 * handlers. */
static bool find_mapping(int fd, uintptr_t address, struct mapping *line)
{
	char text[512];
	ssize_t got;

	*line = (struct mapping){ { 0, 0 }, 0 };
	while ((got = read(fd, text, sizeof(text))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			take_character(line, text[i]);
			if (line->index == 2 && line->number[0] <= address &&
			    address < line->number[1]) {
				return true;
			}
		}
	}
	return false;
}

/* An address in the stack of the process' first thread. */
static uintptr_t stack_anchor(void)
{
	return syscall(SYS_gettid) == getpid() ? getauxval(AT_EXECFN) : (uintptr_t) pthread_self();
}

static bool is_own_stack(uintptr_t one, uintptr_t other)
{
	const uint64_t mask = rcap_signals_block();
	const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	const uintptr_t anchor = stack_anchor();
	struct mapping line;
	bool is_own = false;

	if (fd >= 0) {
		is_own = find_mapping(fd, anchor, &line) && line.number[0] <= one &&
		         one < line.number[1] && line.number[0] <= other && other < line.number[1];
		close(fd);
	}
	rcap_signals_restore(mask);
	return is_own;
}

bool rcap_guard_is_abandoned(uintptr_t held, uintptr_t here)
{
	stack_t handlers = { 0 };
	const int saved = errno;
	bool is_certain = false;

	/* TSan runs handlers later. So there is no kernel frame between a handler and the code that
	 * it interrupted. */
	if (rcap_tsan_is_there()) {
		return false;
	}
	if (sigaltstack(NULL, &handlers) != 0 || (handlers.ss_flags & SS_ONSTACK) != 0) {
		return false;
	}
	if (held - (uintptr_t) handlers.ss_sp < handlers.ss_size) {
		return true; /* no handler is running on that stack any more */
	}
	if (here + SIGNAL_FRAME_BYTES > held) {
		is_certain = is_own_stack(held, here);
	}
	errno = saved;
	return is_certain;
}
