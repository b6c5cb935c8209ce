import GranaryBase
import GranaryFormats

/// The properties that sources must share if their rejected records are written to one file, so that the file can be
/// read with the same options.
struct RejectsKind: Hashable {
    enum Format: Hashable {
        case delimited(DelimitedDialect)
        /// An array of objects.
        case json
        case jsonLines
        case propertyList(PropertyListEncoding)
        case terms(columns: [String])
        /// Rows of SQLite databases and records of readers from outside Granary, as JSON Lines.
        case records
        /// A document of several entities. Each source gets a separate file, because a document has each entity once.
        case jsonDocument(source: Int)
        case propertyListDocument(PropertyListEncoding, source: Int)
        /// A document with records in several places, which also has each place once.
        case jsonPlaces([RecordPlace], source: Int)
        case propertyListPlaces(PropertyListEncoding, [RecordPlace], source: Int)
    }

    /// The dialect of CSV and TSV.
    struct DelimitedDialect: Hashable {
        let delimiter: UInt8
        let quote: UInt8
        let comment: UInt8?
        let skipRows: Int
        /// The header's bytes; nil if there is none.
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
    /// The job, because only sources of one job have the same options: its entity, link relationship and position in a
    /// plan.
    let entity: String?
    let linkRelationship: String?
    let origin: SourcePosition?

    /// The file extension of the format.
    var fileExtension: String {
        switch format {
        case .delimited(let dialect): dialect.delimiter == UInt8(ascii: "\t") ? "tsv" : "csv"
        case .json, .jsonDocument, .jsonPlaces: "json"
        case .jsonLines, .records: "ndjson"
        case .propertyList, .propertyListDocument, .propertyListPlaces: "plist"
        case .terms: "csv"
        }
    }
}

extension RejectsKind {
    /// Returns a writer for a file of this kind.
    ///
    /// - Parameter first: the reader of the first source, after its header.
    func writer(
        _ output: ByteOutput, first: any RecordReader
    ) throws(GranaryError) -> any RereadingRejectsWriter {
        switch (format, first) {
        case (.terms, let reader as TermsReader): return TermsRejectsWriter(output, first: reader)
        case (.json, let reader as JSONReader):
            return JSONRejectsWriter(output, shape: .array, hasMark: reader.hasByteOrderMark, encoding: encoding)
        case (.jsonLines, let reader as JSONReader):
            return JSONRejectsWriter(output, shape: .lines, hasMark: reader.hasByteOrderMark, encoding: encoding)
        case (.jsonDocument, let reader as JSONReader):
            return JSONRejectsWriter(output, shape: .document, hasMark: reader.hasByteOrderMark, encoding: encoding)
        case (.jsonPlaces(let places, _), let reader as JSONReader):
            return JSONRejectsWriter(
                output, shape: .places(places), hasMark: reader.hasByteOrderMark, encoding: encoding)
        case (.propertyListPlaces(let encoding, let places, _), _):
            return PropertyListRejectsWriter(output, encoding: encoding, isDocument: false, places: places)
        case (.propertyList(let encoding), _):
            return PropertyListRejectsWriter(output, encoding: encoding, isDocument: false)
        case (.propertyListDocument(let encoding, _), _):
            return PropertyListRejectsWriter(output, encoding: encoding, isDocument: true)
        default:
            throw GranaryError(.internalDefect, "\(first.sourceName): the second reader has another format")
        }
    }
}
