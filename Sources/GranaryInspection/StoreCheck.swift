package import GranaryBase
package import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Checks everything that a store holds against its model.
///
/// The flow of a store with tables: tables and columns, numbers of entities, what every row has, references, links and
/// their order, files of external data, values, numbers of related objects, uniqueness, history, indexes. What a check needs and the file lacks has been told by an earlier one. Queries
/// give what is broken, row by row; nothing is collected but the findings.
package struct StoreCheck {
    private let store: any PersistentStore
    private let isInferred: Bool

    /// - Parameter isInferred: whether the model was read off the store's tables. Then only what holds for every model is
    ///   checked: keys, numbers, versions, and references as warnings.
    package init(_ store: any PersistentStore, isInferred: Bool = false) {
        self.store = store
        self.isInferred = isInferred
    }

    /// The same, with place and remedy in the diagnostics' messages.
    ///
    /// - Throws: ``GranaryError`` when the store cannot be read on.
    package func run(_ collector: inout DiagnosticCollector) throws {
        var findings = StoreFindings(limit: collector.limit)
        try run(&findings)
        for finding in findings.findings { collector.add(finding.described) }
    }

    /// - Throws: ``GranaryError`` when the store cannot be read on; what is broken becomes findings.
    package func run(_ findings: inout StoreFindings) throws {
        guard let store = store as? SQLiteStore else {
            try self.store.reading { try ObjectCheck(self.store).run(&findings) }
            return
        }
        try store.reading { try translating { try run(store, &findings) } }
    }

    private func run(_ store: SQLiteStore, _ findings: inout StoreFindings) throws {
        let checked = try CheckedStore(store, isInferred: isInferred)
        TableCheck(checked: checked).run(&findings)
        try NumberCheck(checked: checked).run(&findings)
        try RowCheck(checked: checked).run(&findings)
        try ReferenceCheck(checked: checked).run(&findings)
        try LinkCheck(checked: checked).run(&findings)
        try ExternalFileCheck(checked: checked).run(&findings)
        if !isInferred {
            try ObjectCheck(store).run(checked, &findings)
            try CountCheck(checked: checked).run(&findings)
            try UniqueValueCheck(checked: checked).run(&findings)
        }
        try HistoryCheck(checked: checked).run(&findings)
        if !isInferred {
            try IndexCheck(checked: checked).run(&findings)
            try TriggerCheck(checked: checked).run(&findings)
        }
    }
}
