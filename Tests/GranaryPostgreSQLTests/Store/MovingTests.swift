#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryContexts
    import GranaryCoordination
    import GranaryCoreDataStore
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// All objects of a store move from SQLite to PostgreSQL and back.
        @Suite struct MovingTests {
            private let folder: TemporaryFolder
            private let location: StoreLocation

            init() throws {
                folder = try TemporaryFolder()
                location = .postgresql(try PostgreSQLServer.required().url())
            }

            /// Objects with values of every type and links of every kind.
            private func fill(_ container: PersistentContainer) throws {
                let context = container.makeContext()
                for (name, values) in ConformanceModel.values {
                    for value in values {
                        if case .string(let text) = value, text.utf8.contains(0) { continue }
                        try context.insert(into: "Values").setValue(value, forKey: name)
                    }
                }
                let nodes = try (0..<8).map { try context.insert(into: $0.isMultiple(of: 2) ? "Node" : "Leaf") }
                let tags = try (0..<3).map { _ in try context.insert(into: "Tag") }
                for name in ["members", "likes", "reviewers", "ranks", "friends"] {
                    try nodes[0].setObjects([nodes[3], nodes[1], nodes[2]], forKey: name)
                    try nodes[4].setObjects([nodes[7], nodes[5]], forKey: name)
                }
                try nodes[3].setObjects([nodes[4], nodes[0]], forKey: "reviews")
                try nodes[2].setObjects([nodes[0], nodes[1]], forKey: "children")
                try nodes[3].setObject(nodes[4], forKey: "mate")
                try nodes[5].setObject(nodes[6], forKey: "next")
                try nodes[5].setObjects([nodes[0]], forKey: "keeps")
                try nodes[1].setObjects(tags, forKey: "tags")
                try nodes[2].setObject(nodes[3], forKey: "pointer")
                let account = try context.insert(into: "Savings")
                try account.setValue("a@b", forKey: "email")
                try account.setObject(try context.insert(into: "Bank"), forKey: "bank")
                try context.save()
                try nodes[3].setValue("changed", forKey: "name")
                try context.delete(nodes[6])
                try context.save()
            }

            @Test func fromSQLiteAndBack() throws {
                let first = StoreLocation.sqlite(folder.url.appending(path: "First.sqlite"))
                let container = try PersistentContainer(model: ConformanceModel.model, store: first)
                let coordinator = container.persistentStoreCoordinator
                try #require(coordinator.persistentStores.first).setMetadata(["Seed": 3])
                try fill(container)
                let before = try container.content
                #expect(before.rows.contains { $0.version > 1 })
                for place in [location, .sqlite(folder.url.appending(path: "Second.sqlite"))] {
                    let source = try #require(coordinator.persistentStores.first)
                    let moved = try coordinator.migratePersistentStore(source, to: PersistentStoreDescription(place))
                    #expect(moved.metadata.values == ["Seed": 3])
                    #expect(try container.content == before)
                }
            }

            @Test func aTextThatCannotMoveIsNamedAndNothingIsCreated() throws {
                let first = StoreLocation.sqlite(folder.url.appending(path: "First.sqlite"))
                let container = try PersistentContainer(model: ConformanceModel.model, store: first)
                let context = container.makeContext()
                try context.insert(into: "Node").setValue("a\u{0}b", forKey: "name")
                try context.save()
                let coordinator = container.persistentStoreCoordinator
                let source = try #require(coordinator.persistentStores.first)
                let error = #expect(throws: GranaryError.self) {
                    try coordinator.migratePersistentStore(source, to: PersistentStoreDescription(location))
                }
                #expect(error?.diagnostics.map(\.property) == ["name"])
                #expect(throws: GranaryError.self) {
                    try PersistentStoreCoordinator.metadataForPersistentStore(at: location)
                }
            }
        }
    }
#endif
