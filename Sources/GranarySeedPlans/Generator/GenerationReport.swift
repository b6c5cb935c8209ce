public import GranaryBase
public import GranaryCoordination
package import GranaryCoreDataStore
package import GranaryImport

/// The result of a generation.
public struct GenerationReport: Sendable {
    /// The entities with generated objects, in the order of the store's entity numbers.
    public var entities: [EntityCount]
    /// The store's path; empty for a container.
    public var store: String
    /// The duration in seconds.
    public var seconds: Double
    /// The loader that wrote rows: `pages` or `sql`; nil if no row was written.
    public var loader: String?
    /// Whether the objects were rolled back because of a dry run.
    public var isDryRun: Bool
    /// Warnings about the store and its model.
    public var storeWarnings: [Diagnostic]
    /// What the run did to ship the store; nil if it was not to be shipped.
    package var shipping: ShippingReport?

    /// The number of generated objects.
    public var count: Int { entities.reduce(0) { $0 + $1.count } }

    package init(_ report: ImportReport) {
        entities = report.generated
        store = report.store
        seconds = report.seconds
        loader = report.loader
        isDryRun = report.isDryRun
        storeWarnings = report.storeWarnings
        shipping = report.shipping
    }

    /// `generated 1040 objects: Patient 1000, Responder 40`
    public var ledger: String {
        let parts = entities.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        return "generated \(count) \(count == 1 ? "object" : "objects")" + (parts.isEmpty ? "" : ": " + parts)
    }
}

extension GenerationReport: CustomStringConvertible {
    /// The ``ledger``, then a line for each warning.
    public var description: String { ([ledger] + storeWarnings.map(\.description)).joined(separator: "\n") }
}
