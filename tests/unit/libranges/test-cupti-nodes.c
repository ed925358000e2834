/* SPDX-License-Identifier: MIT */
/* Tests nodes of a large graph that are made faster than they are written: the table does not grow,
 * and a caller that finds no room gets an error. */
#include <errno.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/cupti/records/cupti-nodes.h"
#include "tests/tap.h"

#define NODES 100000u
#define ROOM  65536u

/* A node's handle is its id. */
static int get_node_id(const void *node, uint64_t *id)
{
	*id = (uintptr_t) node;
	return 0;
}

static bool make(uint64_t id)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const struct rcap_cupti_node_data data = { .node = (const void *) (uintptr_t) id };
	const struct rcap_cupti_resource_data resource = { .descriptor = &data };

	return rcap_cupti_nodes_keep(RCAP_CUPTI_RESOURCE_NODE_CREATED, &resource, id);
}

/* How many of those from an id on are there, in order. */
static uint32_t take(uint64_t id)
{
	struct rcap_cupti_node node;
	uint32_t count = 0;

	while (rcap_cupti_nodes_take(&node) && node.node == id + count) {
		count++;
	}
	return count;
}

int main(void)
{
	uint32_t kept = 0;
	uint32_t refused = 0;

	rcap_cupti.get_node_id = get_node_id;
	errno = EDOM;
	for (uint32_t i = 1; i <= NODES; i++) {
		const bool is_kept = make(i);

		kept += is_kept && refused == 0;
		refused += !is_kept;
	}
	tap_ok(errno == EDOM, "errno is left alone");
	tap_ok(kept == ROOM && refused == NODES - ROOM, "%u nodes are kept, the others refused",
	       kept);
	tap_ok(take(1) == ROOM, "those are the first, in order");
	tap_ok(make(7) && make(8), "then there is room again");
	tap_ok(take(7) == 2, "for what comes then");
	return tap_done();
}
