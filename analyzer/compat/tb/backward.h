/* SPDX-License-Identifier: MIT */
/* --compat=tb: moves the backward pass below the modules whose forward pass caused it. */
#ifndef RA_TB_BACKWARD_H
#define RA_TB_BACKWARD_H

#include "analyzer/compat/tb/nodes.h"

/*
 * If a trace has modules and arrows of the category fwdbwd, the plugin takes autograd's functions
 * out of their threads. If an arrow leads to a function, the plugin places it below a node
 * MODULE.backward next to the module. The other functions, and threads that are then empty, are
 * lost. Call it after the trees have been built.
 */
void ra_tb_backward_regroup(struct ra_tb_nodes *nodes);

#endif
