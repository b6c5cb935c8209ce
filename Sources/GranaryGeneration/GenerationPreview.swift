package import GranaryBase
package import GranaryCoordination
package import GranaryModel

/// The first objects of each entity that a generation would make, in memory.
///
/// All objects are planned, so these are the ones that the generation makes. Objects after them are not made: references
/// to them lead to keys without objects.
package struct GenerationPreview {
    private let request: GenerationRequest
    private let rows: UInt64

    /// - Parameters:
    ///   - request: without counts, the preview is that of `rows` objects of each entity.
    ///   - rows: the number of objects of each entity.
    package init(_ request: GenerationRequest, rows: Int) {
        self.request = request
        self.rows = UInt64(max(0, rows))
    }

    /// The objects that would be added to a new store.
    ///
    /// - Parameter keepsExactDecimals: whether that store keeps all digits of a Decimal. SQLite does not.
    package func run(
        schema: Schema, keepsExactDecimals: Bool = false, cancellation: Cancellation? = nil
    ) throws -> (store: InMemoryStore, counts: [EntityCount]) {
        let empty = InMemoryStore(schema: schema)
        return try run(addedTo: keepsExactDecimals ? empty : RoundingStore(base: empty), cancellation: cancellation)
    }

    /// The objects that would be added to a store, which is only read.
    package func run(
        addedTo target: any StoreBackend, cancellation: Cancellation? = nil
    ) throws -> (store: InMemoryStore, counts: [EntityCount]) {
        var request = request
        if request.counts.isEmpty {
            for entity in target.schema.entities where !entity.isAbstract {
                request.counts[entity.name] = Int(clamping: rows)
            }
        }
        let preview = InMemoryStore(schema: target.schema)
        let counts = try target.reading {
            try preview.transaction { writer in
                for entity in target.schema.entities where entity.root == entity.index {
                    try writer.reserveKeys(root: entity.index, through: try target.lastKey(root: entity.index))
                }
                return try GenerationRun(
                    request, store: target, writer: writer, cancellation: cancellation, rowLimit: rows
                ).run()
            }
        }
        return (preview, counts)
    }
}

/// An empty store that stands for one which keeps Decimals as doubles.
private final class RoundingStore: ForwardingStore {
    let base: any StoreBackend
    var capabilities: StoreCapabilities { base.capabilities.subtracting(.exactDecimals) }

    init(base: any StoreBackend) { self.base = base }
}
