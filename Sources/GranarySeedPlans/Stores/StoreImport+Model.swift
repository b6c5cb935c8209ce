import GranaryBase
import GranaryImport
import GranaryModel
import GranaryRecords

extension StoreImport {
    /// The model of a new store: that in the imported documents, or else that of the source of the first subset.
    ///
    /// - Parameter plan: the name of the plan in messages; nil for imports without a plan.
    /// - Throws: ``GranaryError``: `usage` if there is none; `refused` for a model that was inferred from a store's tables
    ///   and for documents with different models, and as reading the documents and opening the store throws.
    func modelOfSources(plan: String?) throws(GranaryError) -> ManagedObjectModel {
        if let model = try modelOfDocuments() { return model }
        if let subset = subsets.first { return try subset.sourceModel() }
        let prefix = plan.map { "\($0): name the model: " } ?? ""
        guard jobs.contains(where: { !$0.sources.isEmpty }) else {
            throw GranaryError(.usage, "\(prefix)a model is needed: \(storeName) does not exist")
        }
        throw GranaryError(
            .usage,
            "\(prefix)a model is needed: \(storeName) does not exist, and no source contains a model; a JSON document or a property "
                + "list of a whole store does, CSV, TSV, JSON Lines and their sidecars do not",
            help: plan == nil ? "--model MODEL" : nil)
    }

    private func modelOfDocuments() throws(GranaryError) -> ManagedObjectModel? {
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
        return found?.model
    }
}
