/* SPDX-License-Identifier: MIT */
/* Reads from a log facts about its machine, and about the software that ran and recorded there. */
#ifndef RA_LOG_FACTS_H
#define RA_LOG_FACTS_H

#include "analyzer/model/model.h"

/* Adds the facts to the model, whose reader must be open. */
void ra_log_facts_add(struct ra_model *model);

#endif
