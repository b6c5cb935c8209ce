import Dispatch
import Foundation
import GranaryBase

/// Turns SIGINT, SIGTERM and SIGHUP into a cancellation: the command cleans up and leaves the store as it was.
final class InterruptWatch {
    let cancellation = Cancellation()
    private let sources: [any DispatchSourceSignal]

    init() {
        let cancellation = cancellation
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // The process's own way of dying would leave a temporary file behind.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { cancellation.cancel() }
            source.resume()
            return source
        }
    }

    func stop() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }
}
