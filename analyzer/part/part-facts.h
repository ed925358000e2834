/* SPDX-License-Identifier: MIT */
/* Writes what a part tells about itself and about the whole log: facts, names, losses, the end. */
#ifndef RA_PART_FACTS_H
#define RA_PART_FACTS_H

#include "analyzer/part/part-job.h"

/* Writes the first chunk: facts of the whole log, and which part of it this is. Return: the
 * writer's code. */
int ra_part_facts_put_capture(struct ra_part *part, struct rlog_error *err);

/* Writes clock points, names, definitions and losses. Return: the writer's code. */
int ra_part_facts_put_tables(struct ra_part *part, struct rlog_error *err);

/* Writes END, which tells what the whole log lacks, and the trailer. Return: the writer's code. */
int ra_part_facts_put_end(struct ra_part *part, struct rlog_error *err);

#endif
