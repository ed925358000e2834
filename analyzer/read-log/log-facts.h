/* SPDX-License-Identifier: MIT */
/* What a log says of the machine that it is from. */
#ifndef RA_LOG_FACTS_H
#define RA_LOG_FACTS_H

#include "analyzer/model/model.h"

/* Fills the model's facts; its reader is open. */
void ra_log_facts_add(struct ra_model *model);

#endif
