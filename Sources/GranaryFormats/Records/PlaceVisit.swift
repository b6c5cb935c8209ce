/// A ``RecordPlace`` as a document has it.
package struct PlaceVisit: Sendable, Equatable {
    /// A step on the way to the place.
    package enum Component: Sendable, Equatable {
        case member(String)
        case element(Int)

        /// As in a path.
        var text: String {
            switch self {
            case .member(let name): name
            case .element(let index): String(index)
            }
        }
    }

    /// What is at the place.
    package enum Content: Sendable, Equatable {
        /// An array of records.
        case array
        /// An object whose members are records.
        case keyed
        /// One record.
        case single
        /// NULL: no records.
        case null
    }

    /// The index of the place in the reader's options.
    package let place: Int
    package let path: [Component]
    package let content: Content

    /// The names of the members in the path.
    var memberNames: [String] {
        path.compactMap { if case .member(let name) = $0 { name } else { nil } }
    }

    /// The place without its records.
    package var withoutRecords: PlaceVisit {
        PlaceVisit(place: place, path: path, content: content == .single ? .null : content)
    }
}
