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

    @Option(help: ArgumentHelp("The UUID of a store that this command creates or ships.", valueName: "uuid"))
    var storeUuid: String?

    func validate() throws {
        if storeUuid != nil, identifier == nil { throw ValidationError("--store-uuid must be a UUID.") }
    }

    var identifier: UUID? { storeUuid.flatMap { UUID(uuidString: $0) } }

    /// Refuses a UUID for a store that has one and is not shipped.
    func check(_ target: StoreTarget, path: String) throws {
        guard !target.isNew, identifier != nil, !ship else { return }
        throw GranaryError(
            .usage, "\(path) already has a UUID; only a new or shipped store can get another", help: "--ship")
    }
}

extension ShippingReport {
    /// Tells which files must be shipped with a store; prints nothing if it is one file.
    func log(_ store: String) {
        guard externalFiles > 0 else { return }
        CommandOutput.log(
            "granary: ship \(externalFolder) with \(store): it contains "
                + CountText.count(externalFiles, "file") + " of external data")
    }
}
