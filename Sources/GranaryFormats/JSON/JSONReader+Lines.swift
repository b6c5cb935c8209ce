import Foundation
import GranaryBase

/// JSON Lines: each line is a separate document, so a malformed line affects no other line.
extension JSONReader {
    func nextLine(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        while true {
            guard let length = try lineLength() else {
                guard window.count > options.maximumRecordBytes else {
                    state = .end
                    return .end
                }
                return try skipLongLine(into: &record)
            }
            // JSON's white space before and after the object is skipped. Other control bytes are errors.
            var content = 0..<0
            window.withBytes { bytes in
                var cursor = JSONCursor(UnsafeBufferPointer(rebasing: bytes[..<length]), isFinal: true, limits: options)
                cursor.skipWhitespace()
                let end = cursor.bytes.lastIndex { ![0x20, 0x09, 0x0D, 0x0A].contains($0) } ?? -1
                content = cursor.position..<max(end + 1, cursor.position)
            }
            guard !content.isEmpty else {
                window.consumeLine(length)
                continue
            }
            window.consume(content.lowerBound, hasLineEnd: true)
            start(&record)
            let outcome = parseLine(content.count, into: &record)
            window.consumeLine(length - content.lowerBound)
            return outcome
        }
    }

    /// Parses the first `count` unread bytes as one object.
    private func parseLine(_ count: Int, into record: inout Record) -> ReadOutcome {
        var problem: JSONRecordParser.Problem?
        window.withBytes { bytes in
            let line = UnsafeBufferPointer(rebasing: bytes[..<count])
            record.raw.append(contentsOf: line)
            var cursor = JSONCursor(line, isFinal: true, limits: options)
            do throws(JSONFault) {
                if line.first == UInt8(ascii: "{") {
                    try parser.parse(&cursor, depth: 0, into: &record)
                    problem = parser.problem
                } else {
                    try cursor.skipValue(depth: 0)
                    problem = .fault(JSONFault(.notAnObject, at: 0), field: nil)
                }
                cursor.skipWhitespace()
                if problem == nil, cursor.position < count { problem = .fault(cursor.unexpected(.extra), field: nil) }
            } catch {
                problem = .fault(error, field: nil)
            }
        }
        if let problem { return malformed(problem, &record) }
        return .record
    }

    /// The length of the line at the first unread byte, without its LF; nil at the end of the source, or if the line is
    /// longer than a record may be.
    private func lineLength() throws(GranaryError) -> Int? {
        var searched = 0
        while true {
            let found: Int? = window.withBytes { bytes in
                guard let base = bytes.baseAddress, bytes.count > searched else { return nil }
                guard let end = memchr(base + searched, 0x0A, bytes.count - searched) else { return nil }
                return UnsafeRawPointer(end) - UnsafeRawPointer(base)
            }
            if let found { return found <= options.maximumRecordBytes ? found : nil }
            searched = window.count
            if searched > options.maximumRecordBytes { return nil }
            if window.isFinal { return searched > 0 ? searched : nil }
            try window.fill()
        }
    }

    private func skipLongLine(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        start(&record)
        let diagnostic = Diagnostic(
            .limitExceeded, "a line of more than \(options.maximumRecordBytes) bytes, the limit for a record",
            at: record.position(ofRaw: 0, file: sourceName))
        while true {
            let found = window.withBytes { $0.firstIndex(of: 0x0A) }
            if let found {
                window.consumeLine(found)
                break
            }
            window.consume(window.count, hasLineEnd: true)
            if window.isFinal { break }
            try window.fill()
        }
        return .malformed(diagnostic)
    }
}
