/* SPDX-License-Identifier: MIT */
/* --compat=tb: from events to runtime calls, device work and nodes, and which belongs to which. */
#ifndef RA_TB_LINKS_H
#define RA_TB_LINKS_H

#include "analyzer/compat/tb/nodes.h"

/* Device work, runtime calls and collectives. */
void ra_tb_links_init(struct ra_tb_nodes *nodes, const struct ra_tb_events *events);

/* The nodes and their trees: once steps, which take as much memory, have what they need. */
void ra_tb_links_make_trees(struct ra_tb_nodes *nodes);

/* Frees what making trees would have used. */
void ra_tb_links_fini(struct ra_tb_nodes *nodes);

#endif
