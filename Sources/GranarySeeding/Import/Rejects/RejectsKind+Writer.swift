import GranaryBase
import GranaryFormats

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
