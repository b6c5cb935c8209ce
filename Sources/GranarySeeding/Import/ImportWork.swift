import Foundation
import GranaryFormats
import GranaryPersistence

/// An import on a thread of its own, so that the caller's task does not block the threads that all tasks share.
///
/// Proof of `@unchecked`: the reader was sent here, and only the one thread that ``run()`` starts uses it.
final class ImportWork: @unchecked Sendable {
    private let importer: Importer
    /// Nil: the importer's own sources are read.
    private let reader: (any RecordReader)?
    private let container: PersistentContainer

    init(importer: Importer, reader: sending (any RecordReader)?, container: PersistentContainer) {
        self.importer = importer
        self.reader = reader
        self.container = container
    }

    func run() async throws -> ImportReport {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(
                    with: Result {
                        try container.withStore { store in
                            guard let reader else { return try importer.run(into: store) }
                            return try importer.run([reader], into: store)
                        }
                    })
            }
        }
    }
}
