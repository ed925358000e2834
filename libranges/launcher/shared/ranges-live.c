/* SPDX-License-Identifier: MIT */
/* The spool of a living program, opened for writing: asks its drain to do something. */
#include "libranges/launcher/shared/ranges-live.h"

#include <fcntl.h>
#include <unistd.h>

#include "libranges/base/log.h"
#include "libranges/process/ask.h"
#include "libranges/spool/owner.h"
#include "libranges/spool/spool-lock.h"

/* A drain must answer within this time, because a user waits at a screen. */
#define ANSWER_NS UINT64_C(5000000000)

/* How often to try the lock. Processes that only look at a spool, as we do, hold its lock for some
 * microseconds. A recovery holds it for longer than all tries take. */
#define LOCK_TRIES    50
#define LOCK_PAUSE_US 1000

static bool has_known_pid(const struct rcap_spool_header *header)
{
	return header->pid_ns == rcap_owner_pid_ns() && header->start_time != 0;
}

static bool has_live_pid(const struct rcap_spool_header *header)
{
	return rcap_owner_start_time(header->facts.pid) == header->start_time;
}

bool rcap_ranges_live_is_there(const void *spool)
{
	const struct rcap_spool *const its = spool;
	enum rcap_spool_holder holder = RCAP_HOLDER_RECOVERY;
	int fd;

	if (has_known_pid(its->header)) {
		return has_live_pid(its->header);
	}
	/* If the program is in another pid namespace, only the lock shows whether it lives. */
	fd = open(its->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		return false;
	}
	for (int tries = 0; tries < LOCK_TRIES && holder == RCAP_HOLDER_RECOVERY; tries++) {
		if (tries > 0) {
			usleep(LOCK_PAUSE_US);
		}
		holder = rcap_spool_lock_take(fd);
		rcap_spool_lock_give(fd);
	}
	close(fd);
	return holder == RCAP_HOLDER_OWNER;
}

bool rcap_ranges_live_open(struct rcap_spool *spool, const char *path)
{
	struct rlog_error err = { .code = RLOG_OK };
	int holder = RCAP_HOLDER_NONE;
	bool is_alive;

	if (rcap_spool_open(spool, path, &holder, &err) != 0 || !spool->header) {
		rcap_spool_close(spool);
		return false;
	}
	rcap_spool_lock_give(spool->lock_fd);
	close(spool->lock_fd);
	spool->lock_fd = 0;
	/* If the program has closed the lock's file, or has none, its pid shows whether it
	 * lives. */
	is_alive = holder == RCAP_HOLDER_OWNER ||
	           ((has_known_pid(spool->header) || holder == RCAP_HOLDER_RECOVERY) &&
	            rcap_ranges_live_is_there(spool));
	if (!is_alive ||
	    atomic_load_explicit(&spool->header->state, memory_order_acquire) != RCAP_SPOOL_LIVE) {
		rcap_spool_close(spool);
		return false;
	}
	return true;
}

bool rcap_ranges_live_snapshot(const char *path, char *answer, size_t size)
{
	char written[RCAP_KEPT_PATH_BYTES] = "";
	struct rcap_spool spool;
	const struct rcap_patience patience = { .wait_ns = ANSWER_NS,
		                                .is_there = rcap_ranges_live_is_there,
		                                .context = &spool };
	int result;

	if (!rcap_ranges_live_open(&spool, path)) {
		rcap_log_format(answer, size, "no snapshot: it has just ended");
		return false;
	}
	if (spool.header->drained != RCAP_DRAINED_INSIDE) {
		rcap_log_format(answer, size, "no snapshot: it has no libranges thread");
		rcap_spool_close(&spool);
		return false;
	}
	result = rcap_ask(&spool.header->control, RCAP_CONTROL_SNAPSHOT, NULL, written,
	                  sizeof(written), &patience);
	rcap_spool_close(&spool);
	if (result == RCAP_CONTROL_DONE) {
		rcap_log_format(answer, size, "snapshot: %s", written);
	} else {
		rcap_log_format(answer, size, "no snapshot: %s",
		                result == RCAP_CONTROL_NOTHING  ? "nothing is kept (--keep)"
		                : result == RCAP_CONTROL_FAILED ? written
		                : result == RCAP_ASK_GONE       ? "it has just ended"
		                                                : "it does not answer");
	}
	return result == RCAP_CONTROL_DONE;
}
