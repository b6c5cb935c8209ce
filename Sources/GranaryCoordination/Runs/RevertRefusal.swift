package import GranaryBase

/// The errors for which a run cannot be recorded or reverted, in the same words for each kind of store.
package struct RevertRefusal: Sendable {
    /// The store in the messages.
    package let store: String
    package let run: String
    /// What has changed since the run.
    private var conflicts = DiagnosticCollector(limit: 20)

    /// - Throws: ``GranaryError`` with code `usage` for an invalid name: beside an SQLite store, the name becomes part
    ///   of a path.
    package init(store: String, run: String) throws(GranaryError) {
        let isSound = run.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
        }
        guard isSound, (1...64).contains(run.utf8.count) else {
            throw GranaryError(.usage, "\"\(Diagnostic.shortened(run))\" is not the name of a run, such as run-3")
        }
        (self.store, self.run) = (store, run)
    }

    // MARK: - Recording

    /// The rows of a table cannot be recorded.
    package static func unrecordable(_ store: String, table: String, _ what: String) -> GranaryError {
        GranaryError(
            Diagnostic(
                .storeLayout,
                "\(store): the table \"\(Diagnostic.shortened(table))\" \(what), so its rows cannot be recorded for a "
                    + "revert"))
    }

    /// - Throws: ``GranaryError`` with code `refused` if the ledger has a run of this name.
    package func checkIsNew(in ledger: ImportLedger) throws(GranaryError) {
        guard !ledger.runs.contains(where: { $0.id == run }) else {
            throw GranaryError(.refused, "\(store): a run \(run) already exists")
        }
    }

    // MARK: - Reverting

    /// There is no data to revert the run.
    ///
    /// - Parameter place: where it would be.
    package func missing(_ ledger: ImportLedger?, in place: String) -> GranaryError {
        let names = ledger?.runs.map(\.id) ?? []
        let list = names.isEmpty ? "" : "; the last runs are \(names.suffix(5).joined(separator: ", "))"
        return GranaryError(
            .unreadable,
            names.contains(run)
                ? "\(store): the run \(run) cannot be reverted: \(place) has no before-images of it; only revertible runs "
                    + "keep them"
                : "\(store): there is no run \(run) to revert\(list)")
    }

    /// The tables are not those of the time of the run.
    package var changedTables: GranaryError {
        GranaryError(
            Diagnostic(
                .storeLayout,
                "\(store): the run \(run) cannot be reverted: the store's tables, indexes or triggers have changed since"
            ))
    }

    /// A restored row has other values than before the run.
    package func alteredRow(_ key: Int64, of table: String) -> GranaryError {
        GranaryError(
            Diagnostic(.storeLayout, "\(store): the table \(table) does not store the restored row \(key) unchanged"))
    }

    /// A row cannot be restored, because of a uniqueness constraint.
    package func taken(
        _ name: String, columns: [String], entity: String?, underlying: any Error
    ) -> GranaryError {
        let diagnostic = Diagnostic(
            .objectConflict,
            "\(name) cannot be restored: another object now has the same value (\(columns.joined(separator: ", ")))",
            entity: entity)
        return GranaryError(
            .refused, "\(store): the run \(run) cannot be reverted: \(diagnostic.message)", diagnostics: [diagnostic],
            underlying: underlying)
    }

    /// A row is not as the run left it.
    ///
    /// - Parameters:
    ///   - isGone: whether it does not exist any more.
    ///   - wasGone: whether the run deleted it.
    package mutating func addChange(of name: String, isGone: Bool, wasGone: Bool, entity: String?) {
        let what = isGone ? "deleted" : wasGone ? "made again" : "changed"
        add("\(name) was \(what) since the run", entity: entity)
    }

    /// A row refers to an object that the run inserted.
    package mutating func addReference(from row: String, by column: String, to key: Int64) {
        add("\(row) refers by \(column) to p\(key), which the run inserted")
    }

    /// Restored rows refer to objects that do not exist any more.
    package mutating func addDangling(_ count: Int64, of table: String, by column: String) {
        add("\(count) rows of \(table) would refer by \(column) to objects that were deleted since the run")
    }

    private mutating func add(_ message: String, entity: String? = nil) {
        conflicts.add(Diagnostic(.objectConflict, message, entity: entity))
    }

    /// - Parameter ledger: tells the later runs, which can be reverted first.
    /// - Throws: ``GranaryError`` with code `refused` and the first conflicts if there are any.
    package func throwConflicts(_ ledger: @autoclosure () -> ImportLedger?) throws(GranaryError) {
        guard conflicts.count > 0 else { return }
        let count = conflicts.count
        let shown = conflicts.isCut ? "; the first \(conflicts.limit) are listed" : ""
        let names = ledger()?.runs.map(\.id) ?? []
        let later = names.firstIndex(of: run).map { names[($0 + 1)...].suffix(5).reversed() } ?? []
        let advice = later.isEmpty ? "" : "; revert the later runs first: \(later.joined(separator: ", "))"
        try conflicts.throwIfAnyError(
            "\(store): the run \(run) cannot be reverted: the store has changed since in \(count) "
                + "place\(count == 1 ? "" : "s")\(shown)\(advice)")
    }
}
