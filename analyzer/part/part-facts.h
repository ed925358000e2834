/* SPDX-License-Identifier: MIT */
/* What a part says of itself and of the whole: facts, names, losses, the end. */
#ifndef RA_PART_FACTS_H
#define RA_PART_FACTS_H

#include "analyzer/part/part-job.h"

/* The log's first chunk: what is known of the whole, and what the part is. Return: as the writer.
 */
int ra_part_facts_put_capture(struct ra_part *part, struct rlog_error *err);

/* Clock points, names, definitions and losses. Return: as the writer. */
int ra_part_facts_put_tables(struct ra_part *part, struct rlog_error *err);

/* END, with what the whole lacks, and the trailer. Return: as the writer. */
int ra_part_facts_put_end(struct ra_part *part, struct rlog_error *err);

#endif
