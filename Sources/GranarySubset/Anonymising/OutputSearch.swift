import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel

/// Searches the files of a new store for the values that were replaced, before the store gets its name.
struct OutputSearch {
    let schema: Schema
    /// Whether an attribute is kept by decision, by the index of the entity and the slot.
    let isKept: (Int, Int) -> Bool
    let gone: ReplacedValues
    /// The part of the values that was kept for the search; nil for all.
    private var sample: Double? { gone.sampleBits == 0 ? nil : 1 / Double(UInt64(1) << UInt64(gone.sampleBits)) }
    let cancellation: Cancellation?

    /// - Parameter isKept: tells for the index of an entity and a slot whether its values are kept.
    init(
        schema: Schema, gone: ReplacedValues, cancellation: Cancellation?,
        isKept: @escaping (Int, Int) -> Bool = { _, _ in false }
    ) {
        self.schema = schema
        self.isKept = isKept
        self.cancellation = cancellation
        self.gone = gone
    }

    /// - Throws: ``GranaryError``: `refused` if a value is in the files and in no object and not in the model.
    func run(_ store: SQLiteStore) throws -> SubsetReport.Search {
        var report = SubsetReport.Search(shortest: ReplacedValues.shortest)
        report.values = gone.count
        report.sample = sample
        let files = store.files
        report.files = files.count
        let found = try search(0..<gone.count) { search, note in
            for file in files { try search.search(file: file, cancellation, note) }
        }
        guard !found.isEmpty else { return report }
        let reasons = try reasons(found, store)
        report.found = counts(found, reasons)
        let leaks = report.found.filter { $0.place == nil }
        guard leaks.isEmpty else {
            throw GranaryError(
                .refused, "\(store.path): replaced values are in the bytes of the new store, so it was not created",
                diagnostics: leaks.map { leak in
                    let path = leak.attribute.split(separator: ".", maxSplits: 1).map(String.init)
                    return Diagnostic(
                        .storeRefused, "\(CountText.count(leak.count, "replaced value")) found outside all objects",
                        entity: path.first, property: path.last)
                })
        }
        return report
    }

    /// Why values are there, by their numbers. Few values are left, so all is read only now.
    private func reasons(_ found: [Int], _ store: SQLiteStore) throws -> [Int: String] {
        var reasons = try FoundValues(schema: schema, isKept: isKept, cancellation: cancellation)
            .places(in: store, of: finder(found))
        var rest = found.filter { reasons[$0] == nil }
        guard !rest.isEmpty else { return reasons }
        let folder = try PartialFile.createFolder(for: store.path + ".search", permissions: 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let empty = try SQLiteStore.create(path: folder.path + "/Empty.sqlite", schema: schema)
        let modelled = try search(rest) { search, note in
            for file in empty.files { try search.search(file: file, cancellation, note) }
        }
        for value in modelled { reasons[value] = "the model" }
        rest.removeAll { reasons[$0] != nil }
        // A value in one column of a table that is not an entity's is a leak. So is one that only free pages have. Else two
        // values that are side by side look like it, such as AB and 12345678.
        let inColumns = Set(try search(rest) { search, note in try store.readColumns { search.search($0, note) } })
        rest.removeAll { inColumns.contains($0) }
        guard !rest.isEmpty else { return reasons }
        let compact = folder.path + "/Compact.sqlite"
        try store.writeCompact(to: compact)
        let sideBySide = try search(rest) { search, note in try search.search(file: compact, cancellation, note) }
        for value in sideBySide { reasons[value] = "values side by side" }
        return reasons
    }

    private func counts(_ found: [Int], _ reasons: [Int: String]) -> [SubsetReport.Find] {
        var counts: [SubsetReport.Find: Int] = [:]
        for index in found {
            let place = gone[index].place
            let entity = schema.entities[place.owner]
            let name = entity.attributes.first { $0.slot == place.slot }?.name ?? ""
            let find = SubsetReport.Find(attribute: "\(entity.name).\(name)", place: reasons[index], count: 0)
            counts[find, default: 0] += 1
        }
        return counts.map { SubsetReport.Find(attribute: $0.attribute, place: $0.place, count: $1) }
            .sorted { ($0.attribute, $0.place ?? "") < ($1.attribute, $1.place ?? "") }
    }

    /// The search for some values.
    private func finder(_ chosen: some Collection<Int>) -> ByteSearch {
        // Most values have two forms.
        var search = ByteSearch(count: 2 * chosen.count)
        for index in chosen { SearchedForms.add(gone[index], to: &search, identifier: index) }
        return search
    }

    /// The numbers of the values that `body` finds, in their order.
    private func search(
        _ chosen: some Collection<Int>, _ body: (ByteSearch, (Int) -> Void) throws -> Void
    ) throws -> [Int] {
        guard !chosen.isEmpty else { return [] }
        var found: Set<Int> = []
        try body(finder(chosen)) { found.insert($0) }
        return found.sorted()
    }
}
