/// The corresponding items of two versions, by their names and renaming identifiers.
///
/// A renaming identifier is the name in an earlier version, which need not be the previous one: it can be permanent
/// ("canonical name"). Therefore it is searched first in the older names, and then in the older identifiers.
struct RenamePairs {
    struct Item {
        let name: String
        /// Nil if it equals the name, as in compiled models.
        let identifier: String?

        init(_ name: String, _ identifier: String?) {
            self.name = name
            self.identifier = identifier == name ? nil : identifier
        }
    }

    /// The index of the older item for each newer one; nil if it was added.
    let oldOfNew: [Int?]
    /// The index of the newer item for each older one; nil if it was removed.
    let newOfOld: [Int?]

    init(old: [Item], new: [Item]) {
        let names = Dictionary(old.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var identifiers: [String: Int] = [:]
        for (place, item) in old.enumerated() {
            if let identifier = item.identifier, identifiers[identifier] == nil { identifiers[identifier] = place }
        }
        var oldOfNew = [Int?](repeating: nil, count: new.count)
        var newOfOld = [Int?](repeating: nil, count: old.count)
        func pair(_ place: Int, _ found: Int?) {
            guard let found, oldOfNew[place] == nil, newOfOld[found] == nil else { return }
            oldOfNew[place] = found
            newOfOld[found] = place
        }
        let renamed = new.indices.filter { new[$0].identifier != nil }
        let plain = new.indices.filter { new[$0].identifier == nil }
        // Items that were renamed earlier and have the same name and identifier in both versions.
        for place in renamed {
            guard let found = names[new[place].name], old[found].identifier == new[place].identifier else { continue }
            pair(place, found)
        }
        for place in renamed { pair(place, new[place].identifier.flatMap { names[$0] }) }
        for place in renamed { pair(place, new[place].identifier.flatMap { identifiers[$0] }) }
        for place in plain { pair(place, names[new[place].name]) }
        for place in plain { pair(place, identifiers[new[place].name]) }
        for place in renamed { pair(place, names[new[place].name]) }
        self.oldOfNew = oldOfNew
        self.newOfOld = newOfOld
    }
}
