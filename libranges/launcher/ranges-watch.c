/* SPDX-License-Identifier: MIT */
/* Drains the spools of living programs of a run that have no thread of ours. */
#include "libranges/launcher/ranges-watch.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/drain/drain.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/drain/keep/triggers.h"
#include "libranges/spool/owner.h"

#define NS_PER_MS UINT64_C(1000000)
/* How often to check whether a program lives. */
#define LOOK_STEP_NS (50 * NS_PER_MS)
/* If a program has more data than we can write, it gets at most this much time in a turn. */
#define TURN_NS (20 * NS_PER_MS)
/* How long to wait after a log could not be created or written. */
#define RETRY_NS (200 * NS_PER_MS)

struct rcap_ranges_watched {
	struct rcap_ranges_watched *next;
	char path[RCAP_CONFIG_PATH_BYTES];
	struct rcap_spool spool;
	struct rcap_drain drain;
	uint64_t retry_ns; /* no new try before this time */
	bool has_log;
	bool is_over; /* the spool is closed */
};

void rcap_ranges_watch_begin(struct rcap_ranges_watch *watch, const char *run_dir,
                             const struct rcap_config *config)
{
	memset(watch, 0, sizeof(*watch));
	watch->run_dir = run_dir;
	watch->flush_ns = rcap_config_flush_ns(config);
}

static void let_go(struct rcap_ranges_watched *watched)
{
	if (!watched->is_over) {
		rcap_drain_fini(&watched->drain);
		rcap_spool_close(&watched->spool);
		watched->is_over = true;
	}
}

static bool is_known(const struct rcap_ranges_watch *watch, const char *path)
{
	for (const struct rcap_ranges_watched *at = watch->first; at; at = at->next) {
		if (strcmp(at->path, path) == 0) {
			return true;
		}
	}
	return false;
}

/* Attaches to a spool. An unfinished spool, or one with another drain, is left alone for now. */
static void try_spool(struct rcap_ranges_watch *watch, const char *path)
{
	struct rcap_ranges_watched *watched;

	if (is_known(watch, path)) {
		return;
	}
	watched = calloc(1, sizeof(*watched));
	if (!watched || rcap_spool_attach(&watched->spool, path, NULL) != 0) {
		free(watched);
		return;
	}
	if (rcap_drain_init(&watched->drain, &watched->spool, true) != 0) {
		rcap_spool_close(&watched->spool);
		free(watched);
		return;
	}
	rcap_keep_init(&watched->drain);
	rcap_triggers_init(&watched->drain);
	/* We can make clock points only if our clock is the same as the program's. */
	rcap_clock_init(strcmp(watched->spool.header->clock, "monotonic") == 0
	                        ? RCAP_CLOCK_MONOTONIC
	                        : RCAP_CLOCK_TSC);
	if (strcmp(watched->spool.header->clock, rcap_clock_name()) != 0) {
		watched->drain.next_sync_ns = UINT64_MAX;
	}
	rcap_log_format(watched->path, sizeof(watched->path), "%s", path);
	watched->drain.flush_ns = watch->flush_ns;
	watched->next = watch->first;
	watch->first = watched;
}

static void look_for_spools(struct rcap_ranges_watch *watch)
{
	DIR *const directory = opendir(watch->run_dir);
	const struct dirent *entry;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	while (directory && (entry = readdir(directory)) != NULL) {
		char path[RCAP_CONFIG_PATH_BYTES];
		const size_t length = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || length < sizeof(RCAP_SPOOL_SUFFIX) ||
		    strcmp(entry->d_name + length - (sizeof(RCAP_SPOOL_SUFFIX) - 1),
		           RCAP_SPOOL_SUFFIX) != 0) {
			continue;
		}
		rcap_log_format(path, sizeof(path), "%s/%s", watch->run_dir, entry->d_name);
		try_spool(watch, path);
	}
	if (directory) {
		closedir(directory);
	}
}

/* The program locks its spool as long as it lives. If it has closed the lock's file by accident,
 * its pid shows whether it lives. */
static bool has_owner(const struct rcap_spool *spool)
{
	const struct rcap_spool_header *header = spool->header;

	if (atomic_load_explicit(&header->locking, memory_order_relaxed) == RCAP_LOCKING_NONE ||
	    flock(spool->lock_fd, LOCK_EX | LOCK_NB) != 0) {
		return true;
	}
	flock(spool->lock_fd, LOCK_UN);
	return header->pid_ns == rcap_owner_pid_ns() && header->start_time != 0 &&
	       rcap_owner_start_time(header->facts.pid) == header->start_time;
}

static void note_failure(struct rcap_ranges_watched *watched, const struct rlog_error *err,
                         uint64_t now_ns)
{
	struct rcap_spool_header *header = watched->spool.header;

	watched->retry_ns = now_ns + RETRY_NS;
	if (header->note[0] == '\0') {
		rcap_log_format(header->note, sizeof(header->note), "%s", err->message);
	}
}

static void drain(struct rcap_ranges_watched *watched, uint64_t now_ns)
{
	struct rlog_error err = { .code = RLOG_OK };
	uint64_t written = 0;

	if (now_ns < watched->retry_ns) {
		return;
	}
	if (!watched->has_log && rcap_drain_wants_log(&watched->spool) &&
	    rcap_drain_create_log(&watched->drain, &err) != 0) {
		note_failure(watched, &err, now_ns);
		return;
	}
	watched->has_log = true; /* also true if there is no log now because switches begin and end
	                          * logs */
	/* After a full chunk, more events are probably waiting. */
	do {
		const bool is_due = rcap_triggers_are_due(&watched->drain);

		if (rcap_drain_turn(&watched->drain, is_due, &written, &err) != 0) {
			note_failure(watched, &err, now_ns);
			return;
		}
		if (is_due) {
			rcap_triggers_serve(&watched->drain);
		}
		rcap_spool_look_ahead(&watched->spool, 2 * watched->drain.freed);
	} while (written >= RCAP_DRAIN_ROWS && rcap_clock_mono_ns() - now_ns < TURN_NS);
}

static void look_after(struct rcap_ranges_watched *watched)
{
	struct rcap_spool *spool = &watched->spool;
	const uint64_t now_ns = rcap_clock_mono_ns();

	drain(watched, now_ns);
	rcap_shrink_watch(&watched->drain.shrink, spool, spool->header->facts.pid, now_ns);
	rcap_spool_look_ahead(spool, 2 * watched->drain.freed);
	/* Relaxed: it only shows that we live. */
	atomic_store_explicit(&spool->header->drained_ns, now_ns, memory_order_relaxed);
}

void rcap_ranges_watch_turn(void *context)
{
	struct rcap_ranges_watch *const watch = context;
	const uint64_t now_ns = rcap_clock_mono_ns();
	const bool is_look = now_ns >= watch->next_look_ns;

	if (is_look) {
		watch->next_look_ns = now_ns + LOOK_STEP_NS;
	}
	/* in every turn, because a program that has just started fills its buffer */
	look_for_spools(watch);
	for (struct rcap_ranges_watched *at = watch->first; at; at = at->next) {
		if (!at->is_over && is_look && !has_owner(&at->spool)) {
			let_go(at);
		}
		if (!at->is_over) {
			look_after(at);
		}
	}
}

void rcap_ranges_watch_end(struct rcap_ranges_watch *watch)
{
	while (watch->first) {
		struct rcap_ranges_watched *const watched = watch->first;

		watch->first = watched->next;
		let_go(watched);
		free(watched);
	}
}
