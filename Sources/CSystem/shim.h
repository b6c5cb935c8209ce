// What Swift's modules of the C libraries do not export, or cannot say.
#ifndef GRANARY_SYSTEM_H
#define GRANARY_SYSTEM_H

#include <signal.h>
#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <stdio.h>
#endif

/// Exchanges the names of two files or folders. Returns 0, or -1 with the reason in errno: EINVAL, ENOSYS or ENOTSUP where the
/// file system cannot do it.
static inline int granary_exchange_names(const char *first, const char *second) {
#if defined(__linux__)
    // RENAME_EXCHANGE of linux/fs.h, which some C libraries do not define.
    return (int)syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, 2u);
#else
    return renamex_np(first, second, RENAME_SWAP);
#endif
}

/// Ignores a signal from now on. Returns 1 where it was ignored before. Swift cannot compare function pointers.
static inline int granary_ignore_signal(int number) {
    return signal(number, SIG_IGN) == SIG_IGN;
}

#endif
