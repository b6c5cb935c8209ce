import GranaryBase

/// The diagnostics for malformed records.
extension CSVReader {
    /// The diagnostic for a record that the tokeniser could not split.
    func brokenRecord(_ row: CSVBatch.Row, _ record: Record) -> Diagnostic {
        if let cut = tokenizer.cut { return cutRecord(row, record, cut) }
        var code = Diagnostic.Code.csvSyntax
        var message: String
        let isOverLines = record.raw.contains { $0 == 0x0A || $0 == 0x0D }
        switch row.problem {
        case .quoteInField:
            message =
                "a quote inside an unquoted field; quote the whole field and double the quote (RFC 4180, section 2.5)"
        case .textAfterQuote:
            message = "text after the closing quote; double a quote that belongs to the field (RFC 4180, section 2.7)"
        case .unclosedQuote:
            message = "the quote that opens here is never closed"
            if isOverLines { message += "; the field extends to the end of the file" }
        case .tooManyFields:
            code = .limitExceeded
            message =
                "the record has more than \(options.maximumFields) fields, the limit; is "
                + "\"\(Diagnostic.shortened(String(UnicodeScalar(options.delimiter))))\" the delimiter?"
        case .fieldTooLong:
            code = .limitExceeded
            message = "the field has more than \(options.maximumFieldBytes) bytes, the limit; is a quote never closed?"
        case .outOfStep:
            message = "the positions in this record are unknown; this is a defect of Granary"
        case .recordTooLong, .none, .blankLine:
            code = .limitExceeded
            message =
                "the record has more than \(options.maximumRecordBytes) bytes, the limit; is a quote never closed?"
        }
        if isOverLines || row.problem == .fieldTooLong || row.problem == .recordTooLong { message += exhaustion }
        let index = row.fieldsEnd - row.fieldsStart
        return Diagnostic(
            code, message, at: position(row.problemOffset, in: record),
            field: index < columns.count ? columns[index] : nil, help: help(record))
    }

