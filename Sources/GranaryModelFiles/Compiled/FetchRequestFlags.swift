import GranaryModel
import GranaryPropertyLists

/// The word `NSFetchRequestFlags` of an archived fetch request.
///
/// All examined requests have the value 30: the four flags of a new `NSFetchRequest`. The meaning of each of the four
/// bits is a guess.
struct FetchRequestFlags: OptionSet, Sendable {
    let rawValue: Int64

    static let returnsDistinctResults = Self(rawValue: 1)
    static let includesSubentities = Self(rawValue: 2)
    static let includesPropertyValues = Self(rawValue: 4)
    static let returnsObjectsAsFaults = Self(rawValue: 8)
    static let includesPendingChanges = Self(rawValue: 16)
    static let all = Self(rawValue: 31)

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ request: FetchRequestTemplate) {
        self = []
        if request.returnsDistinctResults { insert(.returnsDistinctResults) }
        if request.includesSubentities { insert(.includesSubentities) }
        if request.includesPropertyValues { insert(.includesPropertyValues) }
        if request.returnsObjectsAsFaults { insert(.returnsObjectsAsFaults) }
        if request.includesPendingChanges { insert(.includesPendingChanges) }
    }
}
