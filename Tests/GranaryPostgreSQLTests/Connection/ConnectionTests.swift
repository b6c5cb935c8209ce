#if PostgreSQL
    import Foundation
    import GranaryBase
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// The layer over libpq.
        @Suite struct ConnectionTests {
            private let server: PostgreSQLServer

            init() throws { server = try PostgreSQLServer.required() }

            private func connect(_ text: String? = nil) throws -> PostgreSQLConnection {
                try PostgreSQLConnection(try ConnectionText(text ?? server.url()), lockTimeout: .seconds(5))
            }

            private func guarded(_ password: String) -> String {
                let encoded = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return server.url().replacing("granary@", with: "\(PostgreSQLServer.guardedUser):\(encoded)@")
            }

            @Test func aPasswordIsUsedAndNotShown() throws {
                let connection = try connect(guarded(PostgreSQLServer.password))
                #expect(try connection.query("SELECT current_user::text").text(0, 0) == PostgreSQLServer.guardedUser)
                #expect(!connection.source.contains("Kw0tq"))
                let error = try #require(throws: PostgreSQLError.self) { try connection.query("SELECT no_such_column") }
                #expect(error.state == "42703")
                #expect(error.granaryError.message.contains("SQLSTATE 42703"))
                #expect(!error.granaryError.message.contains("Kw0tq"))
            }

            @Test(arguments: ["wr0ngTq7", "", "a'b\\c"]) func aWrongPasswordIsNotShown(password: String) throws {
                let error = try #require(throws: GranaryError.self) { try connect(guarded(password)) }
                #expect(error.code == .unreadable)
                #expect(error.message.contains("guarded"))
                if !password.isEmpty { #expect(!error.message.contains(password)) }
            }

            @Test func aServerThatDoesNotExistIsUnreadable() throws {
                let error = try #require(throws: GranaryError.self) {
                    try connect("postgresql://ann:s3cretTq7@/x?host=%2Fno%2Fsuch%2Ffolder")
                }
                #expect(error.code == .unreadable && error.message.contains("/no/such/folder"))
                #expect(!error.message.contains("s3cretTq7"))
            }

            @Test func anUnknownParameterIsRefused() throws {
                let error = try #require(throws: GranaryError.self) {
                    try connect("postgresql://ann:s3cretTq7@/x?sslmod=require")
                }
                #expect(error.message.contains("sslmod") && !error.message.contains("s3cretTq7"))
            }

            @Test func anInterruptionEndsAStatement() throws {
                let connection = try connect()
                let cancellation = Cancellation()
                let start = ContinuousClock.now
                let thread = Thread { [cancellation] in
                    Thread.sleep(forTimeInterval: 0.3)
                    cancellation.cancel()
                }
                thread.start()
                let error = try #require(throws: GranaryError.self) {
                    try Cancellation.$current.withValue(cancellation) { try connection.query("SELECT pg_sleep(60)") }
                }
                #expect(error.code == .interrupted)
                #expect(ContinuousClock.now - start < .seconds(30))
                // The connection is usable.
                #expect(try connection.query("SELECT 7::bigint").integer(0, 0) == 7)
            }

            @Test func aTransactionIsRolledBackAfterAnInterruption() throws {
                let connection = try connect()
                try connection.execute("CREATE TEMPORARY TABLE t (x bigint)")
                let cancellation = Cancellation()
                #expect(throws: GranaryError.self) {
                    try Cancellation.$current.withValue(cancellation) {
                        try connection.transaction("BEGIN") {
                            try connection.execute("INSERT INTO pg_temp.t VALUES (1)")
                            cancellation.cancel()
                            try connection.execute("INSERT INTO pg_temp.t VALUES (2)")
                        }
                    }
                }
                #expect(connection.depth == 0)
                #expect(try connection.query("SELECT count(*) FROM pg_temp.t").integer(0, 0) == 0)
            }

            @Test func nestedTransactionsAreSavepoints() throws {
                struct Stop: Error {}
                let connection = try connect()
                try connection.execute("CREATE TEMPORARY TABLE t (x bigint PRIMARY KEY)")
                try connection.transaction("BEGIN") {
                    try connection.query("INSERT INTO pg_temp.t VALUES ($1)", SQLParameters(1))
                    #expect(throws: Stop.self) {
                        try connection.transaction("") {
                            try connection.query("INSERT INTO pg_temp.t VALUES ($1)", SQLParameters(2))
                            throw Stop()
                        }
                    }
                    #expect(throws: PostgreSQLError.self) {
                        try connection.transaction("") {
                            try connection.query("INSERT INTO pg_temp.t VALUES ($1)", SQLParameters(1))
                        }
                    }
                }
                #expect(try connection.query("SELECT sum(x)::bigint FROM pg_temp.t").integer(0, 0) == 1)
            }

            @Test func parametersAreNotSQL() throws {
                let connection = try connect()
                for text in ["'; DROP TABLE x; --", "\\", "\"", "$1", ""] {
                    var parameters = SQLParameters()
                    parameters.add(text)
                    parameters.add(list: [text, text])
                    let result = try connection.query("SELECT $1, ($2::text[])[2]", parameters)
                    #expect(result.text(0, 0) == text && result.text(0, 1) == text)
                }
            }

            @Test(arguments: [0, 1, 16, 17, 1_000, 20_000]) func aCursorPassesAllRows(count: Int) throws {
                let connection = try connect()
                var sum = 0
                try connection.transaction("BEGIN") {
                    try connection.forEachRow("SELECT g FROM generate_series(1, $1) g", SQLParameters(Int64(count))) {
                        sum += Int($0.integer($1, 0) ?? 0)
                        // The connection can be used meanwhile.
                        let other = sum == 1 ? try connection.query("SELECT 5::bigint").integer(0, 0) : 5
                        #expect(other == 5)
                        return true
                    }
                }
                #expect(sum == count * (count + 1) / 2)
            }

            @Test func aFailedCopyLeavesTheConnectionUsable() throws {
                struct Stop: Error {}
                let connection = try connect()
                try connection.execute("CREATE TEMPORARY TABLE t (x bigint PRIMARY KEY)")
                #expect(throws: Stop.self) {
                    try connection.copy("COPY pg_temp.t FROM STDIN (FORMAT binary)") { buffer, ended in
                        for key in 0..<100_000 {
                            buffer.append(Int16(1))
                            buffer.appendField(Int64(key))
                            try ended(&buffer)
                        }
                        throw Stop()
                    }
                }
                let error = try #require(throws: PostgreSQLError.self) {
                    try connection.copy("COPY pg_temp.t FROM STDIN (FORMAT binary)") { buffer, ended in
                        for key in 0..<200_000 {
                            buffer.append(Int16(1))
                            buffer.appendField(Int64(key / 2))
                            try ended(&buffer)
                        }
                    }
                }
                #expect(error.isUniqueViolation)
                #expect(try connection.query("SELECT count(*) FROM pg_temp.t").integer(0, 0) == 0)
            }
        }
    }
#endif
