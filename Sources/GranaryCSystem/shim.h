// C functions that Swift cannot import from the C libraries.
#ifndef GRANARY_SYSTEM_H
#define GRANARY_SYSTEM_H

#include <errno.h>
#if defined(__linux__)
// No header that defines structures such as stat and timespec: Swift takes them for this module's if it reads this module
// before Glibc, and then refuses them in files that do not import it.
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// AT_FDCWD of fcntl.h.
#define GRANARY_CURRENT_FOLDER (-100)

/// As in signal.h.
extern void (*signal(int number, void (*handler)(int)))(int);
#define GRANARY_IGNORE ((void (*)(int))1)
#else
#include <signal.h>
#include <stdio.h>
#define GRANARY_IGNORE SIG_IGN
#endif

/// Exchanges the names of two files or folders atomically. Returns 0, or -1 with errno set: EINVAL, ENOSYS or ENOTSUP mean
/// that the file system does not support the exchange.
static inline int granary_exchange_names(const char *first, const char *second) {
#if defined(__linux__)
    // RENAME_EXCHANGE is in linux/fs.h; some C libraries do not define it.
    return (int)syscall(SYS_renameat2, GRANARY_CURRENT_FOLDER, first, GRANARY_CURRENT_FOLDER, second, 2u);
#else
    return renamex_np(first, second, RENAME_SWAP);
#endif
}

/// Renames a file to a name that must not exist, atomically. Returns 0, or -1 with errno set: EEXIST means that the name
/// exists; EINVAL, ENOSYS or ENOTSUP that the file system does not support it.
static inline int granary_rename_to_free_name(const char *first, const char *second) {
#if defined(__linux__)
    // RENAME_NOREPLACE is in linux/fs.h; some C libraries do not define it.
    return (int)syscall(SYS_renameat2, GRANARY_CURRENT_FOLDER, first, GRANARY_CURRENT_FOLDER, second, 1u);
#else
    return renamex_np(first, second, RENAME_EXCL);
#endif
}

/// Starts to write bytes of a file from the page cache to the disk, without waiting. It is a hint: it has no effect on
/// other systems than Linux, and a later fsync is still needed.
static inline void granary_start_writeback(int descriptor, long long offset, long long count) {
#if defined(__linux__) && defined(SYS_sync_file_range)
    // The value of SYNC_FILE_RANGE_WRITE, which only some C libraries define without _GNU_SOURCE.
    syscall(SYS_sync_file_range, descriptor, offset, count, 2u);
#else
    (void)descriptor, (void)offset, (void)count;
#endif
}

/// Makes an empty file a copy of another one that shares its blocks. Returns 0, or -1 with errno set if the file system does
/// not support it.
static inline int granary_share_blocks(int source, int target) {
#if defined(__linux__)
    // FICLONE is in linux/fs.h; some C libraries do not have it.
    return ioctl(target, _IOW(0x94, 9, int), source);
#else
    (void)source;
    (void)target;
    errno = ENOTSUP;
    return -1;
#endif
}

/// Sets a signal to SIG_IGN. Returns 1 if it was ignored before, otherwise 0. (Swift cannot compare function pointers.)
static inline int granary_ignore_signal(int number) {
    return signal(number, GRANARY_IGNORE) == GRANARY_IGNORE;
}

#endif
