import GranaryBase
import GranaryFormats

/// A dictionary with keys that differ only by Unicode normalisation, such as a composed and a decomposed é.
/// `NSDictionary` keeps both keys; Swift's dictionaries treat them as equal. It is used only to convert between JSON
/// and archives.
struct ArchivedEntries: Sendable {
    var names: [String] = []
    var values: [any Sendable] = []

    /// A Swift dictionary if no keys are equal in Swift, otherwise `ArchivedEntries`.
    var value: any Sendable {
        guard Set(names).count == names.count else { return self }
        let entries: [String: any Sendable] = Dictionary(zip(names, values)) { first, _ in first }
        return entries
    }

    /// Whether all keys differ byte for byte.
    static func areDistinct(_ names: [String]) -> Bool { Set(names.map { Array($0.utf8) }).count == names.count }
}
