import GranaryBase
import GranaryFormats

/// The JSON of the records of a source that is read again.
struct RejectedText {
    private let reader: any RecordReader
    private let lines: RecordLine

    init(_ reader: any RecordReader, _ properties: RejectedProperties?) {
        self.reader = reader
        lines = RecordLine(reader, properties)
    }

    /// The record as it was found, or as a JSON object if it was not found as one; empty if its text is not known.
    func json(of record: borrowing Record, isComplete: Bool) -> [UInt8] {
        if let json = reader as? JSONReader { return text(of: record, json, isComplete: isComplete) }
        guard isComplete else { return record.raw }
        var line: [UInt8] = []
        lines.append(record, isMalformed: false, to: &line)
        return line
    }

    /// Adds the member name under which the record was found. `--record-key` makes it the value of the key.
    private func text(of record: borrowing Record, _ reader: JSONReader, isComplete: Bool) -> [UInt8] {
        guard let name = reader.recordName, let key = reader.options.recordKey else { return record.raw }
        var text: [UInt8] = []
        guard isComplete, record.raw.first == UInt8(ascii: "{") else {
            JSONText.append(name, to: &text)
            return text + [UInt8(ascii: ":")] + record.raw
        }
        text.append(UInt8(ascii: "{"))
        JSONText.append(key, to: &text)
        text.append(UInt8(ascii: ":"))
        JSONText.append(name, to: &text)
        if !(JSONMembers.read(record.raw) ?? []).isEmpty { text.append(UInt8(ascii: ",")) }
        return text + record.raw.dropFirst()
    }

    /// What is known of a malformed record besides its text: the number of a term.
    func knownMembers(of record: borrowing Record) -> [(name: [UInt8], value: JSONMembers.Value)] {
        guard let terms = reader as? TermsReader, let name = terms.options.ordinal,
            let ordinal = terms.ordinal(ofRecord: record.number)
        else { return [] }
        return [(Array(name.utf8), .number(Array(ordinal.description.utf8)))]
    }
}

extension TermsReader {
    /// The number of a term; nil if it is too large.
    func ordinal(ofRecord number: Int) -> Int64? {
        let (ordinal, overflow) = options.ordinalStart.addingReportingOverflow(Int64(number) - 1)
        return overflow ? nil : ordinal
    }
}
