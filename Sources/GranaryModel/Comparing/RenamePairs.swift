/// Which things of two versions are the same, by their names and renaming identifiers.
///
/// A renaming identifier is the name in an earlier version, which need not be the version before: it may stay for good
/// ("canonical name"). So it is looked for among the older names first, and then among the older identifiers.
struct RenamePairs {
    struct Item {
        let name: String
        /// Nil where it is the name itself, which compiled models spell out.
        let identifier: String?

        init(_ name: String, _ identifier: String?) {
            self.name = name
            self.identifier = identifier == name ? nil : identifier
        }
    }

    /// For each new thing the place of the older one; nil for one that was added.
    let oldOfNew: [Int?]
    /// For each older thing the place of the new one; nil for one that was removed.
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
        // What was renamed before, and has kept name and identifier since.
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
