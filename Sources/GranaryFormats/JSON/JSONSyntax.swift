package import GranaryBase

/// A syntax check for JSON text.
package enum JSONSyntax {
    /// The first mistake in a JSON text (RFC 8259); nil if there is none.
    ///
    /// It is stricter than the grammar: unpaired surrogates and invalid UTF-8 are mistakes.
    ///
    /// - Parameter name: the source's name for the diagnostic.
    package static func firstProblem(in text: [UInt8], name: String, maximumDepth: Int = 128) -> Diagnostic? {
        var limits = JSONReader.Options()
        limits.maximumDepth = maximumDepth
        limits.maximumFieldBytes = .max
        limits.allowsNUL = true
        return text.withUnsafeBufferPointer { bytes in
            if let other = TextEncodingMark.otherEncoding(bytes) {
                return Diagnostic(
                    .encodingInvalid, "this looks like \(other.name); JSON must be UTF-8 (RFC 8259)",
                    at: SourcePosition(file: name, line: 1, column: 1, byteOffset: 0))
            }
            var cursor = JSONCursor(bytes, isFinal: true, limits: limits)
            cursor.position = TextEncodingMark.utf8Length(bytes)
            var problem: JSONFault?
            do throws(JSONFault) {
                try cursor.skipValue(depth: 0)
                cursor.skipWhitespace()
                if cursor.position < bytes.count { throw cursor.unexpected(.extra) }
                problem = cursor.problem
            } catch {
                problem = cursor.problem ?? error
            }
            guard let problem else { return nil }
            var place = TextPlace()
            place.advance(over: UnsafeBufferPointer(rebasing: bytes[..<min(problem.offset, bytes.count)]))
            let found = problem.offset < bytes.count ? bytes[problem.offset] : nil
            return Diagnostic(
                problem.code, problem.message(found: found, limits: limits), at: place.position(file: name))
        }
    }
}
