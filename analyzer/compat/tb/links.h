/* SPDX-License-Identifier: MIT */
/* --compat=tb: makes runtime calls, device work and nodes of events, and links them. */
#ifndef RA_TB_LINKS_H
#define RA_TB_LINKS_H

#include "analyzer/compat/tb/nodes.h"

/* Makes device work, runtime calls and collectives. */
void ra_tb_links_init(struct ra_tb_nodes *nodes, const struct ra_tb_events *events);

/* Makes the nodes and their trees. Call it after the steps, which need as much memory, have been
 * made. */
void ra_tb_links_make_trees(struct ra_tb_nodes *nodes);

/* Frees the data for making trees, if it was not used. */
void ra_tb_links_fini(struct ra_tb_nodes *nodes);

#endif
