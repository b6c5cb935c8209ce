import Foundation
import GranaryBase
import GranaryContexts
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryMigration

/// The links of duplicates that are dropped: they lead to the object that stays.
@Suite struct DuplicateLinksTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The properties of a tag, besides its name, and of an item.
        let tag: [PropertyDescription]
        let item: [PropertyDescription]
        /// The links: of three tags `A`, `B`, `A` and three items.
        let fill: @Sendable (_ tags: [ManagedObject], _ items: [ManagedObject]) throws -> Void
        var rule = StoreMigrationOptions.DuplicateRule.first
        /// The problems of the migration that may drop something, after the removed duplicate.
        let problems: [String]
        let lines: [String]

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "A to-one without an inverse", tag: [], item: [.toOne("tag", "Tag", inverse: nil)],
            fill: { tags, items in
                for (item, tag) in zip(items, [2, 1, 0]) { try item.setObject(tags[tag], forKey: "tag") }
            }, problems: ["Item.tag 1 unique.duplicate"],
            lines: ["Item/p1 tag=Tag/p1", "Item/p2 tag=Tag/p2", "Item/p3 tag=Tag/p1", "Tag/p1 name=A", "Tag/p2 name=B"]),
        Case(
            name: "A to-one with a to-many", tag: [.toMany("items", "Item", inverse: "tag")],
            item: [.toOne("tag", "Tag", inverse: "items")],
            fill: { tags, items in
                for (item, tag) in zip(items, [2, 0, 2]) { try item.setObject(tags[tag], forKey: "tag") }
            }, problems: ["Item.tag 2 unique.duplicate"],
            lines: [
                "Item/p1 tag=Tag/p1", "Item/p2 tag=Tag/p1", "Item/p3 tag=Tag/p1",
                "Tag/p1 items=Item/p1,Item/p2,Item/p3 name=A", "Tag/p2 name=B",
            ]),
        Case(
            name: "An ordered to-many: the list of the object that stays comes first",
            tag: [.toMany("items", "Item", inverse: "tag", .ordered)], item: [.toOne("tag", "Tag", inverse: "items")],
            fill: { tags, items in
                try tags[2].setObjects([items[2], items[0]], forKey: "items")
                try tags[0].setObjects([items[1]], forKey: "items")
            }, problems: ["Item.tag 2 unique.duplicate"],
            lines: [
                "Item/p1 tag=Tag/p1", "Item/p2 tag=Tag/p1", "Item/p3 tag=Tag/p1",
                "Tag/p1 items=Item/p2,Item/p3,Item/p1 name=A", "Tag/p2 name=B",
            ]),
        Case(
            name: "The last one stays, and takes the list of the first one",
            tag: [.toMany("items", "Item", inverse: "tag", .ordered)], item: [.toOne("tag", "Tag", inverse: "items")],
            fill: { tags, items in
                try tags[0].setObjects([items[2], items[0]], forKey: "items")
                try tags[1].setObjects([items[1]], forKey: "items")
            }, rule: .last, problems: ["Item.tag 2 unique.duplicate"],
            lines: [
                "Item/p1 tag=Tag/p3", "Item/p2 tag=Tag/p2", "Item/p3 tag=Tag/p3",
                "Tag/p2 items=Item/p2 name=B", "Tag/p3 items=Item/p3,Item/p1 name=A",
            ]),
        Case(
            name: "A join table without a link twice", tag: [.toMany("items", "Item", inverse: "tags")],
            item: [.toMany("tags", "Tag", inverse: "items")],
            fill: { tags, items in
                try items[0].setObjects([tags[0], tags[2]], forKey: "tags")
                try items[1].setObjects([tags[1], tags[2]], forKey: "tags")
            }, problems: ["Item.tags 2 unique.duplicate"],
            lines: [
                "Item/p1 tags=Tag/p1", "Item/p2 tags=Tag/p1,Tag/p2", "Item/p3", "Tag/p1 items=Item/p1,Item/p2 name=A",
                "Tag/p2 items=Item/p2 name=B",
            ]),
        Case(
            name: "An ordered list has the object that stays at the first place of both",
            tag: [.toMany("items", "Item", inverse: "tags")],
            item: [.toMany("tags", "Tag", inverse: "items", .ordered)],
            fill: { tags, items in
                try items[0].setObjects([tags[2], tags[1], tags[0]], forKey: "tags")
                try items[1].setObjects([tags[1], tags[2]], forKey: "tags")
            }, problems: ["Item.tags 2 unique.duplicate"],
            lines: [
                "Item/p1 tags=Tag/p1,Tag/p2", "Item/p2 tags=Tag/p2,Tag/p1", "Item/p3",
                "Tag/p1 items=Item/p1,Item/p2 name=A", "Tag/p2 items=Item/p1,Item/p2 name=B",
            ]),
        Case(
            name: "A one-to-one, if the object that stays has no partner",
            tag: [.toOne("item", "Item", inverse: "tag")], item: [.toOne("tag", "Tag", inverse: "item")],
            fill: { tags, items in try tags[2].setObject(items[1], forKey: "item") },
            problems: ["Item.tag 1 unique.duplicate"],
            lines: ["Item/p1", "Item/p2 tag=Tag/p1", "Item/p3", "Tag/p1 item=Item/p2 name=A", "Tag/p2 name=B"]),
        Case(
            name: "A one-to-one is lost if the object that stays has a partner",
            tag: [.toOne("item", "Item", inverse: "tag")], item: [.toOne("tag", "Tag", inverse: "item")],
            fill: { tags, items in
                for (tag, item) in zip(tags, items) { try tag.setObject(item, forKey: "item") }
            }, problems: ["Item.tag 1 migration.drop"],
            lines: [
                "Item/p1 tag=Tag/p1", "Item/p2 tag=Tag/p2", "Item/p3", "Tag/p1 item=Item/p1 name=A",
                "Tag/p2 item=Item/p2 name=B",
            ]),
        Case(
            name: "The to-one of a duplicate, as far as the object that stays has none",
            tag: [.toOne("owner", "Item", inverse: "tags"), .toOne("value", "Item", inverse: nil)],
            item: [.toMany("tags", "Tag", inverse: "owner")],
            fill: { tags, items in
                try tags[2].setObject(items[0], forKey: "owner")
                // A value of the duplicate, which goes with it.
                try tags[2].setObject(items[1], forKey: "value")
            }, problems: ["Item.tags 1 unique.duplicate"],
            lines: ["Item/p1 tags=Tag/p1", "Item/p2", "Item/p3", "Tag/p1 name=A owner=Item/p1", "Tag/p2 name=B"]),
        Case(
            name: "The to-one of a duplicate is lost if the object that stays has another",
            tag: [.toOne("owner", "Item", inverse: "tags")], item: [.toMany("tags", "Tag", inverse: "owner", .ordered)],
            fill: { tags, items in
                try items[0].setObjects([tags[2], tags[1]], forKey: "tags")
                try items[2].setObjects([tags[0]], forKey: "tags")
            }, problems: ["Item.tags 1 migration.drop"],
            lines: [
                "Item/p1 tags=Tag/p2", "Item/p2", "Item/p3 tags=Tag/p1", "Tag/p1 name=A owner=Item/p3",
                "Tag/p2 name=B owner=Item/p1",
            ]),
        Case(
            name: "A to-many without an inverse", tag: [], item: [.toMany("tags", "Tag", inverse: nil)],
            fill: { tags, items in
                try items[0].setObjects([tags[1]], forKey: "tags")
                try items[1].setObjects([tags[2]], forKey: "tags")
            }, problems: ["Item.tags 1 unique.duplicate"],
            lines: ["Item/p1 tags=Tag/p2", "Item/p2 tags=Tag/p1", "Item/p3", "Tag/p1 name=A", "Tag/p2 name=B"]),
        Case(
            name: "A member of a to-many without an inverse has one owner", tag: [],
            item: [.toMany("tags", "Tag", inverse: nil)],
            fill: { tags, items in
                try items[0].setObjects([tags[2]], forKey: "tags")
                try items[1].setObjects([tags[0], tags[1]], forKey: "tags")
            }, problems: ["Item.tags 1 migration.drop"],
            lines: ["Item/p1", "Item/p2 tags=Tag/p1,Tag/p2", "Item/p3", "Tag/p1 name=A", "Tag/p2 name=B"]),
        Case(
            name: "The list of a duplicate without an inverse", tag: [.toMany("items", "Item", inverse: nil)], item: [],
            fill: { tags, items in
                try tags[0].setObjects([items[1]], forKey: "items")
                try tags[2].setObjects([items[0], items[2]], forKey: "items")
            }, problems: ["Tag.items 2 unique.duplicate"],
            lines: ["Item/p1", "Item/p2", "Item/p3", "Tag/p1 items=Item/p1,Item/p2,Item/p3 name=A", "Tag/p2 name=B"]),
        Case(
            name: "Links between duplicates", tag: [.toMany("similar", "Tag", inverse: "similar")], item: [],
            fill: { tags, _ in try tags[1].setObjects([tags[0], tags[2]], forKey: "similar") },
            problems: ["Tag.similar 1 unique.duplicate"],
            lines: ["Item/p1", "Item/p2", "Item/p3", "Tag/p1 name=A similar=Tag/p2", "Tag/p2 name=B similar=Tag/p1"]),
    ]

    private func bench(_ old: [EntityDescription], _ item: Case) throws -> MigrationBench {
        try MigrationBench(old) { context in
            var (tags, items): ([ManagedObject], [ManagedObject]) = ([], [])
            for name in ["A", "B", "A"] {
                tags.append(try context.insert(into: "Tag"))
                try tags.last?.setValue(.string(name), forKey: "name")
                try context.save()
            }
            for _ in 0..<3 {
                items.append(try context.insert(into: "Item"))
                try context.save()
            }
            try item.fill(tags, items)
        }
    }

    @Test(arguments: cases) func links(_ item: Case) throws {
        func model(_ unique: [[String]]) -> [EntityDescription] {
            [
                EntityDescription("Tag", [.attribute("name", .string)] + item.tag, unique: unique),
                EntityDescription("Item", item.item),
            ]
        }
        let bench = try bench(model([]), item)
        let new = model([["name"]])
        let isLost = item.problems.contains { $0.hasSuffix("migration.drop") }
        if isLost {
            let problems = try bench.problems(to: new) { $0.duplicateRules = ["Tag": item.rule] }
            #expect(problems == ["Tag.name 1 unique.duplicate"] + item.problems)
        }
        let report = try bench.migrate(to: new) {
            $0.duplicateRules = ["Tag": item.rule]
            $0.allowsDrop = isLost
        }
        #expect(MigrationBench.lines(report.problems) == ["Tag.name 1 unique.duplicate"] + item.problems)
        #expect(
            try bench.lines(new).map { $0.replacing("string(\"", with: "").replacing("\")", with: "") } == item.lines)
        let check = try bench.findings(new)
        #expect(check.isEmpty, "\(check)")
    }

    @Test func `Turned references are counted as changes, and said in the report`() throws {
        let bench = try bench(
            [
                EntityDescription("Tag", [.attribute("name", .string)]),
                EntityDescription("Item", [.toOne("tag", "Tag", inverse: nil)]),
            ], Self.cases[0])
        let new = [
            EntityDescription("Tag", [.attribute("name", .string)], unique: [["name"]]),
            EntityDescription("Item", [.toOne("tag", "Tag", inverse: nil)]),
        ]
        for isDryRun in [true, false] {
            let report = try bench.migrate(to: new) {
                $0.duplicateRules = ["Tag": .first]
                $0.isDryRun = isDryRun
            }
            #expect(report.entities.first { $0.name == "Item" }?.changed == 1)
            let problem = try #require(report.problems.last)
            #expect(problem.objects == ["Item/p1"])
            let verb = isDryRun ? "would lead" : "leads"
            #expect(
                problem.message
                    == "1 link \(verb) to the object that stays instead of one that is dropped: Item/p1")
        }
    }

    @Test func `References that become equal make more duplicates`() throws {
        // Two shops with the same name; each has an article with the same number, each of which has a note.
        func model(_ isUnique: Bool) -> [EntityDescription] {
            [
                EntityDescription(
                    "Shop", [.attribute("name", .string), .toMany("articles", "Article", inverse: "shop")],
                    unique: isUnique ? [["name"]] : []),
                EntityDescription(
                    "Article",
                    [
                        .attribute("number", .integer16), .toOne("shop", "Shop", inverse: "articles"),
                        .toMany("notes", "Note", inverse: "article"),
                    ], unique: [["number", "shop"]]),
                EntityDescription("Note", [.toOne("article", "Article", inverse: "notes")]),
            ]
        }
        let bench = try MigrationBench(model(false)) { context in
            for _ in 0..<2 {
                let shop = try context.insert(into: "Shop")
                try shop.setValue("S", forKey: "name")
                let article = try context.insert(into: "Article")
                try article.setValue(5, forKey: "number")
                try article.setObject(shop, forKey: "shop")
                try context.insert(into: "Note").setObject(article, forKey: "article")
                try context.save()
            }
        }
        let new = model(true)
        // The articles need a rule, too.
        #expect(
            try bench.problems(to: new) { $0.duplicateRules = ["Shop": .first] } == [
                "Shop.name 1 unique.duplicate", "Article.number, shop 1 unique.duplicate",
                "Article.shop 1 unique.duplicate",
            ])
        let report = try bench.migrate(to: new) { $0.duplicateRules = ["Shop": .first, "Article": .last] }
        #expect(report.entities.map(\.kept) == [1, 2, 1])
        #expect(
            try bench.lines(new) == [
                "Article/p2 notes=Note/p1,Note/p2 number=5 shop=Shop/p1", "Note/p1 article=Article/p2",
                "Note/p2 article=Article/p2", "Shop/p1 articles=Article/p2 name=string(\"S\")",
            ])
    }

    @Test func `A required to-one that is lost is missing, and longer lists are counted`() throws {
        func model(_ isUnique: Bool) -> [EntityDescription] {
            [
                EntityDescription(
                    "Tag",
                    [
                        .attribute("name", .string), .toOne("item", "Item", inverse: "tag"),
                        .toMany("notes", "Note", inverse: "tag", .count(0, 2)),
                    ], unique: isUnique ? [["name"]] : []),
                EntityDescription("Item", [.toOne("tag", "Tag", inverse: "item", .required)]),
                EntityDescription("Note", [.toOne("tag", "Tag", inverse: "notes")]),
            ]
        }
        let bench = try MigrationBench(model(false)) { context in
            for count in [2, 1] {
                let tag = try context.insert(into: "Tag")
                try tag.setValue("A", forKey: "name")
                try context.insert(into: "Item").setObject(tag, forKey: "tag")
                for _ in 0..<count { try context.insert(into: "Note").setObject(tag, forKey: "tag") }
                try context.save()
            }
        }
        let problems = try bench.problems(to: model(true)) { $0.duplicateRules = ["Tag": .first] }
        #expect(
            problems.sorted() == [
                "Item.tag 1 migration.drop", "Item.tag 1 value.missing", "Note.tag 1 unique.duplicate",
                "Tag.name 1 unique.duplicate", "Tag.notes 1 relationship.tooMany",
            ])
    }
}
