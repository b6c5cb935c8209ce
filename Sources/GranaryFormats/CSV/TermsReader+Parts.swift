import GranaryBase

/// Terms of several columns: `key=name`.
extension TermsReader {
    /// The term's parts, and one more if there are too many.
    func parts(of record: Record) -> [Range<Int>] {
        if fieldDelimiter.isEmpty { return [0..<record.raw.count] }
        return record.raw.withUnsafeBufferPointer {
            TermsText.parts(of: $0, by: fieldDelimiter, limit: options.fields.count + 1)
        }
    }

    /// The diagnostic for a wrong number of parts or an empty part.
    func partProblem(_ record: Record) -> Diagnostic? {
        guard let delimiter = options.fieldDelimiter else { return nil }
        let parts = parts(of: record)
        let names = options.fields.joined(separator: ", ")
        let number = record.number
        if parts.count != options.fields.count {
            let found = parts.count < options.fields.count ? "only \(parts.count)" : "more"
            let offset = parts.count < options.fields.count ? 0 : parts[parts.count - 1].lowerBound
            return Diagnostic(
                .termsSyntax,
                "term \(number) has \(found), not \(options.fields.count) parts (\(names)); "
                    + "\"\(Diagnostic.shortened(delimiter))\" stands between them",
                at: record.position(ofRaw: offset, file: sourceName))
        }
        for (part, name) in zip(parts, options.fields) where part.isEmpty {
            return Diagnostic(
                .termsSyntax, "the part for \(name) of term \(number) is empty; a constant table has no NULL",
                at: record.position(ofRaw: part.lowerBound, file: sourceName), field: name)
        }
        return nil
    }
}
