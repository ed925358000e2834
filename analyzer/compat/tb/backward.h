/* SPDX-License-Identifier: MIT */
/* --compat=tb: the backward pass goes below the modules whose forward pass caused it. */
#ifndef RA_TB_BACKWARD_H
#define RA_TB_BACKWARD_H

#include "analyzer/compat/tb/nodes.h"

/*
 * Where a trace has modules and arrows of cat fwdbwd, the plugin takes autograd's functions out of
 * their threads, and puts those that an arrow leads to below a node MODULE.backward beside the
 * module. The others, and threads that are then empty, are lost. The trees have to be built.
 */
void ra_tb_backward_regroup(struct ra_tb_nodes *nodes);

#endif
