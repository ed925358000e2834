/* SPDX-License-Identifier: MIT */
/* Nodes of CUDA graphs as the program makes them. */
#include "libranges/cupti/records/cupti-nodes.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/abi/cupti-abi.h"
#include "libranges/cupti/records/cupti-buffers.h"
#include "libranges/cupti/load/cupti-load.h"

/* At most this many nodes are kept between two rounds of the worker. The worker is woken when an
 * eighth of them is in use, because other threads may have the CPU for a while. */
#define NODES 65536u

/* The lock is held for some instructions only. */
static struct {
	pthread_mutex_t lock;
	struct rcap_cupti_node nodes[NODES];
	uint32_t first;
	uint32_t count;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The node that this thread is making, if the node contains a graph. CUPTI reports the nodes of
 * that graph before the end of this node. */
static _Thread_local struct {
	const void *node; /* the outermost such node; NULL: there is none */
	uint32_t graph;   /* the graph that the node belongs to */
} making;

void rcap_cupti_nodes_watch(void *subscriber)
{
	static const uint32_t cbids[] = { RCAP_CUPTI_RESOURCE_NODE_STARTING,
		                          RCAP_CUPTI_RESOURCE_NODE_CREATED,
		                          RCAP_CUPTI_RESOURCE_NODE_CLONED,
		                          RCAP_CUPTI_RESOURCE_NODE_UPDATED };

	for (size_t i = 0; rcap_cupti.get_node_id && rcap_cupti.get_graph_id &&
	                   i < sizeof(cbids) / sizeof(cbids[0]);
	     i++) {
		(void) rcap_cupti.enable_callback(1, subscriber, RCAP_CUPTI_DOMAIN_RESOURCE,
		                                  cbids[i]);
	}
}

static uint64_t find_id(const void *node)
{
	uint64_t id = 0;

	return node && rcap_cupti.get_node_id(node, &id) == 0 ? id : 0;
}

static void note_start(const struct rcap_cupti_node_data *data)
{
	if (!making.node &&
	    (data->type == RCAP_CUPTI_NODE_CHILD || data->type == RCAP_CUPTI_NODE_CONDITIONAL)) {
		making.node = data->node;
		making.graph = 0;
		(void) rcap_cupti.get_graph_id(data->graph, &making.graph);
	}
}

static void note_end(const struct rcap_cupti_node_data *data)
{
	if (making.node == data->node) {
		making.node = NULL;
	}
}

static bool keep(const struct rcap_cupti_node *node)
{
	bool has_room;
	bool is_due;

	pthread_mutex_lock(&kept.lock);
	has_room = kept.count < NODES;
	if (has_room) {
		kept.nodes[(kept.first + kept.count++) % NODES] = *node;
	}
	is_due = kept.count == NODES / 8;
	pthread_mutex_unlock(&kept.lock);
	if (is_due) {
		rcap_cupti_buffers_wake();
	}
	return has_room;
}

bool rcap_cupti_nodes_keep(uint32_t cbid, const void *data, uint64_t time)
{
	struct rcap_cupti_node node = { .time = time };
	struct rcap_cupti_resource_data resource;
	struct rcap_cupti_node_data told;

	memcpy(&resource, data, sizeof(resource));
	if (!resource.descriptor) {
		return true;
	}
	memcpy(&told, resource.descriptor, sizeof(told));
	if (cbid == RCAP_CUPTI_RESOURCE_NODE_STARTING) {
		note_start(&told);
		return true;
	}
	if (cbid == RCAP_CUPTI_RESOURCE_NODE_CREATED) {
		note_end(&told);
		node.how = RCAP_CUPTI_NODES_MADE;
		node.node = find_id(told.node);
	} else if (cbid == RCAP_CUPTI_RESOURCE_NODE_CLONED) {
		node.how = RCAP_CUPTI_NODES_CLONED;
		node.node = find_id(told.node);
		node.original = find_id(told.original_node);
		node.outer = making.node ? making.graph : 0;
	} else {
		/* CUPTI calls the node of the executable graph the original node. */
		node.how = RCAP_CUPTI_NODES_UPDATED;
		node.node = find_id(told.original_node);
		node.original = find_id(told.node);
	}
	node.tid = (uint32_t) syscall(SYS_gettid);
	return node.node == 0 || keep(&node);
}

bool rcap_cupti_nodes_take(struct rcap_cupti_node *out)
{
	bool is_there;

	pthread_mutex_lock(&kept.lock);
	is_there = kept.count > 0;
	if (is_there) {
		*out = kept.nodes[kept.first];
		kept.first = (kept.first + 1) % NODES;
		kept.count--;
	}
	pthread_mutex_unlock(&kept.lock);
	return is_there;
}
