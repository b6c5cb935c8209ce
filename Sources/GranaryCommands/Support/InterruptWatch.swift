import ArgumentParser
import Dispatch
import Foundation
import GranaryBase

/// Converts SIGINT, SIGTERM and SIGHUP to a cancellation, so that the command cleans up and leaves the store unchanged.
/// A second signal ends the process.
final class InterruptWatch {
    let cancellation = Cancellation()
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]

    init() {
        let cancellation = cancellation
        // A signal that was ignored when the process started (nohup) stays ignored.
        numbers = [SIGINT, SIGTERM, SIGHUP].filter { !ProcessSignal.ignore($0) }
        // Not a queue of the pool, all of whose threads can be busy.
        let queue = DispatchQueue(label: "Granary.InterruptWatch", qos: .userInteractive)
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if cancellation.isCancelled { _exit(ExitCodes.interrupted) }
                cancellation.cancel()
            }
            source.resume()
            return source
        }
    }

    func stop() {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }
}
