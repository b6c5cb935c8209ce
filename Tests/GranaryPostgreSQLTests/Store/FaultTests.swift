#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import Synchronization
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Whatever ends a transaction, the store is as before or complete, and the message says what to do.
        @Suite struct FaultTests {
            private let server: PostgreSQLServer
            private let name = "fault \(UUID().uuidString.prefix(8))"

            init() throws { server = try PostgreSQLServer.required() }

            private var url: String { server.url(schema: name, parameters: "&application_name=fault") }

            /// Ends the session of a store, as an administrator does.
            private func terminate() throws {
                let ended = try server.sql(
                    "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE application_name = 'fault "
                        + "\(name)'")
                #expect(ended == "1")
            }

            private func bench() throws -> StoreBench {
                let url = server.url(
                    schema: name, parameters: "&application_name=fault%20" + name.replacing(" ", with: "%20"))
                return try StoreBench(
                    StoreFactory(name: "PostgreSQL") { schema in
                        let store = try PostgreSQLStores.create(url, schema: schema)
                        return OpenedStore(store: store)
                    })
            }

            @Test(arguments: [false, true])
            func aConnectionThatIsCutChangesNothing(isNew: Bool) throws {
                let bench = try bench()
                if !isNew { try bench.store.publish() }
                let error = try #require(throws: GranaryError.self) {
                    try bench.store.transaction { writer in
                        writer.bulk?.deferIndexes()
                        for key in 1...200 { try writer.insert(try bench.row("Node", Int64(key))) }
                        try terminate()
                        for key in 201...400 { try writer.insert(try bench.row("Node", Int64(key))) }
                    }
                    try bench.store.publish()
                }
                #expect(error.code == .inputOutput)
                #expect(error.message.contains("nothing was changed: run it again when the server can be reached"))
                let url = server.url(schema: name)
                guard !isNew else {
                    #expect(try !PostgreSQLStores.exists(url))
                    // No tables are left behind.
                    #expect(try server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(name)'") == "0")
                    return
                }
                let opened = try PostgreSQLStores.openForReading(url, model: nil)
                #expect(try opened.count(entity: try bench.entity("Node").index) == 0)
            }

            @Test func aConnectionThatIsCutWhileReadingIsAnError() throws {
                let bench = try bench()
                try bench.store.publish()
                try bench.insertNodes(2)
                let error = try #require(throws: GranaryError.self) {
                    try bench.store.reading {
                        try terminate()
                        _ = try bench.keys("Node")
                    }
                }
                #expect(error.code == .inputOutput && error.message.contains("the connection was lost"))
            }

            @Test func aLossDuringTheCommitIsUncertain() {
                var error = PostgreSQLError(source: "x", message: "server closed the connection")
                error.isOfCommit = true
                #expect(error.granaryError.message.contains("either all of it is in the store or nothing"))
                #expect(error.granaryError.message.contains("store info"))
            }

            @Test func aLockThatIsNotReleasedIsNamed() throws {
                let bench = try bench()
                try bench.store.publish()
                let other = try PostgreSQLStores.openForWriting(
                    server.url(schema: name), schema: bench.schema, timeout: .milliseconds(50))
                try bench.store.transaction { _ in
                    let error = try #require(throws: GranaryError.self) {
                        try other.transaction { try $0.insert(try bench.row("Node", 1)) }
                    }
                    #expect(error.code == .busy && error.message.contains("--busy-timeout"))
                }
            }

            @Test func aRowThatAnotherProgramChangesIsNotOverwritten() throws {
                let bench = try bench()
                try bench.store.publish()
                try bench.insertNodes(3)
                let error = try #require(throws: GranaryError.self) {
                    try bench.store.transaction { writer in
                        // The snapshot is taken here.
                        _ = try bench.keys("Node")
                        _ = try server.sql("UPDATE \"\(name)\".\"Node\" SET name = 'other' WHERE \"$id\" = 2")
                        var batch = RowBatch()
                        for key in 1...3 {
                            let row = try bench.row("Node", Int64(key), version: 2, ["name": "own"])
                            batch.append(0, of: row, slotCount: row.cells.count)
                        }
                        try writer.update(batch)
                    }
                }
                #expect(error.code == .busy && error.message.contains("run it again"))
                #expect(try bench.value("Node", 1, "name") == nil && bench.value("Node", 2, "name") == "other")
            }

            @Test func twoWritersAtOnceBothSucceed() throws {
                let bench = try bench()
                try bench.store.publish()
                let url = server.url(schema: name)
                let schema = bench.schema
                let failures = Mutex<[String]>([])
                DispatchQueue.concurrentPerform(iterations: 4) { number in
                    do {
                        let store = try PostgreSQLStores.openForWriting(url, schema: schema, timeout: .seconds(30))
                        let bench = try StoreBench(
                            StoreFactory(name: "") { _ in OpenedStore(store: InMemoryStore(schema: schema)) })
                        try store.transaction { writer in
                            let node = try bench.entity("Node").index
                            let first = try writer.reserveKeys(root: node, count: 50)
                            for key in first..<first + 50 { try writer.insert(try bench.row("Node", key)) }
                        }
                    } catch { failures.withLock { $0.append("\(number): \(error)") } }
                }
                #expect(failures.withLock { $0 } == [])
                #expect(try bench.keys("Node", batchSize: 500) == Array(1...200))
            }
        }

        /// A server of its own is killed while a store is written.
        @Suite struct ServerCrashTests {
            @Test(arguments: [false, true])
            func aServerThatIsKilledChangesNothing(isNew: Bool) throws {
                let server = try PostgreSQLServer.separate()
                let url = server.url(schema: "app")
                let bench = try StoreBench(
                    StoreFactory(name: "PostgreSQL") {
                        OpenedStore(store: try PostgreSQLStores.create(url, schema: $0))
                    })
                if !isNew {
                    try bench.store.publish()
                    try bench.insertNodes(7)
                }
                let first: Int64 = isNew ? 1 : 8
                let error = try #require(throws: GranaryError.self) {
                    try bench.store.transaction { writer in
                        writer.bulk?.deferIndexes()
                        let text = AttributeValue.string(String(repeating: "x", count: 1_000))
                        for key in first..<first + 20_000 {
                            if key == first + 10_000 { try server.crash() }
                            try writer.insert(try bench.row("Node", key, ["name": text]))
                        }
                    }
                }
                #expect(error.code == .inputOutput)
                #expect(error.message.contains("run it again when the server can be reached"), "\(error.message)")
                try server.restart()
                guard !isNew else {
                    #expect(try !PostgreSQLStores.exists(url))
                    #expect(try server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'app'") == "0")
                    return
                }
                // The import is run again.
                let store = try PostgreSQLStores.openForWriting(url, schema: bench.schema)
                #expect(try store.count(entity: try bench.entity("Node").index) == 7)
                try store.transaction { try $0.insert(try bench.row("Node", 8)) }
                #expect(try store.count(entity: try bench.entity("Node").index) == 8)
            }
        }

        /// The disk of the server is full: a tablespace in a small file system in memory, which only root can mount.
        @Suite struct FullDiskLongTests {
            @Test func aFullDiskChangesNothing() throws {
                let server = try PostgreSQLServer.required()
                _ = try server.withSmallTablespace { space in
                    let url = server.url(schema: "full", parameters: "&options=-cdefault_tablespace%3D\(space)")
                    let bench = try StoreBench(
                        StoreFactory(name: "PostgreSQL") {
                            OpenedStore(store: try PostgreSQLStores.create(url, schema: $0))
                        })
                    try bench.store.publish()
                    try bench.insertNodes(5)
                    let error = try #require(throws: GranaryError.self) {
                        try bench.store.transaction { writer in
                            var random = SeededGenerator(seed: 1)
                            for key in 6...6_000 {
                                let text = (0..<200).map { _ in
                                    String(UInt64.random(in: 0 ... .max, using: &random), radix: 36)
                                }
                                try writer.insert(try bench.row("Node", Int64(key), ["name": .string(text.joined())]))
                            }
                        }
                    }
                    #expect(error.code == .inputOutput && error.message.contains("53100"))
                    #expect(error.message.contains("nothing was changed: free space on its disk"))
                    #expect(try bench.keys("Node", batchSize: 10) == [1, 2, 3, 4, 5])
                    try PostgreSQLStores.destroy(url)
                }
            }
        }
    }
#endif
