import GranaryBase
import GranaryFormats

/// What sources must have in common for their rejected records to stand in one file, which is then read as they were.
struct RejectsKind: Hashable {
    enum Format: Hashable {
        case delimited(DelimitedDialect)
        /// An array of objects.
        case json
        case jsonLines
        case propertyList(PropertyListEncoding)
        case terms(columns: [String])
        /// Records of readers from outside Granary, as JSON Lines.
        case records
        /// A document of several entities, which has each of them once: a file of its own for the source with this
        /// number.
        case jsonDocument(source: Int)
        case propertyListDocument(PropertyListEncoding, source: Int)
    }

    /// How CSV and TSV are read.
    struct DelimitedDialect: Hashable {
        let delimiter: UInt8
        let quote: UInt8
        let comment: UInt8?
        let skipRows: Int
        /// The header's bytes; nil without one.
        let header: [UInt8]?
        /// The columns of a file without a header.
        let columns: [String]

        init(_ preamble: CSVPreamble) {
            delimiter = preamble.options.delimiter
            quote = preamble.options.quote
            comment = preamble.options.comment
            skipRows = preamble.options.skipRows
            header = preamble.header
            columns = preamble.header == nil ? preamble.columns : []
        }
    }

    let format: Format
    let encoding: TextEncoding
    /// Which import they belong to: only sources of one are read with the same options.
    let entity: String?
    let linkRelationship: String?
    let origin: SourcePosition?

    /// What a name ends with that is read in this format.
    var fileExtension: String {
        switch format {
        case .delimited(let dialect): dialect.delimiter == UInt8(ascii: "\t") ? "tsv" : "csv"
        case .json, .jsonDocument: "json"
        case .jsonLines, .records: "ndjson"
        case .propertyList, .propertyListDocument: "plist"
        case .terms: "csv"
        }
    }
}

extension RejectsKind {
    /// Starts a file of this kind. `first` is the reader of the first source whose records go into it, behind its header.
    func writer(
        _ output: ByteOutput, first: any RecordReader
    ) throws(GranaryError) -> any RereadingRejectsWriter {
        switch (format, first) {
        case (.records, _): return RecordRejectsWriter(output)
        case (.terms, let reader as TermsReader): return TermsRejectsWriter(output, first: reader)
        case (.json, let reader as JSONReader):
            return JSONRejectsWriter(output, shape: .array, hasMark: reader.hasByteOrderMark, encoding: encoding)
        case (.jsonLines, let reader as JSONReader):
            return JSONRejectsWriter(output, shape: .lines, hasMark: reader.hasByteOrderMark, encoding: encoding)
        case (.jsonDocument, let reader as JSONReader):
            return JSONRejectsWriter(output, shape: .document, hasMark: reader.hasByteOrderMark, encoding: encoding)
        case (.propertyList(let encoding), _):
            return PropertyListRejectsWriter(output, encoding: encoding, isDocument: false)
        case (.propertyListDocument(let encoding, _), _):
            return PropertyListRejectsWriter(output, encoding: encoding, isDocument: true)
        default:
            throw GranaryError(.internalDefect, "\(first.sourceName): is read in another format than before")
        }
    }
}

/// Writes the rejected records of the sources of one kind into one file.
protocol RejectsWriter: AnyObject {
    /// Writes the end of the file and syncs it. The file keeps its temporary name.
    func prepare() throws(GranaryError)
}

/// A writer of records that are read a second time.
protocol RereadingRejectsWriter: RejectsWriter {
    /// Writes those of `records` that `reader` gives, which stands behind its header.
    ///
    /// - Returns: how many there were.
    func copy(_ records: RejectedRecords, from reader: any RecordReader) throws(GranaryError) -> Int
}
