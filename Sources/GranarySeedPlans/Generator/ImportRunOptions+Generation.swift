package import GranaryBase
package import GranaryCoordination
package import GranaryGeneration
package import GranaryImport

extension GenerationRequest: AddedObjects {
    package func add(
        to store: any StoreBackend, _ writer: any StoreWriter, cancellation: Cancellation?,
        beforeRows: () throws -> Void
    ) throws -> [EntityCount] {
        try GenerationRun(self, store: store, writer: writer, cancellation: cancellation).run(beforeRows: beforeRows)
    }
}

extension ImportRunOptions {
    /// The objects to generate after the records are written; nil for none.
    package var generation: GenerationRequest? {
        get { addedObjects as? GenerationRequest }
        set { addedObjects = newValue }
    }
}
