import Foundation
public import GranaryBase
import GranaryFormats
public import GranaryModel

/// What a JSON document or a property list of several entities contains besides its records.
///
/// The model can be the last member of a document, so the whole source is read, with one record in memory.
struct DocumentContent {
    /// The name of the source.
    let source: String
    /// The entities, in the order of the document.
    let entities: [String]
    /// The model as JSON; nil if there is none.
    private let model: [UInt8]?

    private struct Flags: Decodable {
        var inferred: Bool?
    }

    /// Reads a source to its end. Nil if it is not a document of several entities.
    ///
    /// - Throws: ``GranaryError`` as reading throws, and the problem of the source, such as a malformed sidecar. Malformed
    ///   records are skipped; an import reports them.
    init?(_ source: ImportSource, cancellation: Cancellation? = nil) throws(GranaryError) {
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
    static func isDocument(_ source: ImportSource) -> Bool {
        guard source.problem == nil, source.nests, let reader = try? source.makeReader() else { return false }
        guard (try? reader.readHeader()) != nil else { return false }
        return (reader as? JSONReader)?.isDocument ?? (reader as? PropertyListReader)?.isDocument ?? false
    }

    /// Returns the model; nil if there is none. `isInferred` tells whether it was inferred from the tables of a store.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if it is not a model.
    func decodedModel() throws(GranaryError) -> (model: ManagedObjectModel, isInferred: Bool)? {
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

extension StoreImport {
    /// The model in the documents that are imported into a new store.
    ///
    /// - Throws: ``GranaryError``: `usage` if no source contains a model; `refused` for a model that was inferred from a
    ///   store's tables and for documents with different models, and as reading the documents throws.
    func modelOfDocuments() throws(GranaryError) -> ManagedObjectModel {
        // Standard input can be read only once, and a rejects file has the records as they were read.
        let spool = ByteSpool(keepsFiles: run.rejectsPath != nil)
        var found: (model: ManagedObjectModel, source: String)?
        for source in jobs.flatMap(\.sources) {
            source.keepBytes(in: spool)
            guard let content = try DocumentContent(source, cancellation: run.cancellation),
                let decoded = try content.decodedModel()
            else { continue }
            guard !decoded.isInferred else {
                throw GranaryError(
                    .refused,
                    "\(source.name): its model was inferred from the tables of a store; pass the model of the app to "
                        + "create \(store)", help: "--model MODEL")
            }
            if let found, found.model != decoded.model {
                throw GranaryError(
                    .refused, "\(found.source) and \(source.name) contain different models; pass the model of \(store)",
                    help: "--model MODEL")
            }
            if found == nil { found = (model: decoded.model, source: source.name) }
        }
        if let found { return found.model }
        guard jobs.contains(where: { !$0.sources.isEmpty }) else {
            throw GranaryError(.usage, "a model is needed: \(store) does not exist")
        }
        throw GranaryError(
            .usage,
            "a model is needed: \(store) does not exist, and no source contains a model; a JSON document or a property "
                + "list of a whole store does, CSV, TSV, JSON Lines and their sidecars do not", help: "--model MODEL")
    }
}
