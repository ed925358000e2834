/* SPDX-License-Identifier: MIT */
/* Our own threads in the program's process. */
#include "libranges/base/own-thread.h"

#include <pthread.h>
#include <signal.h>

bool rcap_own_thread_start(void *(*main)(void *), size_t stack_bytes)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all;
	sigset_t old;
	int status;

	if (pthread_attr_init(&attributes) != 0) {
		return false;
	}
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, stack_bytes);
	sigfillset(&all);
	/* A thread inherits the signal mask of its creator. */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	status = pthread_create(&thread, &attributes, main, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	return status == 0;
}
