internal import CSystem

/// The process's signals.
package enum ProcessSignal {
    /// Ignores a signal from now on.
    ///
    /// - Returns: whether it was ignored before, as `nohup` arranges for SIGHUP.
    package static func ignore(_ number: Int32) -> Bool { granary_ignore_signal(number) != 0 }
}
