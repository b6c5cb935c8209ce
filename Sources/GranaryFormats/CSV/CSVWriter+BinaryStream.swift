package import GranaryBase

extension CSVWriter: BinaryStreamWriter {
    package func write(contentsOf source: ByteSource, column: Int) throws(GranaryError) {
        // A Base64 field needs quotes only if a character of its alphabet is the delimiter or the quote. Then the value
        // is written whole, like any other text, so that quotes in it are doubled. So is a field for spreadsheets,
        // because Base64 can begin with `+`.
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)
        // The field of an empty value is quoted.
        guard source.byteCount != 0, !alphabet.contains(options.delimiter), !alphabet.contains(options.quote),
            options.comment.map({ !alphabet.contains($0) }) ?? true, !options.escapesFormulas
        else {
            let bytes = try source.readAll(limit: Int(UInt32.max))
            return try bytes.withBorrowedBinary { (value) throws(GranaryError) in try write(value, column: column) }
        }
        try beginStream(column)
        try ValueText.write(contentsOf: source, binary: options.binary, to: output)
    }
}
