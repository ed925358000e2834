/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation objects that the program makes itself, as NVTX 3 takes them: a tool can show how
 * long each thread waits for one and holds it. Replaces NVTX's nvToolsExtSync.h.
 *
 *	nvtxDomainSyncUserAcquireStart(sync);
 *	if (!try_my_lock(lock)) {
 *		nvtxDomainSyncUserAcquireFailed(sync);
 *		return;
 *	}
 *	nvtxDomainSyncUserAcquireSuccess(sync);
 *	…
 *	nvtxDomainSyncUserReleasing(sync);
 *	release_my_lock(lock);
 *
 * For objects of the system (a pthread mutex) use nvtxDomainResourceCreate to name them: tools
 * watch their calls without help.
 */
#ifndef RANGES_NVTX_SYNC_H
#define RANGES_NVTX_SYNC_H

#include <ranges/nvtx.h>

/* Names are NVTX's.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */

#ifdef __cplusplus
extern "C" {
#endif

/* Values of nvtxResourceAttributes_t.identifierType. The identifier is the object's address. */
#define NVTX_RESOURCE_CLASS_SYNC_OS      2
#define NVTX_RESOURCE_CLASS_SYNC_PTHREAD 3

typedef enum nvtxResourceSyncPosixThreadType_t {
	NVTX_RESOURCE_TYPE_SYNC_PTHREAD_MUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 1),
	NVTX_RESOURCE_TYPE_SYNC_PTHREAD_CONDITION = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 2),
	NVTX_RESOURCE_TYPE_SYNC_PTHREAD_RWLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 3),
	NVTX_RESOURCE_TYPE_SYNC_PTHREAD_BARRIER = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 4),
	NVTX_RESOURCE_TYPE_SYNC_PTHREAD_SPINLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 5),
	NVTX_RESOURCE_TYPE_SYNC_PTHREAD_ONCE = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 6),
} nvtxResourceSyncPosixThreadType_t;

typedef enum nvtxResourceSyncLinuxType_t {
	NVTX_RESOURCE_TYPE_SYNC_LINUX_MUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 1),
	NVTX_RESOURCE_TYPE_SYNC_LINUX_FUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 2),
	NVTX_RESOURCE_TYPE_SYNC_LINUX_SEMAPHORE = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 3),
	NVTX_RESOURCE_TYPE_SYNC_LINUX_COMPLETION = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 4),
	NVTX_RESOURCE_TYPE_SYNC_LINUX_SPINLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 5),
	NVTX_RESOURCE_TYPE_SYNC_LINUX_SEQLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 6),
	NVTX_RESOURCE_TYPE_SYNC_LINUX_RCU = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 7),
} nvtxResourceSyncLinuxType_t;
typedef enum nvtxResourceSyncLinuxType_t nvtxResourceSyncAndroidType_t;

/* The values for Windows. There the same class has other meanings. They are for programs that name
 * objects of both systems. */
typedef enum nvtxResourceSyncWindowsType_t {
	NVTX_RESOURCE_TYPE_SYNC_WINDOWS_MUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 1),
	NVTX_RESOURCE_TYPE_SYNC_WINDOWS_SEMAPHORE = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 2),
	NVTX_RESOURCE_TYPE_SYNC_WINDOWS_EVENT = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 3),
	NVTX_RESOURCE_TYPE_SYNC_WINDOWS_CRITICAL_SECTION = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 4),
	NVTX_RESOURCE_TYPE_SYNC_WINDOWS_SRWLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_OS, 5),
} nvtxResourceSyncWindowsType_t;

struct nvtxSyncUser;
typedef struct nvtxSyncUser *nvtxSyncUser_t;

/* Set everything to 0. Then set version, size, and the message, which is the object's name. */
typedef struct nvtxSyncUserAttributes_v0 {
	uint16_t version;    /* NVTX_VERSION */
	uint16_t size;       /* NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE */
	int32_t messageType; /* nvtxMessageType_t */
	nvtxMessageValue_t message;
} nvtxSyncUserAttributes_v0;
typedef struct nvtxSyncUserAttributes_v0 nvtxSyncUserAttributes_t;
#define NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE \
	RANGES_NVTX_VALUE(uint16_t, sizeof(nvtxSyncUserAttributes_v0))

/* Creates an object. Return: a handle; NULL without a tool. All calls accept NULL. */
RANGES_NVTX_GET(nvtxSyncUser_t, RANGES_NVTX_NULL, nvtxDomainSyncUserCreate, SYNC, 1,
                (nvtxDomainHandle_t domain, const nvtxSyncUserAttributes_t *attributes),
                (domain, attributes))
RANGES_NVTX_DO(nvtxDomainSyncUserDestroy, SYNC, 2, (nvtxSyncUser_t handle), (handle))

/* Call this before a thread tries to get the object. */
RANGES_NVTX_DO(nvtxDomainSyncUserAcquireStart, SYNC, 3, (nvtxSyncUser_t handle), (handle))
/* Call this when it gives up. */
RANGES_NVTX_DO(nvtxDomainSyncUserAcquireFailed, SYNC, 4, (nvtxSyncUser_t handle), (handle))
/* Call this when it has got the object. */
RANGES_NVTX_DO(nvtxDomainSyncUserAcquireSuccess, SYNC, 5, (nvtxSyncUser_t handle), (handle))
/* Call this before it releases the object. */
RANGES_NVTX_DO(nvtxDomainSyncUserReleasing, SYNC, 6, (nvtxSyncUser_t handle), (handle))

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */

#endif
