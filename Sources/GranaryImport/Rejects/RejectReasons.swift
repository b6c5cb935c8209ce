import Foundation
import GranaryBase

/// The diagnostics of rejected records, found again by the number of the record.
///
/// They are in an unlinked temporary file in the order in which they were found. A pass over the file loads those of
/// the next ``window`` rejected records of a source, so memory does not grow with their number.
final class RejectReasons {
    private static let window = 50_000
    /// The number of bits for the number of a record beside that of its source.
    private static let recordBits = 40

    private let spool = RecordSpool("the reasons of rejected records")
    /// The first source with each name. Sources of several imports can be one file.
    private var sources: [String: Int] = [:]
    private var loaded: [Int: [Diagnostic]] = [:]
    /// The source and the records whose diagnostics are loaded.
    private var range: (source: Int, records: Range<Int>) = (-1, 0..<0)

    /// Notes a diagnostic of a record; others are left out.
    ///
    /// - Parameter source: the number of the record's source; nil for the first one with its name.
    func add(_ diagnostic: Diagnostic, of source: Int?, line: [UInt8]) {
        guard let position = diagnostic.position, let record = position.record, record >= 0,
            record < 1 << Self.recordBits
        else { return }
        if let source, sources[position.file] == nil { sources[position.file] = source }
        guard let source = source ?? sources[position.file] else { return }
        line.withUnsafeBufferPointer { spool.add(source << Self.recordBits | record, $0, of: 0) }
    }

    /// The diagnostics of a record, in the order in which they were found. Records are asked for in ascending order.
    ///
    /// - Parameters:
    ///   - source: the number of the source.
    ///   - rejected: its rejected records.
    func diagnostics(
        of record: Int, in source: Int, rejected: RejectedRecords
    ) throws(GranaryError) -> [Diagnostic] {
        if range.source != source || !range.records.contains(record) {
            range = (source, record..<Self.end(from: record, rejected))
            try load()
        }
        return loaded[record] ?? []
    }

    /// The end of the records from `start` on that are loaded together.
    private static func end(from start: Int, _ rejected: RejectedRecords) -> Int {
        var (number, left) = (start, window)
        while left > 0, number - start < rejected.count + 100 * window {
            if rejected.contains(number) { left -= 1 }
            number += 1
        }
        return number
    }

    private func load() throws(GranaryError) {
        loaded.removeAll()
        let decoder = JSONDecoder()
        var lines = try spool.reader(of: 0)
        while let (number, bytes) = try lines.read() {
            let record = number & (1 << Self.recordBits - 1)
            guard number >> Self.recordBits == range.source, range.records.contains(record) else { continue }
            do {
                loaded[record, default: []].append(try decoder.decode(Diagnostic.self, from: Data(bytes)))
            } catch {
                throw GranaryError(.internalDefect, "a reason cannot be read again", underlying: error)
            }
        }
    }
}
