import Foundation

/// The handling of signals by this process.
enum Signals {
    /// Accepts all signals.
    ///
    /// A process inherits the blocked signals of the thread that starts it, and threads of Dispatch block most of them. A
    /// worker that blocks SIGALRM has no limit of time.
    static func reset() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        signal(SIGALRM, SIG_DFL)
    }

    /// Makes writing to a closed pipe an error instead of a signal, so that the end of a worker does not end its parent.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
