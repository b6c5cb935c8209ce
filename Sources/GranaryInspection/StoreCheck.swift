package import GranaryBase
package import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Checks the content of a store against its model.
///
/// The order for a SQLite store: tables and columns, entity numbers, keys and versions of rows, references, links and
/// their order, external data files, values, relationship counts, uniqueness, history, indexes, triggers. A check skips
/// tables and columns whose absence an earlier one reported. Queries return only damaged rows; only findings are kept
/// in memory.
package struct StoreCheck {
    private let store: any StoreBackend
    private let isInferred: Bool

    /// - Parameter isInferred: whether the model was inferred from the store's tables. Then only keys, entity numbers,
    ///   versions and the storage classes of values are checked, and references, as warnings.
    package init(_ store: any StoreBackend, isInferred: Bool = false) {
        self.store = store
        self.isInferred = isInferred
    }

    /// Checks the store and reports diagnostics, with the place and the advice in their messages.
    ///
    /// - Throws: ``GranaryError`` if the store cannot be read further.
    package func run(_ collector: inout DiagnosticCollector) throws {
        var findings = StoreFindings(limit: collector.limit)
        try run(&findings)
        for finding in findings.findings { collector.add(finding.described) }
    }

    /// Checks the store and reports findings.
    ///
    /// - Throws: ``GranaryError`` if the store cannot be read further.
    package func run(_ findings: inout StoreFindings) throws {
        guard let store = store as? SQLiteStore else {
            try self.store.reading {
                try ObjectCheck(self.store).run(&findings)
                try (self.store as? any ContentChecking)?.checkContent { findings.add($0) }
            }
            return
        }
        try store.reading { try translating { try run(store, &findings) } }
    }

    private func run(_ store: SQLiteStore, _ findings: inout StoreFindings) throws {
        let checked = try CheckedStore(store, isInferred: isInferred)
        try TableCheck(checked: checked).run(&findings)
        try NumberCheck(checked: checked).run(&findings)
        try RowCheck(checked: checked).run(&findings)
        try ReferenceCheck(checked: checked).run(&findings)
        try LinkCheck(checked: checked).run(&findings)
        try ExternalFileCheck(checked: checked).run(&findings)
        try ObjectCheck(store, checksRules: !isInferred).run(checked, &findings)
        if !isInferred {
            try LinkCountCheck(checked: checked).run(&findings)
            try UniqueValueCheck(checked: checked).run(&findings)
        }
        try HistoryCheck(checked: checked).run(&findings)
        if !isInferred {
            try IndexCheck(checked: checked).run(&findings)
            try TriggerCheck(checked: checked).run(&findings)
        }
    }
}
