import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
@testable import GranaryImport
@testable import SeedingTestSupport

/// The model of the fault tests: items with every type of attribute and every kind of reference.
enum FaultModel {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Item",
            [
                .attribute("code", .string, .required, .length(2...12)),
                .attribute("name", .string, .required, .length(2...24)),
                .attribute("small", .integer16, .maximum(1000)), .attribute("middle", .integer32),
                .attribute("large", .integer64), .attribute("price", .decimal), .attribute("exact", .double),
                .attribute("rough", .float), .attribute("zip", .string, .pattern("[0-9A-Z]{2,6}")),
                .attribute("note", .string), .attribute("flag", .boolean), .attribute("day", .date),
                .attribute("uid", .uuid), .attribute("link", .uri), .attribute("data", .binary),
                .toOne("group", "Group", inverse: "items"), .toOne("parent", "Item", inverse: "children"),
                .toOne("badge", "Badge", inverse: "holder"), .toMany("tags", "Tag", inverse: "items"),
                .toMany("children", "Item", inverse: "parent"),
            ], unique: [["code"]]),
        EntityDescription(
            "Group", [.attribute("name", .string), .toMany("items", "Item", inverse: "group")], unique: [["name"]]),
        EntityDescription(
            "Tag", [.attribute("word", .string), .toMany("items", "Item", inverse: "tags")], unique: [["word"]]),
        EntityDescription(
            "Badge", [.attribute("number", .integer32), .toOne("holder", "Item", inverse: "badge")],
            unique: [["number"]]),
    ])

    /// The attribute that names an entity's objects.
    static let keys = ["Item": "code", "Group": "name", "Tag": "word", "Badge": "number"]

    static let groups = ["Sales", "R;D", "a, b", "\"x\"", "007", "NULL", "\u{E9}", "e\u{301}", "😀", "1e400"]
    static let tags = ["new", "a;b", "x\"y", "\u{E9}", "e\u{301}", " ", "NA", "00", "\"", "last"]
    static let badges = 1...100

    /// What items refer to, as the sources of one import each.
    static let references: [(entity: String, csv: String)] = [
        ("Group", "name\n" + groups.map(quoted).joined()), ("Tag", "word\n" + tags.map(quoted).joined()),
        ("Badge", "number\n" + badges.map { "\($0)\n" }.joined()),
    ]

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "\"\"") + "\"\n"
    }

    /// A store that has everything that items refer to.
    static func store() throws -> InMemoryStore {
        let store = try ExportSamples.store(model)
        try fill(store)
        return store
    }

    static func fill(_ store: any StoreBackend) throws {
        for (entity, csv) in references { _ = try TestImport.csv(csv, entity, into: store) }
    }
}

/// The columns of a file of items.
enum FaultColumn: String, CaseIterable, Sendable {
    case code, name, small, middle, large, price, exact, rough, zip, note, flag, day, uid, link, data
    case group, parent, badge, tags

    static let attributes = allCases.filter { !FaultColumn.relationships.contains($0) }
    static let relationships: [FaultColumn] = [.group, .parent, .badge, .tags]

    var isRequired: Bool { self == .code || self == .name }

    /// Whether JSON has its values as numbers.
    var isNumber: Bool { [.small, .middle, .large, .price, .exact, .rough, .badge].contains(self) }

    /// What every file has, and some of the rest, in any order.
    static func choice(
        attributes count: Int = 4, relationships: [FaultColumn]? = nil, _ random: inout some RandomNumberGenerator
    ) -> [FaultColumn] {
        var columns: [FaultColumn] = [.code, .name]
        columns += Self.attributes.filter { !$0.isRequired }.shuffled(using: &random).prefix(count)
        columns += relationships ?? Array(Self.relationships.shuffled(using: &random).prefix(2))
        return columns.shuffled(using: &random)
    }
}
