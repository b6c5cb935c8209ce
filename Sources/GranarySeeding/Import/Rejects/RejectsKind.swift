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