    /// The option for the format or the delimiter of a file whose header is not CSV.
    private func help(_ record: Record) -> String? {
        guard record.number == 0, options.hasHeader else { return nil }
        if let delimiter = delimiterBesideQuotes(record.raw) { return OptionHelp.option("delimiter", delimiter) }
        switch record.raw.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "["): return "--format json"
        // An object that ends on the same line is JSON Lines.
        case UInt8(ascii: "{"):
            return record.raw.last(where: { $0 > 0x20 }) == UInt8(ascii: "}") ? "--format ndjson" : "--format json"
        default: return nil
        }
    }

    /// The usual delimiter that stands most often beside a quote; nil if none does, or the file's delimiter does.
    private func delimiterBesideQuotes(_ raw: [UInt8]) -> String? {
        let quote = options.quote
        let names: [(byte: UInt8, name: String)] = [
            (UInt8(ascii: ";"), ";"), (UInt8(ascii: "\t"), "tab"), (UInt8(ascii: "|"), "|"), (UInt8(ascii: ","), ","),
        ]
        var counts: [UInt8: Int] = [:]
        for (left, right) in zip(raw, raw.dropFirst()) {
            if left == quote { counts[right, default: 0] += 1 }
            if right == quote { counts[left, default: 0] += 1 }
        }
        guard counts[options.delimiter] == nil else { return nil }
        let best = names.max { counts[$0.byte, default: 0] < counts[$1.byte, default: 0] }
        return best.flatMap { counts[$0.byte] == nil ? nil : $0.name }
    }

    /// The diagnostic for a record whose quoting is broken over several lines and that was cut before a line that fits.
    private func cutRecord(_ row: CSVBatch.Row, _ record: Record, _ cut: CSVCut) -> Diagnostic {
        var message = "the quote that opens here is "
        if let line = cut.closingLine {
            message += "closed in line \(line), "
            message += cut.isBrokenThere ? "with text after it" : "and the record is malformed after it"
        } else if let limit = cut.limit {
            message += "not closed within \(limit) bytes, the limit"
        } else {
            message += "never closed"
        }
        // Nothing is read after a malformed header.
        if record.number > 0 { message += cut.nextLine.map { "; reading continues at line \($0)" } ?? "" }
        return Diagnostic(
            .csvSyntax, message + exhaustion,
            at: position(row.problemOffset, in: record),
            field: cut.field < columns.count ? columns[cut.field] : nil)
    }

    private var exhaustion: String {
        tokenizer.isExhausted
            ? "; the search for a line that fits is disabled, because too much of the file was read twice already" : ""
    }

    /// The diagnostic for the first byte of a record that is invalid text; nil if there is none.
    func encodingProblem(_ record: Record) -> Diagnostic? {
        let (invalid, nul) = record.raw.withUnsafeBufferPointer { raw in
            (UTF8Text.firstInvalid(in: raw), options.allowsNUL ? nil : UTF8Text.firstNUL(in: raw))
        }
        let message: String
        let offset: Int
        var help: String?
        if let invalid, invalid < nul ?? .max {
            offset = invalid
            message = record.raw.withUnsafeBufferPointer { encoding.problem(in: $0, at: invalid) }
            if encoding == .utf8 { help = "--encoding windows-1252" }
        } else if let nul {
            offset = nul
            message = "U+0000 inside text"
            help = "--allow-nul"
        } else {
            return nil
        }
        return Diagnostic(
            .encodingInvalid, message, at: position(offset, in: record), field: columnName(at: offset, in: record),
            help: help)
    }

    func missingHeader() -> Diagnostic {
        Diagnostic(
            .headerMissing, "the file ends before a header; its first record must name the columns",
            at: SourcePosition(file: sourceName, line: 1, column: 1, byteOffset: 0))
    }

    /// The column names in a header record.
    func headerNames(_ record: Record) throws(GranaryError) -> [String] {
        var diagnostics = DiagnosticCollector()
        var names: [String] = []
        var places: [[UInt8]: SourcePosition] = [:]
        let texts = record.fields.map { String(decoding: record.bytes[$0.range], as: UTF8.self) }
        let separatorLine = SeparatorLine.help(texts, delimiter: options.delimiter)
        for (index, field) in record.fields.enumerated() {
            var bytes = Array(record.bytes[Int(field.start)..<Int(field.end)])
            if options.skipsSpaces { bytes = bytes.trimmingBlanks }
            var position = record.position(of: field, file: sourceName)
            position.record = nil
            let name = String(decoding: bytes, as: UTF8.self)
            names.append(name)
            if bytes.isEmpty {
                guard !options.allowsUnnamedColumns else { continue }
                diagnostics.add(
                    Diagnostic(
                        .headerMissing, "column \(index + 1) has no name", at: position,
                        help: separatorLine ?? "--ignore ''"))
            } else if let first = places.updateValue(position, forKey: bytes) {
                places[bytes] = first
                diagnostics.add(
                    Diagnostic(
                        .headerDuplicate,
                        "two columns have the name \"\(Diagnostic.shortened(name))\", "
                            + "the first in column \(first.column)",
                        at: position, field: name, related: [first]))
            }
        }
        try diagnostics.throwIfAnyError("\(sourceName): the header is refused")
        return names
    }

    func position(_ offset: Int, in record: Record) -> SourcePosition {
        var position = record.position(ofRaw: offset, file: sourceName)
        // The header is not a data record.
        if record.number == 0 { position.record = nil }
        return position
    }

    private func columnName(at offset: Int, in record: Record) -> String? {
        guard let field = record.fields.last(where: { Int($0.rawStart) <= offset }) else { return nil }
        let index = Int(field.column)
        return index < columns.count ? columns[index] : nil
    }
}

extension [UInt8] {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmingBlanks: [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return Array(self[first...last])
    }
}
