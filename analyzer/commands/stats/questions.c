/* SPDX-License-Identifier: MIT */
/* Lists questions that users ask about a file, and the reports that answer them. */
#include "analyzer/commands/stats/questions.h"

#include <stddef.h>

const struct ra_question ra_questions[] = {
	{ "Where does the time go?", "analyzer why FILE",
	  "overview advice ranges spread key_averages operators annotations" },
	{ "Why is step 7 slow?", "analyzer why FILE --step 7", "critical-path sequences" },
	{ "What does the GPU wait for?", "analyzer stats FILE -r gaps",
	  "gaps idle gpu-sync devices gpu" },
	{ "What does it cost in energy?", "analyzer stats FILE -r energy", "energy" },
	{ "Which kernels, and who launches them?", "analyzer stats FILE -r op-kernels",
	  "kernels op-kernels categories kernel-sections projection" },
	{ "Does the CPU launch fast enough?", "analyzer stats FILE -r idle,launch-sum",
	  "launch-sum launch api queue graphs overhead" },
	{ "How much memory, and who holds it?", "analyzer stats FILE -r memory",
	  "memory memory-holders" },
	{ "What is copied, and how fast?", "analyzer stats FILE -r memcpy", "memcpy" },
	{ "Which rank holds up the others?", "analyzer why rank*.json.gz",
	  "stragglers ranks comm temporal environment" },
	{ "What did threads do, and wait for?", "analyzer stats FILE -r threads,sync",
	  "threads sync os-calls payload counters" },
	{ "What changed since the last run?", "analyzer diff BEFORE AFTER", "" },
	{ "What is not known in this file?", "analyzer stats FILE -r footer", "footer" },
	{ NULL, NULL, NULL },
};
