import Foundation
import Granary
import GranaryTesting
import Testing

/// The one-line test of frozen versions.
struct ExpectFrozenTests {
    private static func write(_ type: AttributeType, in folder: URL) throws -> URL {
        let url = folder.appending(path: "Shop-\(type.rawValue).xcdatamodel")
        try ManagedObjectModel(entities: [EntityDescription("Item", [.attribute("title", type)])]).write(to: url)
        return url
    }

    @Test func aChangeIsAFailure() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "granary-frozen-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = try Self.write(.string, in: folder)
        let lock = folder.appending(path: "Schemas.lock")
        let chain = ModelVersionChain([.init(name: "Shop", model: try ManagedObjectModel(contentsOf: model))])
        try Data(try SchemaLock(chain).text().utf8).write(to: lock)
        expectFrozen(models: model, lock: lock)
        let changed = try Self.write(.date, in: folder)
        withKnownIssue {
            expectFrozen(models: changed, lock: lock)
        } matching: { issue in
            issue.comments.map(\.rawValue) == ["Shop: Item.title: type: String -> Date"]
        }
        withKnownIssue { expectFrozen(models: model, lock: folder.appending(path: "None.lock")) }
    }
}
