import Foundation
import Granary
import GranaryXCTest
import XCTest

private let cups = ManagedObjectModel(entities: [
    EntityDescription("Cup", [.attribute("name", .string, .required), .attribute("size", .integer16)])
])

/// Containers with seeds in tests of XCTest.
final class SeededTestCaseTests: XCTestCase {
    private func names(in container: PersistentContainer) async throws -> [String] {
        try await container.perform { context in
            try context.fetchAll("Cup").compactMap { try $0.string(forKey: "name") }.sorted()
        }
    }

    func testContainersAreSeparate() async throws {
        for storage in FixtureStorage.allCases {
            for _ in 0..<2 {
                let container = try await seededContainer(
                    model: cups, storage: storage, .text("name,size\nA,2\nB,\n", format: .csv, entity: "Cup"))
                let before = try await names(in: container)
                XCTAssertEqual(before, ["A", "B"])
                try await container.perform { context in
                    try context.insert(into: "Cup").setValue("C", forKey: "name")
                    try context.save()
                }
            }
        }
    }

    func testFilesAreSeparateAndClosed() async throws {
        var urls: Set<URL> = []
        for _ in 0..<2 {
            let url = try await seededStore(
                model: cups, .text("name,size\nA,2\nB,\n", format: .csv, entity: "Cup"))
            urls.insert(url)
            let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            XCTAssertEqual(files, [url.lastPathComponent])
            let container = try PersistentContainer(model: cups, store: .sqlite(url))
            let before = try await names(in: container)
            XCTAssertEqual(before, ["A", "B"])
            try await container.perform { context in
                try context.insert(into: "Cup").setValue("C", forKey: "name")
                try context.save()
            }
        }
        XCTAssertEqual(urls.count, 2)
    }

    func testSharedContainersAreThoseOfTheTestCase() async throws {
        for number in 0..<2 {
            let container = try await sharedContainer(model: cups, .objects("Cup", 2, ["name": .sequence("C%d")]))
            let count = try await container.perform { try $0.count("Cup") }
            XCTAssertEqual(count, 2 + number)
            try await container.add(.objects("Cup", ["name": "Added"]))
        }
        let other = try await sharedContainer(model: cups, .objects("Cup", 3))
        let count = try await other.perform { try $0.count("Cup") }
        XCTAssertEqual(count, 3)
    }

    func testSnapshot() async throws {
        let container = try await seededContainer(
            model: cups, .text("name,size\nA,2\nB,\n", format: .csv, entity: "Cup"))
        await expectStore(container, equals: "cups")
    }

    func testGeneratedObjects() async throws {
        let container = try await seededContainer(model: cups, .generated(["Cup": 20], randomSeed: 7))
        let count = try await container.perform { try $0.count("Cup") }
        XCTAssertEqual(count, 20)
    }

    func testMigratedContainer() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "granary-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appending(path: "Shop.xcdatamodeld")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        for (name, type) in [("Shop", AttributeType.integer16), ("Shop 2", .string)] {
            try ManagedObjectModel(entities: [
                EntityDescription("Cup", [.attribute("name", .string), .attribute("size", type)])
            ]).write(to: model.appending(path: "\(name).xcdatamodel"))
        }
        // The size was a number.
        let step = MigrationStep(
            from: "Shop", to: "Shop 2",
            policies: [
                "Cup": { cup in
                    let size = cup.oldValue(forKey: "size")?.int64Value
                    cup.setValue(size.map { .string("\($0) dl") }, forKey: "size")
                }
            ])
        for suffix in ["", " cold"] {
            var step = step
            if !suffix.isEmpty { step.policies["Cup"] = { $0.setValue("cold", forKey: "size") } }
            let container = try await migratedContainer(
                model: model, from: "Shop", to: "Shop 2", steps: [step],
                .text("name,size\nA,2\n", format: .csv, entity: "Cup"))
            let sizes = try await container.perform { context in
                try context.fetchAll("Cup").compactMap { try $0.string(forKey: "size") }
            }
            // Fixtures with other code are not shared.
            XCTAssertEqual(sizes, [suffix.isEmpty ? "2 dl" : "cold"])
        }
    }

    func testRefusedSeed() async throws {
        do {
            _ = try await seededContainer(model: cups, .text("name\n\n", format: .json, entity: "Cup"))
            XCTFail("the seed was not refused")
        } catch let error as GranaryError {
            XCTAssertTrue(error.message.hasPrefix("the fixture with the model of Cup"), error.message)
        }
    }

    func testCopiedStore() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "granary-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "App.sqlite")
        let source = ImportSource.text("name\nA\n", format: .csv)
        _ = try await Importer(entity: "Cup", from: source).run(into: store, model: cups)
        for storage in FixtureStorage.allCases {
            let container = try await seededContainer(from: store, storage: storage)
            let found = try await names(in: container)
            XCTAssertEqual(found, ["A"])
        }
    }
}

/// A container that `setUp` makes.
final class SeededSetUpTests: XCTestCase {
    private var container: PersistentContainer?

    override func setUp() async throws {
        container = try await seededContainer(model: cups, .text("name\nA\n", format: .csv, entity: "Cup"))
    }

    func testFindsSeeds() async throws {
        let container = try XCTUnwrap(container)
        let count = try await container.perform { try $0.count("Cup") }
        XCTAssertEqual(count, 1)
    }
}
