package import GranaryBase
import GranaryPropertyLists

/// The runs that a store's metadata tell of, newest last: an array under one key of ours in `Z_METADATA.Z_PLIST`.
///
/// Its first element may be a dictionary that says how many older runs were dropped to make room.
package struct ImportLedger: Sendable {
    package static let key = "GranaryImportRuns"
    /// How many bytes the ledger may add to the binary property list.
    package static let byteLimit = 4096
    /// More sources than these never fit.
    private static let sourceLimit = 128

    package private(set) var runs: [ImportRun] = []
    /// How many older runs had to make room.
    package private(set) var droppedRuns = 0
    /// What is under the key and not ours, as a sentence; it is left as it is, and nothing is recorded. Nil when all is
    /// well.
    package private(set) var problem: String?

    /// - Parameter value: what is under the key; nil for nothing.
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
            "what the metadata have under \"\(Self.key)\" is no ledger of Granary's; it is left as it is, and no run is "
            + "recorded"
    }

    /// Nil where there is nothing to tell.
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

    /// Makes it shorter by the oldest run or, of one alone, by its last source; false where nothing can go.
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

    /// Takes a run out; false where it is not there.
    fileprivate mutating func remove(_ id: String) -> Bool {
        guard let place = runs.lastIndex(where: { $0.id == id }) else { return false }
        runs.remove(at: place)
        return true
    }
}

extension StoreMetadata {
    package var importLedger: ImportLedger {
        let values = entries.filter { $0.key == ImportLedger.key }.map(\.value)
        // A key that is there twice is not of our writing.
        return ImportLedger(values.count > 1 ? PropertyListValue.array(values) : values.first)
    }

    /// With one run more; nil where what is under the key is not ours.
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

    /// Without a run; the same where it is not there.
    package func removing(run id: String) -> StoreMetadata {
        var ledger = importLedger
        guard ledger.problem == nil, ledger.remove(id) else { return self }
        return replacingLedger(with: ledger)
    }

    /// The other entries stay as they are, in their order.
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
