import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranarySeedPlans

/// The options of the commands that can produce a store to ship.
struct ShippingOptions: ParsableArguments {
    @Flag(
        help: """
            Produce a store to ship: one file, journal mode DELETE, vacuumed and checked; the same input gives the \
            same bytes.
            """)
    var ship = false

    /// Where a store to ship has the values of its external files.
    enum ExternalPlace: String, ExpressibleByArgument, CaseIterable {
        case files, inline
    }

    @Option(
        help:
            "With --ship: whether values in external files stay there, or are moved into the store, which is then one file."
    )
    var external: ExternalPlace?

    @Option(help: ArgumentHelp("The UUID of a store that this command creates or ships.", valueName: "uuid"))
    var storeUuid: String?

    func validate() throws {
        if external != nil, !ship { throw ValidationError("--external needs --ship.") }
        if storeUuid != nil, identifier == nil { throw ValidationError("--store-uuid must be a UUID.") }
    }

    var identifier: UUID? { storeUuid.flatMap { UUID(uuidString: $0) } }

    /// Refuses a UUID for a store that has one and is not shipped.
    func check(_ target: StoreTarget, path: String) throws {
        guard !target.isNew, identifier != nil, !ship else { return }
        throw GranaryError(
            .usage, "\(target.plan.storeName) already has a UUID; only a new or shipped store can get another",
            help: "--ship")
    }
}

extension ShippingReport {
    /// The number of files that are listed.
    private static let limit = 20

    /// Lists the files that must be shipped with a store; prints nothing if it is one file.
    func log(_ store: String) {
        guard !externalFiles.isEmpty else { return }
        CommandOutput.log(
            "granary: ship \(externalFolder) with \(store): it contains "
                + CountText.count(externalFiles.count, "file") + " of external data")
        for name in externalFiles.prefix(Self.limit) { CommandOutput.log("  \(externalFolder)/\(name)") }
        let rest = externalFiles.count - Self.limit
        if rest > 0 { CommandOutput.log("  … and \(CountText.grouped(rest)) more") }
        CommandOutput.log("  help: --external inline keeps the values in the store")
    }
}
