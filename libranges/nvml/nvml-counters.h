/* SPDX-License-Identifier: MIT */
/* In the program: writes the GPU samples that the launcher has taken as counters of the log. */
#ifndef RCAP_NVML_COUNTERS_H
#define RCAP_NVML_COUNTERS_H

/*
 * Takes new samples if RANGES_GPU_METRICS asks for any. Tells the launcher when the capture goes on
 * or off. Leaves out samples from times when the capture is off. When the capture goes off, waits
 * for the last samples, at most 200 ms.
 *
 * Context: the drain, often.
 */
void rcap_nvml_counters_look(void);

/* Takes the last samples when the program ends. Waits for them at most 200 ms. Context: the thread
 * that ends the capture. */
void rcap_nvml_counters_end(void);

#endif
