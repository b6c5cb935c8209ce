package import GranaryBase
import GranaryPropertyLists

/// The import runs recorded in a store's metadata, newest last: an array under one key in `Z_METADATA.Z_PLIST`.
///
/// The first element may be a dictionary with the number of older runs that were dropped.
package struct ImportLedger: Sendable {
    package static let key = "GranaryImportRuns"
    /// The maximum number of bytes that the ledger adds to the binary property list.
    package static let byteLimit = 4096
    /// The maximum number of sources; more never fit.
    private static let sourceLimit = 128

    package private(set) var runs: [ImportRun] = []
    /// The number of older runs that were dropped.
    package private(set) var droppedRuns = 0
    /// A message if the key holds something that Granary did not write. It is not changed, and no run is recorded.
    package private(set) var problem: String?

    /// - Parameter value: the value under the key; nil if there is none.
    init(_ value: PropertyListValue?) {
        guard let value else { return }
        guard var elements = value.array else {
            fail()
            return
        }
        if let dropped = elements.first?["dropped"]?.integer {
            guard let count = Int(exactly: dropped), count >= 0 else {
                fail()
                return
            }
            droppedRuns = count
            elements.removeFirst()
        }
        for element in elements {
            guard let run = ImportRun(element) else {
                fail()
                return
            }
            runs.append(run)
        }
    }

    private mutating func fail() {
        runs = []
        droppedRuns = 0
        problem =
            "the metadata entry \"\(Self.key)\" is not a Granary ledger; it is left unchanged, and no run is "
            + "recorded"
    }

    /// Nil if the ledger is empty.
    fileprivate var propertyList: PropertyListValue? {
        guard !runs.isEmpty || droppedRuns > 0 else { return nil }
        let dropped = PropertyListValue.dictionary([PropertyListEntry("dropped", .integer(Int64(droppedRuns)))])
        return .array((droppedRuns > 0 ? [dropped] : []) + runs.map(\.propertyList))
    }

    fileprivate mutating func append(_ run: ImportRun) {
        var run = run
        if run.sources.count > Self.sourceLimit {
            run.sourcesLeftOut += run.sources.count - Self.sourceLimit
            run.sources.removeLast(run.sources.count - Self.sourceLimit)
        }
        runs.append(run)
    }

    /// Drops the oldest run, or the last source if there is only one run; returns false if nothing can be dropped.
    fileprivate mutating func shorten() -> Bool {
        guard var run = runs.last else { return false }
        if runs.count > 1 {
            runs.removeFirst()
            droppedRuns += 1
            return true
        }
        guard !run.sources.isEmpty else { return false }
        run.sources.removeLast()
        run.sourcesLeftOut += 1
        runs = [run]
        return true
    }

    fileprivate mutating func removeDates() {
        for index in runs.indices { runs[index].date = nil }
    }

    /// Removes a run; returns false if it is not in the ledger.
    fileprivate mutating func remove(_ id: String) -> Bool {
        guard let place = runs.lastIndex(where: { $0.id == id }) else { return false }
        runs.remove(at: place)
        return true
    }
}

extension StoreMetadata {
    package var importLedger: ImportLedger {
        let values = entries.filter { $0.key == ImportLedger.key }.map(\.value)
        // Granary does not write the key twice.
        return ImportLedger(values.count > 1 ? PropertyListValue.array(values) : values.first)
    }

    /// Returns the metadata with a run added; nil if the key holds something that Granary did not write.
    package func adding(_ run: ImportRun) throws(GranaryError) -> StoreMetadata? {
        var ledger = importLedger
        guard ledger.problem == nil else { return nil }
        ledger.append(run)
        let bare = try replacingLedger(with: nil).propertyList().count
        var changed = replacingLedger(with: ledger)
        while try changed.propertyList().count - bare > ImportLedger.byteLimit, ledger.shorten() {
            changed = replacingLedger(with: ledger)
        }
        return changed
    }

    /// Returns the metadata without a run.
    package func removing(run id: String) -> StoreMetadata {
        var ledger = importLedger
        guard ledger.problem == nil, ledger.remove(id) else { return self }
        return replacingLedger(with: ledger)
    }

    /// Returns the metadata without the dates of runs, for a store to ship.
    package var withoutRunDates: StoreMetadata {
        var ledger = importLedger
        guard ledger.problem == nil, ledger.runs.contains(where: { $0.date != nil }) else { return self }
        ledger.removeDates()
        return replacingLedger(with: ledger)
    }

    /// The other entries and their order do not change.
    private func replacingLedger(with ledger: ImportLedger?) -> StoreMetadata {
        var copy = self
        let place = entries.firstIndex { $0.key == ImportLedger.key }
        guard let value = ledger?.propertyList else {
            copy.entries.removeAll { $0.key == ImportLedger.key }
            return copy
        }
        let entry = PropertyListEntry(ImportLedger.key, value)
        if let place { copy.entries[place] = entry } else { copy.entries.append(entry) }
        return copy
    }
}
