/* SPDX-License-Identifier: MIT */
/* What people ask of a file, and which reports answer it. */
#include "analyzer/commands/stats/questions.h"

#include <stddef.h>

const struct ra_question ra_questions[] = {
	{ "Where does the time go?", "analyzer why FILE",
	  "overview step-average advice ranges spread key_averages operators modules annotations" },
	{ "Why is step 7 slow?", "analyzer why FILE --step 7",
	  "critical-path step-overlap sequences" },
	{ "What does the GPU wait for?", "analyzer stats FILE -r gaps",
	  "gaps idle idle-streams idle-gaps gpu-sync devices gpu energy" },
	{ "Which kernels, and who launches them?", "analyzer stats FILE -r op-kernels",
	  "kernels op-kernels categories range-kernels kernel-sections kernel-types projection "
	  "projection-devices range-projection range-projection-sum" },
	{ "Does the CPU launch fast enough?", "analyzer stats FILE -r launch-sum",
	  "launch-sum launch launch-calls launch-outliers api queue graphs overhead" },
	{ "How much memory, and who holds it?", "analyzer stats FILE -r memory",
	  "memory memory-holders op-memory memory-peak memory-curve" },
	{ "What is copied, and how fast?", "analyzer stats FILE -r memcpy",
	  "memcpy copy-sizes bandwidth" },
	{ "Which rank holds up the others?", "analyzer stats rank*.json.gz -r stragglers",
	  "stragglers ranks comm comm-bandwidth overlap temporal breakdown environment" },
	{ "What did threads do, and wait for?", "analyzer stats FILE -r threads,sync",
	  "threads sync domains os-calls payload counters" },
	{ "What changed since the last run?", "analyzer diff BEFORE AFTER", "" },
	{ "What is not known in this file?", "analyzer stats FILE -r footer", "footer trace" },
	{ NULL, NULL, NULL },
};
