package import GranaryBase
package import GranaryCoordination

extension StoreBackend {
    /// Warnings about rows that belong to no concrete entity and are therefore not exported.
    ///
    /// - Parameters:
    ///   - read: the number of rows that were read of an entity, if all were read.
    ///   - verb: what did not happen to them.
    package func strayRowWarnings(
        read: [Int: Int], _ verb: String = "exported"
    ) throws(GranaryError) -> [Diagnostic] {
        try strayRows(read: read).map { table, count in
            Diagnostic(
                .storeCorrupt,
                "\(table): \(count) row\(count == 1 ? " belongs" : "s belong") to no concrete entity and "
                    + "\(count == 1 ? "was" : "were") not \(verb); a store check lists them", severity: .warning)
        }
    }
}
