/// A dictionary with keys that differ only by Unicode normalisation, such as a composed and a decomposed é. Apple's dictionaries
/// keep both; Swift's take them for the same. Only the way between JSON and archives uses it.
struct ArchivedEntries: Sendable {
    var names: [String] = []
    var values: [any Sendable] = []

    /// A dictionary of Swift where that keeps every key, otherwise these entries.
    var value: any Sendable {
        guard Set(names).count == names.count else { return self }
        let entries: [String: any Sendable] = Dictionary(zip(names, values)) { first, _ in first }
        return entries
    }

    /// Whether no two keys have the same bytes.
    static func areDistinct(_ names: [String]) -> Bool { Set(names.map { Array($0.utf8) }).count == names.count }
}
