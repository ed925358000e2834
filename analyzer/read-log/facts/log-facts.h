/* SPDX-License-Identifier: MIT */
/* Facts of the machine that a log is from. */
#ifndef RA_LOG_FACTS_H
#define RA_LOG_FACTS_H

#include "analyzer/model/model.h"

/* Adds the facts to the model, whose reader must be open. */
void ra_log_facts_add(struct ra_model *model);

#endif
