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
    private let file = ByteSpool(keepsFiles: false)
    private var buffer: [UInt8] = []
    private var size = 0
    private var failure: GranaryError?
    /// The number of diagnostics added.
    private var total = 0

    private static let name = "the list of diagnostics"
    private static let capacity = 1 << 16

    init() {}

    package var count: Int { lock.withLock { total } }

    /// An error while writing is thrown later, by ``forEachLine(_:)``.
    func add(_ diagnostic: Diagnostic) {
        lock.lock()
        defer { lock.unlock() }
        guard failure == nil else { return }
        total += 1
        DiagnosticLine.append(diagnostic, to: &buffer)
        if buffer.count >= Self.capacity { flush() }
    }

    private func flush() {
        do {
            _ = try buffer.withUnsafeBytes { try file.append($0, of: Self.name) }
            size += buffer.count
            buffer.removeAll(keepingCapacity: true)
        } catch {
            failure = error as? GranaryError ?? GranaryError(.inputOutput, "\(error)", underlying: error)
        }
    }

    /// Calls `body` with each diagnostic as a line of JSON, without the line feed.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` if the temporary file could not be written or read, or what
    /// `body` throws.
    package func forEachLine(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        flush()
        if let failure { throw failure }
        var chunk = [UInt8](repeating: 0, count: Self.capacity)
        var line: [UInt8] = []
        var place = 0
        while place < size {
            let count = try chunk.withUnsafeMutableBytes { bytes in
                try file.read(at: place, into: bytes, of: Self.name)
            }
            guard count > 0 else { throw GranaryError(.inputOutput, "\(Self.name): the temporary file is truncated") }
            place += count
            var start = 0
            while let end = chunk[start..<count].firstIndex(of: 0x0A) {
                line += chunk[start..<end]
                try body(line[...])
                line.removeAll(keepingCapacity: true)
                start = end + 1
            }
            line += chunk[start..<count]
        }
    }

    /// Calls `body` with each diagnostic.
    ///
    /// - Throws: as ``forEachLine(_:)``.
    package func forEach(_ body: (Diagnostic) throws -> Void) throws {
        let decoder = JSONDecoder()
        try forEachLine { try body(try decoder.decode(Diagnostic.self, from: Data($0))) }
    }
}
