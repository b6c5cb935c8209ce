import GranaryBase

/// Finds the places of records while a document is read from its beginning to its end. It holds only the open objects
/// and arrays that lead to a place, so that its memory does not grow with the document.
struct RecordPlaceSearch {
    /// A place that can be inside the current value.
    struct Target: Equatable {
        /// An index into ``places``.
        let place: Int
        /// How many of the path's names lead to the value.
        let depth: Int
    }

    /// What to do with a value.
    enum Step {
        case skip
        /// Search in it, if it is an object or an array.
        case enter([Target])
        /// Read the records of a place.
        case read(Int)
        /// Several places lead to it, or one was found before.
        case twice(Int)
    }

    /// An open object or array.
    struct Level {
        let isObject: Bool
        var isFirst = true
        /// The number of elements so far.
        var count = 0
        /// The name or the index that leads to it; nil for the document itself.
        let component: PlaceVisit.Component?
        let targets: [Target]
    }

    let places: [RecordPlace]
    private let names: [[String]]
    var levels: [Level] = []
    /// The places that were found, in the order of the document.
    private(set) var visits: [PlaceVisit] = []
    /// The paths of members beside the searched ones, for hints.
    private var seen: [String] = []
    private static let seenLimit = 256

    init(_ places: [RecordPlace]) {
        self.places = places
        names = places.map(\.names)
    }

    /// The document itself.
    var root: Step { step(places.indices.map { Target(place: $0, depth: 0) }) }

    /// The innermost open object or array, before its next member or element; nil at the end of the document.
    mutating func nextLevel() -> Level? {
        guard let last = levels.indices.last else { return nil }
        defer { levels[last].isFirst = false }
        return levels[last]
    }

    /// What to do with a member of the innermost open object.
    mutating func step(into name: String) -> Step {
        guard let level = levels.last else { return .skip }
        let targets = level.targets.compactMap { target -> Target? in
            let left = names[target.place].dropFirst(target.depth)
            // The name of a member can have dots itself.
            for count in 1...max(left.count, 1)
            where left.prefix(count).joined(separator: ".").utf8.elementsEqual(name.utf8) {
                return Target(place: target.place, depth: target.depth + count)
            }
            return nil
        }
        if targets.isEmpty, seen.count < Self.seenLimit { seen.append(path(to: name)) }
        return step(targets)
    }

    /// What to do with the next element of the innermost open array.
    mutating func stepIntoElement() -> Step {
        guard let last = levels.indices.last else { return .skip }
        let index = String(levels[last].count)
        levels[last].count += 1
        return step(
            levels[last].targets.compactMap { target in
                names[target.place].dropFirst(target.depth).first == index
                    ? Target(place: target.place, depth: target.depth + 1) : nil
            })
    }

    private func step(_ targets: [Target]) -> Step {
        guard let found = targets.first(where: { names[$0.place].count == $0.depth }) else {
            return targets.isEmpty ? .skip : .enter(targets)
        }
        let isTwice = targets.count > 1 || visits.contains { $0.place == found.place }
        return isTwice ? .twice(found.place) : .read(found.place)
    }

    private func path(to name: String) -> String {
        (levels.compactMap { $0.component?.text } + [name]).joined(separator: ".")
    }

    /// Notes that the records of a place begin.
    ///
    /// - Parameter component: the name or the index that leads to it; nil for the document itself.
    mutating func visit(_ place: Int, _ component: PlaceVisit.Component?, _ content: PlaceVisit.Content) {
        let path = levels.compactMap(\.component) + [component].compactMap(\.self)
        visits.append(PlaceVisit(place: place, path: path, content: content))
    }

    /// A message about a place that the document does not have; nil if it has all.
    ///
    /// - Parameter known: the paths of objects that could be records.
    func missing(besides known: [String]) -> String? {
        let missing = places.indices.first { index in !visits.contains { $0.place == index } }
        guard let missing else { return nil }
        let path = places[missing].path
        return "there is no \"\(Diagnostic.shortened(path))\" in the document"
            + NearestText.hint(for: path, in: known + seen)
    }

    /// Whether places have records, and none of them is an object whose members are records.
    var hasNoKeys: Bool { !visits.isEmpty && visits.allSatisfy { $0.content == .array || $0.content == .single } }

    /// A message about a document without names for the column of records' names.
    static func noKeys(_ column: String) -> String {
        "the records are in arrays, so they have no names for the column \"\(Diagnostic.shortened(column))\""
    }

    /// The diagnostic of a record that has another value in the column of its name.
    static func otherName(_ name: String, column: String, at position: SourcePosition) -> Diagnostic {
        Diagnostic(
            .headerDuplicate,
            "the record is named \"\(Diagnostic.shortened(name))\" and has another \"\(Diagnostic.shortened(column))\"; "
                + "choose another column for the name", at: position, field: column)
    }
}
