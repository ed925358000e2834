/* SPDX-License-Identifier: MIT */
/* Reads what a log has besides events: process, domains, categories, threads, clock, losses. */
#ifndef RA_FACTS_H
#define RA_FACTS_H

#include "analyzer/model/build/builder.h"
#include "analyzer/clock/clock.h"
#include "analyzer/read-log/gpu/gpu-streams.h"

/* Fills processes, domains and categories. model->reader must be open. */
void ra_facts_load_definitions(struct ra_builder *builder);

/* Makes a track for each stream in the log except the GPU's, in order of stream. */
void ra_facts_load_tracks(struct ra_builder *builder, const struct ra_gpu_streams *gpu_streams);

/* Makes the clock; sets zero_ns, zero_real_ns and quality.clock_error_ns. */
void ra_facts_load_clock(struct ra_model *model, const struct ra_gpu_streams *gpu_streams,
                         struct ra_clock *clock);

/* Finds when the capture was switched off, if that was before the program's end. */
bool ra_facts_find_off(const struct ra_model *model, uint64_t *ticks);

/* True if the log was completed after the death of its program. */
bool ra_facts_is_recovered(const struct ra_model *model);

/*
 * Finds when the program ended, as far as the log tells: at its last clock point. The last point of
 * a recovered log is ignored, because the recovery made it, perhaps hours later.
 *
 * Return: ns since time 0; INT64_MIN: only the events tell.
 */
int64_t ra_facts_find_end(const struct ra_model *model, const struct ra_clock *clock);

/* Sets losses, damage and how the log ended. Call it after all events have been read. */
void ra_facts_load_quality(struct ra_model *model);

/* Finds a text among the facts of the capture; bytes NULL: it is missing. */
struct rlog_string ra_facts_find_text(const struct ra_model *model, const char *key);

#endif
