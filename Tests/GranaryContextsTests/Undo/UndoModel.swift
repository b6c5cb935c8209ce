import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport

/// What the tests of undo change: relationships of every cardinality, ordered and not, with and without an inverse.
enum UndoModel {
    /// One direction of a relationship.
    struct End {
        let name: String
        let isMany: Bool
        let inverse: String?
        let isOrdered: Bool
        /// Whether it survives that the object it leads to is deleted, saved and brought back under another ID: it does
        /// where the deletion has taken the link away, so that undo knows of it.
        var isStable = true

        /// Without an inverse a member has one owner only.
        var isExclusive: Bool { isMany && inverse == nil }
    }

    static let relations: [[End]] = [
        [one("mate", "mate")],
        [one("next", "previous"), one("previous", "next")],
        [one("whole", "parts"), many("parts", "whole")],
        [one("team", "members"), many("members", "team", ordered: true)],
        [many("likes", "likedBy"), many("likedBy", "likes")],
        [many("ranks", "rankedBy", ordered: true), many("rankedBy", "ranks")],
        [many("reviewers", "reviews", ordered: true), many("reviews", "reviewers", ordered: true)],
        [many("friends", "friends")],
        [many("keeps", nil)],
        [End(name: "pointer", isMany: false, inverse: nil, isOrdered: false, isStable: false)],
        [
            End(name: "sponsor", isMany: false, inverse: "wards", isOrdered: false, isStable: false),
            End(name: "wards", isMany: true, inverse: "sponsor", isOrdered: false, isStable: false),
        ],
    ]

    /// All that outlives a save.
    static let stableEnds = relations.flatMap { $0 }.filter(\.isStable)

    private static func one(_ name: String, _ inverse: String?) -> End {
        End(name: name, isMany: false, inverse: inverse, isOrdered: false)
    }

    private static func many(_ name: String, _ inverse: String?, ordered: Bool = false) -> End {
        End(name: name, isMany: true, inverse: inverse, isOrdered: ordered)
    }

    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Item",
            [
                .attribute("number", .integer32), .attribute("name", .string),
                .attribute("mood", .integer16, .transient, .defaultValue(0)),
                .toOne("mate", "Item", inverse: "mate"),
                .toOne("next", "Item", inverse: "previous"), .toOne("previous", "Item", inverse: "next"),
                .toOne("whole", "Item", inverse: "parts"),
                .toMany("parts", "Item", inverse: "whole", .deleteRule(.cascade)),
                .toOne("team", "Item", inverse: "members"), .toMany("members", "Item", inverse: "team", .ordered),
                .toMany("likes", "Item", inverse: "likedBy"), .toMany("likedBy", "Item", inverse: "likes"),
                .toMany("ranks", "Item", inverse: "rankedBy", .ordered),
                .toMany("rankedBy", "Item", inverse: "ranks"),
                .toMany("reviewers", "Item", inverse: "reviews", .ordered),
                .toMany("reviews", "Item", inverse: "reviewers", .ordered),
                .toMany("friends", "Item", inverse: "friends"),
                .toMany("keeps", "Item", inverse: nil),
                .toOne("pointer", "Item", inverse: nil),
                .toOne("sponsor", "Item", inverse: "wards"),
                .toMany("wards", "Item", inverse: "sponsor", .deleteRule(.noAction)),
            ]),
        EntityDescription("Special", [.attribute("weight", .double)], superentity: "Item"),
    ])

    /// Resolved once: a thousand programs use it.
    static let schema = Result<Schema, any Error> { try model.resolved() }

    static func container(_ factory: StoreFactory) throws -> PersistentContainer {
        try PersistentContainer(store: try factory.make(try schema.get()).store)
    }

    @discardableResult
    static func insert(_ number: Int64, into context: ManagedObjectContext) throws -> ManagedObject {
        let object = try context.insert(into: number.isMultiple(of: 2) ? "Item" : "Special")
        try object.setValue(.integer(number), forKey: "number")
        return object
    }
}
