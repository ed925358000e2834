/* SPDX-License-Identifier: MIT */
/* Subscribes to CUPTI: with other profilers where it can be shared, else alone. */
#include "libranges/cupti/load/cupti-subscribe.h"

#include <stdlib.h>
#include <string.h>

#include "libranges/base/clock.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/base/log.h"
#include "libranges/cupti/load/cupti-find.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/cupti/load/cupti-status.h"
#include "libranges/cupti/load/cupti-way.h"
#include "libranges/process/process.h"

#define NAME_BYTES 64 /* CUPTI keeps this many bytes of a subscriber's name */
#define PREFIX     "CUPTI for "
#define NO_NAME    "<not provided>"

/* Two readings that differ by less than this are of the same clock. */
#define CLOCK_ERROR_NS UINT64_C(10000000000)

/* Answers of the library that was asked last. Only the subscribing thread uses them. */
static struct {
	bool can_share; /* the library can be shared */
	int refusal;    /* CUPTI's code when we tried to share; 0: it did not refuse */
	bool is_strange_clock;
	char neighbour[NAME_BYTES + 1]; /* name of the profiler that has CUPTI; "" if CUPTI does not
	                                 * tell */
} claim;

/* Writes CUPTI's version, such as "13.0" or "12". Before 13.0 CUPTI's versions were consecutive
 * numbers, so only the major version is known. */
static void write_version(char *out, size_t size)
{
	const uint32_t version = rcap_cupti.version;

	if (version >= RCAP_CUPTI_VERSION_13_0) {
		rcap_log_format(out, size, "%u.%u", version / 10000, version / 100 % 100);
	} else {
		rcap_log_format(out, size, "%u", version >= RCAP_CUPTI_VERSION_12_0 ? 12u : 11u);
	}
}

/* ---- Why not ---- */

static bool is_taken(int result)
{
	return result == RCAP_CUPTI_MULTIPLE_SUBSCRIBERS || result == RCAP_CUPTI_MAX_LIMIT_REACHED;
}

/* Writes a sentence that says why we could not subscribe to CUPTI. */
static const char *find_reason(int result)
{
	static const struct {
		int result;
		const char *reason;
	} reasons[] = {
		{ RCAP_CUPTI_INSUFFICIENT_PRIVILEGES, "this user may not trace the GPU" },
		{ RCAP_CUPTI_NOT_COMPATIBLE, "CUPTI can't work beside what this process does" },
		{ RCAP_CUPTI_NOT_INITIALIZED, "CUPTI can't connect to the driver" },
		{ RCAP_CUPTI_NO_VIRTUAL, "CUPTI does not work on this virtual GPU" },
		{ RCAP_CUPTI_VIRTUAL_FORBIDDEN,
		  "the hypervisor does not allow tracing of this virtual GPU" },
		{ RCAP_CUPTI_NO_CONFIDENTIAL,
		  "CUPTI does not work on a GPU in confidential computing mode" },
		{ RCAP_CUPTI_NO_CMP, "CUPTI does not work on mining processors (CMP)" },
		{ RCAP_CUPTI_NO_MIG, "CUPTI does not work on a GPU that is split up (MIG)" },
		{ RCAP_CUPTI_NO_SLI, "CUPTI does not work on GPUs coupled by SLI" },
		{ RCAP_CUPTI_NO_WSL, "CUPTI does not work under this WSL" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].result == result) {
			return reasons[i].reason;
		}
	}
	return "CUPTI finds no usable driver";
}

static bool may_share(void)
{
	return rcap_process.config.cuda_shared != 0;
}

/* Writes a sentence about the other profiler that has CUPTI. */
static void explain_taken(int result, const char *version, char *why, size_t size)
{
	const char *text = rcap_cupti_load_explain(result);
	const char *open = claim.neighbour[0] != '\0' ? " (" : "";
	const char *close = claim.neighbour[0] != '\0' ? ")" : "";

	if (!claim.can_share) {
		rcap_log_format(why, size,
		                "no GPU data: another profiler uses CUPTI in this process, and "
		                "CUPTI %s serves only one (13.3 and later serve several) (%s)",
		                version, text);
	} else if (!may_share()) {
		rcap_log_format(why, size,
		                "no GPU data: another profiler uses CUPTI in this process, and "
		                "RANGES_CUDA_SHARED=off forbids to share it (%s)",
		                text);
	} else {
		rcap_log_format(why, size,
		                "no GPU data: another profiler%s%s%s uses CUPTI in this process "
		                "and does not share it (%s)",
		                open, claim.neighbour, close, text);
	}
}

static void explain(int result, char *why, size_t size)
{
	const uint32_t driver = rcap_cupti_find_driver();
	char version[16];

	write_version(version, sizeof(version));
	if (claim.is_strange_clock) {
		rcap_log_format(why, size,
		                "no GPU data: another profiler gave CUPTI its own clock, whose "
		                "times can't be compared with those of ranges");
	} else if (is_taken(result)) {
		explain_taken(result, version, why, size);
	} else if (driver != 0 && strtoul(version, NULL, 10) > driver / 1000) {
		rcap_log_format(why, size, "no GPU data: CUPTI %s does not fit driver %u.%u (%s)",
		                version, driver / 1000, driver / 10 % 100,
		                rcap_cupti_load_explain(result));
	} else {
		rcap_log_format(why, size, "no GPU data: %s (%s)", find_reason(result),
		                rcap_cupti_load_explain(result));
	}
}

/* ---- Sharing with others ---- */

/* True if the library can be shared. Versions before 13.3 can't be shared, although they have some
 * of these functions. */
