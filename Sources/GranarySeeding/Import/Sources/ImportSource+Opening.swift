package import GranaryBase
import GranaryFormats

extension ImportSource {
    /// A file, in the format that the options or its name say.
    ///
    /// Without an entity, a file of a format that names none is of the one that it is named after, as an export into a
    /// folder writes them.
    ///
    /// - Parameter spool: receives the bytes for a second reading; nil if the source is read once.
    /// - Throws: ``GranaryError`` with code `usage` where nothing says the format.
    package static func file(
        _ path: String, options: SourceOptions, entity: String?, spool: ByteSpool? = nil
    ) throws(GranaryError) -> ImportSource {
        guard let format = options.format(of: path) else {
            throw GranaryError(.usage, "say the format: the name of \(path) does not tell it")
        }
        let named = entityName(ofFile: path, options: options, entity: entity)
        let bytes = SourceBytes { () throws(GranaryError) -> ByteSource in
            // The import itself keeps the bytes of delimited records that it needs again.
            try ByteSource(path: path, spool: format.isDelimited ? nil : spool)
        }
        return ImportSource(name: path, nests: format.nests, entity: named) {
            () throws(GranaryError) -> any RecordReader in
            let reader = try options.reader(try bytes.fromStart(), format: format)
            guard let named else { return reader }
            return EntityReader(reader, entity: named)
        }
    }

    /// Standard input, which tells no format by a name.
    ///
    /// - Throws: ``GranaryError`` with code `usage` where the options say none.
    package static func standardInput(
        options: SourceOptions, spool: ByteSpool? = nil
    ) throws(GranaryError) -> ImportSource {
        guard let format = options.format else {
            throw GranaryError(.usage, "say the format: standard input has no name that tells it")
        }
        let bytes = SourceBytes { () throws(GranaryError) -> ByteSource in
            ByteSource.standardInput(spool: format.isDelimited ? nil : spool)
        }
        return ImportSource(name: "<stdin>", nests: format.nests) { () throws(GranaryError) -> any RecordReader in
            try options.reader(try bytes.fromStart(), format: format)
        }
    }

    /// A constant table that is an option's text.
    package static func terms(_ text: String, name: String = "--terms", options: SourceOptions) -> ImportSource {
        ImportSource(name: name, nests: false) { () throws(GranaryError) -> any RecordReader in
            try TermsReader(text: text, name: name, options: options.termsOptions)
        }
    }

    /// The entity that a file is named after, where nothing else says it.
    package static func entityName(ofFile path: String, options: SourceOptions, entity: String?) -> String? {
        guard entity == nil, path != "-", let format = options.format(of: path), format.isNamedAfterEntity else {
            return nil
        }
        return SourceFormat.baseName(of: path)
    }
}
