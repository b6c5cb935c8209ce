#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryContexts
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Containers and contexts on a PostgreSQL store.
        @Suite struct ContainerTests {
            private let url: String

            init() throws { url = try PostgreSQLServer.required().url() }

            private func container() throws -> PersistentContainer {
                try PersistentContainer(model: ConformanceModel.model, store: .postgresql(url))
            }

            @Test func savedObjectsAreFetchedByAnotherContainer() throws {
                let context = try container().makeContext()
                let parent = try context.insert(into: "Node")
                try parent.setValue("parent", forKey: "name")
                for name in ["b", "a", "c"] {
                    let child = try context.insert(into: "Leaf")
                    try child.setValue(.string(name), forKey: "name")
                    try child.setObject(parent, forKey: "parent")
                }
                try context.save()
                let other = try container().makeContext()
                var request = FetchRequest("Leaf", where: try ObjectPredicate(format: "parent.name == 'parent'"))
                request.sortDescriptors = [ObjectSortDescriptor("name")]
                let found = try other.fetch(request).map { try $0.value(forKey: "name") }
                #expect(found == ["a", "b", "c"])
            }

            @Test func conflictingSavesAreFound() throws {
                let (first, second) = (try container(), try container())
                let context = first.makeContext()
                let node = try context.insert(into: "Node")
                try node.setValue("a", forKey: "name")
                try context.save()
                let rival = second.makeContext()
                let same = try #require(try rival.fetch(FetchRequest("Node")).first)
                #expect(try same.value(forKey: "name") == "a")
                try node.setValue("b", forKey: "name")
                try context.save()
                try same.setValue("c", forKey: "name")
                let error = #expect(throws: GranaryError.self) { try rival.save() }
                #expect(error?.diagnostics.map(\.code) == [.objectConflict])
            }

            @Test func aStoreIsDescribedAndDestroyedWithoutItsModel() throws {
                let container = try container()
                let location = StoreLocation.postgresql(url)
                let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: location)
                #expect(metadata.modelVersionHashes.count == ConformanceModel.model.entities.count)
                _ = container
                try PostgreSQLStores.destroy(url)
                #expect(try !PostgreSQLStores.exists(url))
            }

            @Test func aReadOnlyStoreMustExist() throws {
                var description = PersistentStoreDescription(.postgresql(url))
                description.isReadOnly = true
                let missing = description
                #expect(throws: GranaryError.self) {
                    try PersistentContainer(name: "x", model: ConformanceModel.model, descriptions: [missing])
                        .loadPersistentStores()
                }
                #expect(try !PostgreSQLStores.exists(url))
            }
        }
    }
#endif