static bool can_share(void)
{
	return rcap_cupti.version >= RCAP_CUPTI_VERSION_13_3 && rcap_cupti.subscribe_v2 &&
	       rcap_cupti.register_callbacks_v2 && rcap_cupti.enable_v2 && rcap_cupti.disable_v2 &&
	       rcap_cupti.set_attribute_v2 && rcap_cupti.get_timestamp_v2;
}

static bool is_near(uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) < CLOCK_ERROR_NS;
}

/*
 * Checks CUPTI's clock. It is the system's clock, unless another profiler has set one.
 *
 * Return: CUPTI's code; if it is not 0, CUPTI can't be shared.
 */
static int look_at_clock(void *subscriber, bool *is_monotonic)
{
	uint64_t time = 0;
	const int rc = rcap_cupti.get_timestamp_v2(subscriber, &time);

	*is_monotonic = is_near(time, rcap_clock_mono_ns());
	claim.is_strange_clock =
		rc == 0 && time != 0 && !*is_monotonic && !is_near(time, rcap_clock_real_ns());
	return claim.is_strange_clock ? RCAP_CUPTI_NOT_COMPATIBLE : rc;
}

/* Stores the name of the profiler that has CUPTI. Stores "" if there is no such profiler, or if it
 * has no name. */
static void keep_neighbour(const char *told)
{
	const size_t prefix = sizeof(PREFIX) - 1;
	const char *name = strncmp(told, PREFIX, prefix) == 0 ? told + prefix : told;

	rcap_log_format(claim.neighbour, sizeof(claim.neighbour), "%s",
	                strcmp(name, NO_NAME) == 0 ? "" : name);
}

static int subscribe_shared(struct rcap_cupti_subscription *out, rcap_cupti_callback_fn *event)
{
	char other[NAME_BYTES + 1] = "";
	struct rcap_cupti_subscriber_params params = {
		.bytes = sizeof(params),
		.name = "ranges",
		.old_name = other,
		.old_bytes = sizeof(other),
		.is_shared = 1,
	};
	int rc = rcap_cupti.subscribe_v2(&out->subscriber, event, NULL, &params);

	other[NAME_BYTES] = '\0';
	keep_neighbour(other);
	if (rc != 0) {
		return rc;
	}
	rc = look_at_clock(out->subscriber, &out->is_monotonic);
	if (rc != 0) {
		(void) rcap_cupti.unsubscribe(out->subscriber);
		out->subscriber = NULL;
		return rc;
	}
	rcap_cupti_way_choose(out->subscriber);
	rcap_cupti_load_measure(out->subscriber);
	return 0;
}

/* ---- Which way ---- */

static int subscribe_alone(struct rcap_cupti_subscription *out, rcap_cupti_callback_fn *event)
{
	return rcap_cupti.subscribe(&out->subscriber, event, NULL);
}

/* True if we should subscribe alone. A shared CUPTI can't record graphs as wholes. So if the user
 * wants only wholes, we try to be the only subscriber. */
static bool prefers_alone(void)
{
	return rcap_process.config.graph_nodes == 0;
}

/* Subscribes to the loaded library. Return: CUPTI's code; on failure `why` gets a line. */
static int subscribe(struct rcap_cupti_subscription *out, rcap_cupti_callback_fn *event, char *why,
                     size_t size)
{
	int rc = RCAP_CUPTI_MULTIPLE_SUBSCRIBERS;

	memset(out, 0, sizeof(*out));
	memset(&claim, 0, sizeof(claim));
	claim.can_share = can_share();
	if (claim.can_share && may_share() && !prefers_alone()) {
		claim.refusal = subscribe_shared(out, event);
		if (claim.refusal == 0) {
			return 0;
		}
	}
	/* If the new function of CUPTI refuses, the old one may still work. NVIDIA's own programs
	 * try both, too. */
	rc = claim.is_strange_clock ? RCAP_CUPTI_NOT_COMPATIBLE : subscribe_alone(out, event);
	if (is_taken(rc) && claim.can_share && may_share() && prefers_alone()) {
		rc = subscribe_shared(out, event);
	}
	if (rc != 0) {
		explain(rc, why, size);
	}
	return rc;
}

bool rcap_cupti_subscribe_claim(struct rcap_cupti_subscription *out, const char *wanted,
                                rcap_cupti_callback_fn *event)
{
	char first_why[400] = "";
	int first_rc = 0;

	if (!rcap_cupti_load_open(wanted)) {
		rcap_cupti_status_add(0, "no GPU data: %s", rcap_cupti.path);
		return false;
	}
	do {
		char why[sizeof(first_why)];
		const int rc = subscribe(out, event, why, sizeof(why));

		if (rc == 0) {
			return true;
		}
		RCAP_LOG(RCAP_LOG_DEBUG, "cupti: %s: %s", rcap_cupti.path, why);
		if (first_rc == 0) {
			memcpy(first_why, why, sizeof(why));
			first_rc = rc;
		}
		if (is_taken(rc) || claim.is_strange_clock ||
		    rc == RCAP_CUPTI_INSUFFICIENT_PRIVILEGES) {
			break; /* any other library would give the same answer */
		}
	} while (rcap_cupti_load_next());
	rcap_cupti_status_add(first_rc, "%s", first_why);
	return false;
}

void rcap_cupti_subscribe_tell(void)
{
	if (rcap_cupti_way_is_shared()) {
		rcap_cupti_status_add(
			0, "other profilers can use CUPTI beside ranges if they subscribe by "
			   "cuptiSubscribe_v2; by cuptiSubscribe they can't");
	} else if (claim.refusal != 0) {
		rcap_cupti_status_add(claim.refusal,
		                      "only ranges can use CUPTI: sharing it failed, which takes "
		                      "driver 610 or later (%s)",
		                      rcap_cupti_load_explain(claim.refusal));
	}
}
