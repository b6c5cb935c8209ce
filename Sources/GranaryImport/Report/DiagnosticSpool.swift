import Foundation
package import GranaryBase

/// All diagnostics of a run, in the order in which they were found, in an unlinked temporary file.
///
/// The report and the printed list keep the first 10,000 diagnostics in memory. If the user asks for more, they are
/// read from this file, so that a million invalid rows need no more memory than ten thousand.
///
/// `@unchecked Sendable` is safe: all variables are accessed only while `lock` is held. Two threads of an import add
/// diagnostics.
package final class DiagnosticSpool: @unchecked Sendable {
    private let lock = NSLock()
    private let spool = RecordSpool("the list of diagnostics")
    /// The number of diagnostics added.
    private var total = 0

    init() {}

    package var count: Int { lock.withLock { total } }

    /// An error while writing is thrown later, by ``forEachLine(_:)``.
    func add(_ diagnostic: Diagnostic) {
        var line: [UInt8] = []
        DiagnosticLine.append(diagnostic, to: &line)
        lock.withLock {
            total += 1
            line.withUnsafeBufferPointer { spool.add(total, $0, of: 0) }
        }
    }

    /// Calls `body` with each diagnostic as a line of JSON, without the line feed.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` if the temporary file could not be written or read, or what
    /// `body` throws.
    package func forEachLine(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        var lines = try spool.reader(of: 0)
        while let line = try lines.read() { try body(line.bytes.dropLast()) }
    }

    /// Calls `body` with each diagnostic.
    ///
    /// - Throws: as ``forEachLine(_:)``.
    package func forEach(_ body: (Diagnostic) throws -> Void) throws {
        let decoder = JSONDecoder()
        try forEachLine { try body(try decoder.decode(Diagnostic.self, from: Data($0))) }
    }
}
