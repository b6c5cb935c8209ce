import GranaryBase
import GranaryImport
import GranaryModel
import GranaryRecords

extension StoreImport {
    /// The model in the documents that are imported into a new store.
    ///
    /// - Throws: ``GranaryError``: `usage` if no source contains a model; `refused` for a model that was inferred from
    ///   a store's tables and for documents with different models, and as reading the documents throws.
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
                        + "create \(storeName)", help: "--model MODEL")
            }
            if let found, found.model != decoded.model {
                throw GranaryError(
                    .refused,
                    "\(found.source) and \(source.name) contain different models; pass the model of \(storeName)",
                    help: "--model MODEL")
            }
            if found == nil { found = (model: decoded.model, source: source.name) }
        }
        if let found { return found.model }
        guard jobs.contains(where: { !$0.sources.isEmpty }) else {
            throw GranaryError(.usage, "a model is needed: \(storeName) does not exist")
        }
        throw GranaryError(
            .usage,
            "a model is needed: \(storeName) does not exist, and no source contains a model; a JSON document or a property "
                + "list of a whole store does, CSV, TSV, JSON Lines and their sidecars do not", help: "--model MODEL")
    }
}
