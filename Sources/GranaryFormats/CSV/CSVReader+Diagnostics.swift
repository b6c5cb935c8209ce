import GranaryBase

/// What the reader says about broken records.
extension CSVReader {
    /// What is wrong with a record that the tokeniser could not take apart.
    func brokenRecord(_ row: CSVBatch.Row, _ record: Record) -> Diagnostic {
        var code = Diagnostic.Code.csvSyntax
        let message: String
        switch row.problem {
        case .quoteInField:
            message =
                "a quote inside an unquoted field; quote the whole field and double the quote (RFC 4180, section 2.5)"
        case .textAfterQuote:
            message = "text after the closing quote; double a quote that belongs to the field (RFC 4180, section 2.7)"
        case .unclosedQuote:
            message = "the quote that opens here is never closed; the rest of the file is lost in this field"
        case .tooManyFields:
            code = .limitExceeded
            message =
                "the record has more than \(options.maximumFields) fields, the limit; is \"\(options.delimiterName)\" the delimiter?"
        case .fieldTooLong:
            code = .limitExceeded
            message = "the field has more than \(options.maximumFieldBytes) bytes, the limit; is a quote never closed?"
        case .outOfStep:
            message = "the positions in this record are lost; this is a defect of Granary"
        case .recordTooLong, .none, .blankLine:
            code = .limitExceeded
            message =
                "the record has more than \(options.maximumRecordBytes) bytes, the limit; is a quote never closed?"
        }
        let index = row.fieldsEnd - row.fieldsStart
        return Diagnostic(
            code, message, at: position(row.problemOffset, in: record),
            field: index < columns.count ? columns[index] : nil)
    }

    /// The first byte of a record that is not text; nil where all are.
    func encodingProblem(_ record: Record) -> Diagnostic? {
        let (invalid, nul) = record.raw.withUnsafeBufferPointer { raw in
            (UTF8Text.firstInvalid(in: raw), options.allowsNUL ? nil : UTF8Text.firstNUL(in: raw))
        }
        let message: String
        let offset: Int
        if let invalid, invalid < nul ?? .max {
            offset = invalid
            message = "the byte 0x\(hexadecimal(record.raw[invalid])) is not UTF-8 here; convert the file to UTF-8"
        } else if let nul {
            offset = nul
            message = "U+0000 inside the text; it needs --allow-nul"
        } else {
            return nil
        }
        return Diagnostic(
            .encodingInvalid, message, at: position(offset, in: record), field: columnName(at: offset, in: record))
    }

    /// A record whose number of fields is not that of the columns.
    func raggedRecord(_ record: Record) -> Diagnostic {
        let found = record.fields.count
        let expected = columns.count
        let origin =
            options.hasHeader ? "the header" : options.columns == nil ? "the first record" : "the list of columns"
        // Too many: where the first field stands that has no column. Too few: where the next one is missing.
        let offset = found > expected ? Int(record.fields[expected].rawStart) : record.raw.count
        return Diagnostic(
            .csvRagged,
            "the record has \(count(found)), \(origin) has \(expected); "
                + (found > expected ? "quote a field that holds the delimiter" : "leave a missing field empty"),
            at: position(offset, in: record), field: found < expected ? columns[found] : nil)
    }

    func missingHeader() -> Diagnostic {
        Diagnostic(
            .headerMissing, "the file ends before a header; its first record must name the columns",
            at: SourcePosition(file: sourceName, line: 1, column: 1, byteOffset: 0))
    }

    /// The names in a header record.
    func headerNames(_ record: Record) throws(GranaryError) -> [String] {
        var diagnostics = DiagnosticCollector()
        var names: [String] = []
        var places: [[UInt8]: SourcePosition] = [:]
        for (index, field) in record.fields.enumerated() {
            let bytes = Array(record.bytes[Int(field.start)..<Int(field.end)])
            var position = record.position(of: field, file: sourceName)
            position.record = nil
            let name = String(decoding: bytes, as: UTF8.self)
            names.append(name)
            if bytes.isEmpty {
                diagnostics.add(Diagnostic(.headerMissing, "column \(index + 1) has no name", at: position))
            } else if let first = places.updateValue(position, forKey: bytes) {
                places[bytes] = first
                diagnostics.add(
                    Diagnostic(
                        .headerDuplicate,
                        "two columns have the name \"\(Diagnostic.shortened(name))\", the first in column \(first.column)",
                        at: position, field: name, related: [first]))
            }
        }
        try diagnostics.throwIfAnyError("\(sourceName): the header is refused")
        return names
    }

    private func position(_ offset: Int, in record: Record) -> SourcePosition {
        var position = record.position(ofRaw: offset, file: sourceName)
        // The header is no data record.
        if record.number == 0 { position.record = nil }
        return position
    }

    private func columnName(at offset: Int, in record: Record) -> String? {
        guard let field = record.fields.last(where: { Int($0.rawStart) <= offset }) else { return nil }
        let index = Int(field.column)
        return index < columns.count ? columns[index] : nil
    }

    private func count(_ fields: Int) -> String { fields == 1 ? "1 field" : "\(fields) fields" }

    private func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension CSVReader.Options {
    fileprivate var delimiterName: String { Diagnostic.shortened(String(UnicodeScalar(delimiter))) }
}
