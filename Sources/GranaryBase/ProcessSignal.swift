internal import GranaryCSystem
import Synchronization

/// Access to the process's signal dispositions.
package enum ProcessSignal {
    /// Ignores a signal.
    ///
    /// - Returns: whether the signal was ignored before, as `nohup` does for SIGHUP.
    package static func ignore(_ number: Int32) -> Bool { granary_ignore_signal(number) != 0 }
}
