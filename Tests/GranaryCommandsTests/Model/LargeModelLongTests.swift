import Foundation
import GranaryModel
import TestSupport
import Testing

/// Models of thousands of entities. Work that grows with the square of their number would take minutes.
struct LargeModelLongTests {
    enum Shape: String, CaseIterable {
        /// Entities that refer to each other in a ring.
        case ring
        /// One hierarchy: a root with all other entities as subentities.
        case family
        /// Each entity inherits from the one before.
        case chain
    }

    private static func model(_ shape: Shape, _ count: Int) -> ManagedObjectModel {
        switch shape {
        case .ring:
            ManagedObjectModel(
                entities: (0..<count).map { number in
                    EntityDescription(
                        "E\(number)",
                        [
                            .attribute("name", .string),
                            .toOne("next", "E\((number + 1) % count)", inverse: "before"),
                            .toMany("before", "E\((number + count - 1) % count)", inverse: "next"),
                        ], unique: [["name"]])
                })
        case .family:
            ManagedObjectModel(
                entities: (0..<count).map { number in
                    EntityDescription(
                        "E\(number)",
                        number == 0 ? [.attribute("name", .string), .toOne("to", "E0", inverse: nil)] : [],
                        superentity: number == 0 ? nil : "E0")
                })
        case .chain:
            ManagedObjectModel(
                entities: (0..<count).map { number in
                    EntityDescription(
                        "E\(number)",
                        [
                            .attribute("name\(number == 0 ? "" : "\(number)")", .string),
                            .toOne("to\(number)", "E0", inverse: nil),
                        ],
                        superentity: number == 0 ? nil : "E\(number - 1)")
                })
        }
    }

    @Test("Every command takes a large model", arguments: [(Shape.ring, 3000), (.family, 3000), (.chain, 150)])
    func commands(_ shape: Shape, _ count: Int) async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model(shape, count))
        _ = try run.folder.write("name\nAnn\nBob\n", to: "rows.csv")
        let commands: [[String]] = [
            ["model", "check", "@Model.json"], ["model", "show", "@Model.json"], ["model", "hash", "@Model.json"],
            ["model", "convert", "@Model.json", "--output", "@M.mom"], ["model", "diff", "@Model.json", "@M.mom"],
            ["store", "create", "--model", "@Model.json", "--store", "@S.sqlite"], ["store", "info", "@S.sqlite"],
            ["import", "@rows.csv", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "E0"],
            ["import", "@rows.csv", "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "E0"],
            ["store", "check", "@S.sqlite"],
            ["export", "--store", "@S.sqlite", "--format", "json", "--output", "@o.json"],
            ["query", "@New.sqlite", "E0", "--count"],
            ["generate", "--model", "@Model.json", "--store", "@G.sqlite", "--count", "E0=5"],
            ["store", "diff", "@S.sqlite", "@New.sqlite"],
        ]
        for words in commands {
            let result = await run.run(words)
            #expect(result.code == 0, "\(words.prefix(2)): \(result.messages.prefix(1000))")
        }
        #expect(try run.text("o.json").contains("Bob"))
    }
}
