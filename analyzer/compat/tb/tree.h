/* SPDX-License-Identifier: MIT */
/* --compat=tb: builds a tree of a thread's nodes, and computes the figures of each node. */
#ifndef RA_TB_TREE_H
#define RA_TB_TREE_H

#include "analyzer/compat/tb/nodes.h"

/* Gives each tree a root. */
void ra_tb_tree_add_roots(struct ra_tb_nodes *nodes);

/* Nests the nodes of each tree, merges repeated ones, and computes the figures. */
void ra_tb_tree_build(struct ra_tb_nodes *nodes);

/* Appends a child to a node. */
void ra_tb_tree_append(struct ra_tb_nodes *nodes, uint32_t parent, uint32_t child);

#endif
