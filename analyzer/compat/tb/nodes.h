/* SPDX-License-Identifier: MIT */
/* --compat=tb: holds operators, runtime calls and device work, linked as in the plugin. */
#ifndef RA_TB_NODES_H
#define RA_TB_NODES_H

#include "analyzer/base/order/stretches.h"
#include "analyzer/compat/tb/events.h"
#include "analyzer/base/util-map.h"

/*
 * Indices refer to the arrays of struct ra_tb_nodes; RA_KINETO_NONE means none. As in the plugin,
 * device work belongs to the runtime call with its correlation. A runtime call belongs to the first
 * node with its external id. Two entries without an id count as having the same id.
 */

/* Used instead of the string id of CallTreeRoot, the plugin's name for the root of a thread. */
#define RA_TB_ROOT_NAME (RA_KINETO_NONE - 1)

/* A kernel, copy or memset. */
struct ra_tb_device {
	double start;
	double end;
	uint32_t row;
	uint32_t next;    /* next one of the same runtime call */
	uint32_t op_name; /* string id of the name of the node to which it belongs; NONE: no node
	                     has its runtime call */
	bool is_kernel;
	bool is_tensor; /* its name says that it uses tensor cores */
	bool op_is_eligible;
	bool is_in_step; /* its call was launched within a step */
};

struct ra_tb_runtime {
	double device_time; /* time of its device work; it increases each time a node counts the
	                       call */
	double tensor_time;
	uint32_t first; /* its first device work */
	uint32_t last;
	uint32_t row; /* NONE: it stands for kernels whose launch is missing */
};

/* An entry in a node's list of runtime calls. A call may be in two lists. */
struct ra_tb_link {
	uint32_t runtime;
	uint32_t next;
};

enum ra_tb_class {
	RA_TB_PLAIN,
	RA_TB_CLASS_STEP,
	RA_TB_CLASS_MODULE,
	RA_TB_CLASS_LOADER,
	RA_TB_CLASS_OPTIMIZER,
	RA_TB_CLASS_BACKWARD, /* a node made for a module: the module's operators in the backward
	                         pass */
	RA_TB_CLASS_ROOT,
};

struct ra_tb_node {
	double start;
	double end;
	double device_time; /* time of its own calls and of its children */
	double self_device;
	double self_host;
	double tensor_self;
	double tensor_total;
	uint32_t row; /* NONE: no event of the trace is this node */
	uint32_t name;
	uint32_t parent;
	uint32_t first_child;
	uint32_t last_child;
	uint32_t next; /* next sibling */
	uint32_t first_link;
	uint32_t last_link;
	uint8_t type;     /* enum ra_tb_type */
	uint8_t class;    /* enum ra_tb_class */
	bool is_eligible; /* it could use tensor cores */
	bool is_removed;  /* merged into its parent, or overlaps another node without nesting */
	bool is_visited;  /* a search for memory records went into it */
};

/* The nodes of a thread. Threads of several processes with the same number count as one. */
struct ra_tb_tree {
	int64_t tid;
	uint32_t root;
	size_t first; /* index of its first node in `order` */
	size_t count;
	bool has_step;
	bool is_dropped;
};

/* A collective of NCCL or Gloo on the CPU side. */
struct ra_tb_comm {
	double start;
	double end;
	uint32_t row;
	uint32_t external;
	uint32_t step;              /* index of the step; RA_KINETO_NONE: none */
	struct ra_stretches ranges; /* owned; its own range, then those of its kernels */
	struct ra_stretches real;   /* owned; the parts of `ranges` without waiting */
};

struct ra_tb_linker;

struct ra_tb_nodes {
	const struct ra_tb_events *events;
	struct ra_tb_device *devices; /* owned, as all arrays; in order of time */
	size_t device_count;
	struct ra_tb_runtime *runtimes; /* in order of time; those that stand for missing launches
	                                   come last */
	size_t runtime_count;
	size_t runtime_capacity;
	size_t real_runtimes; /* number of runtimes without those that stand for missing launches */
	struct ra_tb_link *links;
	size_t link_count;
	size_t link_capacity;
	struct ra_tb_node *nodes;
	size_t node_count;
	size_t node_capacity;
	uint32_t *order; /* nodes ordered by tree, start, then length; NULL once the trees are
	                    built */
	struct ra_tb_tree *trees;
	size_t tree_count;
	size_t tree_capacity;
	struct ra_tb_comm *comms;
	size_t comm_count;
	size_t comm_capacity;
	struct ra_util_map comm_by_external;
	struct ra_tb_linker *linker; /* owned; NULL once the trees are built */
	bool has_nccl;
	bool has_gloo;
	bool uses_dp;
	bool uses_ddp;
};

void ra_tb_nodes_fini(struct ra_tb_nodes *nodes);

/* Frees runtime calls and the links to them. */
void ra_tb_nodes_drop_calls(struct ra_tb_nodes *nodes);

/* Frees everything except device work and collectives. */
void ra_tb_nodes_drop_trees(struct ra_tb_nodes *nodes);

/* Returns the start and end of a runtime call in the trace. */
static inline struct ra_stretch ra_tb_nodes_times(const struct ra_tb_nodes *nodes,
                                                  const struct ra_tb_runtime *runtime)
{
	const struct ra_kineto *kineto = nodes->events->kineto;
	struct ra_stretch times = { 0, 0, 0 };

	if (runtime->row != RA_KINETO_NONE) {
		times.start = ra_kineto_us(ra_kineto_ts(kineto, runtime->row));
		times.end = times.start + ra_kineto_us(ra_kineto_dur(kineto, runtime->row));
	}
	return times;
}

/* Adds a runtime call to a node's list. */
void ra_tb_nodes_link(struct ra_tb_nodes *nodes, uint32_t node, uint32_t runtime);

/* Appends a node without parent and children. Return: its index. */
uint32_t ra_tb_nodes_add(struct ra_tb_nodes *nodes, const struct ra_tb_node *node);

/* True for nodes that are in the table of operators. That also depends on the name. */
bool ra_tb_nodes_is_operator(const struct ra_tb_nodes *nodes, uint32_t node);

/*
 * Walk over the nodes below a root, and the root itself, children before parents: call begin, then
 * next until it returns RA_KINETO_NONE.
 */
uint32_t ra_tb_nodes_begin(const struct ra_tb_nodes *nodes, uint32_t root);
uint32_t ra_tb_nodes_next(const struct ra_tb_nodes *nodes, uint32_t root, uint32_t node);

/* Returns the node after this one below `top`, parents before children; RA_KINETO_NONE at the end.
 * Begin with `top` itself. */
uint32_t ra_tb_nodes_below(const struct ra_tb_nodes *nodes, uint32_t top, uint32_t node);

#endif
