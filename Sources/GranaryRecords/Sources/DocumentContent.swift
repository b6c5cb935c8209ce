import Foundation
public import GranaryBase
import GranaryFormats
public import GranaryModel

/// What a JSON document or a property list of several entities contains besides its records.
///
/// The model can be the last member of a document, so the whole source is read, with one record in memory.
package struct DocumentContent {
    /// The name of the source.
    let source: String
    /// The entities, in the order of the document.
    package let entities: [String]
    /// The model as JSON; nil if there is none.
    private let model: [UInt8]?

    private struct Flags: Decodable {
        var inferred: Bool?
    }

    /// Reads a source to its end. Nil if it is not a document of several entities.
    ///
    /// - Throws: ``GranaryError`` as reading throws, and the problem of the source, such as a malformed sidecar.
    ///   Malformed records are skipped; an import reports them.
    package init?(_ source: ImportSource, cancellation: Cancellation? = nil) throws(GranaryError) {
        if let problem = source.problem { throw problem }
        guard source.nests else { return nil }
        let reader = try source.makeReader()
        try reader.readHeader()
        switch reader {
        case let json as JSONReader where json.isDocument: break
        case let list as PropertyListReader where list.isDocument: break
        default: return nil
        }
        var record = Record()
        reading: while true {
            try cancellation?.check()
            if case .end = try reader.next(into: &record) { break reading }
        }
        self.source = source.name
        entities = reader.entities
        model = (reader as? JSONReader)?.model ?? (reader as? PropertyListReader)?.model
    }

    /// Whether a source is a document of several entities, as far as its beginning tells.
    package static func isDocument(_ source: ImportSource) -> Bool {
        guard source.problem == nil, source.nests, let reader = try? source.makeReader() else { return false }
        guard (try? reader.readHeader()) != nil else { return false }
        return (reader as? JSONReader)?.isDocument ?? (reader as? PropertyListReader)?.isDocument ?? false
    }

    /// Returns the model; nil if there is none. `isInferred` tells whether it was inferred from the tables of a store.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if it is not a model.
    package func decodedModel() throws(GranaryError) -> (model: ManagedObjectModel, isInferred: Bool)? {
        guard let model else { return nil }
        do {
            let decoder = JSONDecoder()
            let flags = try decoder.decode(Flags.self, from: Data(model))
            return (try decoder.decode(ManagedObjectModel.self, from: Data(model)), flags.inferred ?? false)
        } catch {
            let reason = (error as? GranaryError)?.message ?? ModelDecoding.reason(of: error)
            var refusal = GranaryError(
                .refused, "\(source): its model cannot be read: \(reason)", help: "--model MODEL")
            refusal.underlying = error
            throw refusal
        }
    }
}

/// The reasons of errors of a decoder.
private enum ModelDecoding {
    static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return context.debugDescription + (path.isEmpty ? "" : " (\(path))")
        default: return error.localizedDescription
        }
    }
}

extension ImportSource {
    /// Returns the model that a JSON document or a property list of several entities contains, as an export of a whole
    /// store does. Nil for other sources and for documents without a model. The source is read to its end.
    ///
    /// ```swift
    /// let model = try ImportSource.file(URL(filePath: "seed.json")).model()
    /// ```
    ///
    /// - Throws: ``GranaryError``: `refused` if the source or its model is malformed, or as reading throws.
    public func model() throws(GranaryError) -> ManagedObjectModel? {
        try DocumentContent(self)?.decodedModel()?.model
    }
}
