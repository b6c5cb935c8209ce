import Foundation
import Granary
import GranaryTesting
import Testing

/// Fixtures of older versions, and the test of a chain.
@Suite struct MigratedTests {
    /// A model of two versions in a temporary folder: `Shop`, and `Shop 2` with a required price.
    private static let model: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "granary-shop-\(UUID().uuidString)")
        let url = folder.appending(path: "Shop.xcdatamodeld")
        let versions: [(String, [PropertyDescription])] = [
            ("Shop", [.attribute("title", .string)]),
            ("Shop 2", [.attribute("title", .string), .attribute("price", .integer32, .required, .defaultValue(5))]),
            ("Shop 3", [.attribute("title", .string), .attribute("price", .string)]),
        ]
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, properties) in versions {
            try? ManagedObjectModel(entities: [EntityDescription("Item", properties)])
                .write(to: url.appending(path: "\(name).xcdatamodel"))
        }
        try? setCurrent("Shop 2", url)
        return url
    }()

    private static func setCurrent(_ name: String, _ url: URL) throws {
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
            """.utf8
        ).write(to: url.appending(path: ".xccurrentversion"))
    }

    @Test(
        .migrated(model: model, from: "Shop", .text("title\nPen\n", format: .csv, entity: "Item")),
        arguments: [1])
    func `A test has the migrated objects`(_: Int) async throws {
        let prices = try await SeededContainer.current.perform { context in
            try context.fetch(FetchRequest("Item")).map { try $0.value(forKey: "price") }
        }
        #expect(prices == [.integer(5)])
    }

    /// The price becomes a text.
    private static let step = MigrationStep(
        from: "Shop 2", to: "Shop 3",
        policies: [
            "Item": { item in
                let price = item.oldValue(forKey: "price")?.int64Value
                item.setValue(price.map { .string("\($0) EUR") }, forKey: "price")
            }
        ])

    @Test(
        .migrated(
            model: model, from: "Shop", to: "Shop 3", steps: [step], .text("title\nPen\n", format: .csv, entity: "Item")
        ))
    func `A test has objects that code has migrated`() async throws {
        let prices = try await SeededContainer.current.perform { context in
            try context.fetch(FetchRequest("Item")).map { try $0.value(forKey: "price") }
        }
        #expect(prices == [.string("5 EUR")])
    }

    @Test func `The chain up to the current version is migrated, and a store of a later one is a failure`() async throws
    {
        await expectMigrates(model: Self.model)
        // A store of the version that needs a mapping model.
        let folder = Self.model.deletingLastPathComponent().appending(path: "Stores")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let later = try ManagedObjectModel(contentsOf: Self.model.appending(path: "Shop 3.xcdatamodel"))
        _ = try PersistentContainer(model: later, store: .sqlite(folder.appending(path: "Later.sqlite")))
        await withKnownIssue {
            await expectMigrates(model: Self.model, fixtures: folder)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("Later.sqlite to \"Shop 2\"") }
        }
    }
}
