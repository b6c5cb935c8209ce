#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCLibPQ

    extension PostgreSQLConnection {
        /// The longest time for a connection, in seconds, unless the connection string gives another one.
        private static let defaultTimeout = 30.0

        /// Connects without blocking, so that an interruption ends it.
        static func connect(_ text: ConnectionText) throws(GranaryError) -> OpaquePointer {
            // The connection string is expanded at its place; the parameters after it have precedence.
            let parameters = [
                ("fallback_application_name", "granary"), ("dbname", text.conninfo), ("client_encoding", "UTF8"),
            ]
            let handle = withStrings(parameters.map(\.0)) { keywords in
                withStrings(parameters.map(\.1)) { values in PQconnectStartParams(keywords, values, 1) }
            }
            guard let handle else {
                throw GranaryError(.unreadable, "\(text.displayName): there is no memory to connect")
            }
            do throws(GranaryError) {
                try wait(for: handle, text)
                return handle
            } catch {
                PQfinish(handle)
                throw error
            }
        }

        private static func wait(for handle: OpaquePointer, _ text: ConnectionText) throws(GranaryError) {
            guard PQstatus(handle) != CONNECTION_BAD else { throw refusal(handle, text) }
            let seconds = timeout(of: handle)
            let end = ContinuousClock.now + .seconds(seconds)
            var state = PGRES_POLLING_WRITING
            while state != PGRES_POLLING_OK {
                guard state != PGRES_POLLING_FAILED else { throw refusal(handle, text) }
                try Cancellation.current?.check()
                guard ContinuousClock.now < end else {
                    throw GranaryError(
                        .unreadable,
                        "\(text.displayName): no connection within \(Int(seconds)) seconds (connect_timeout)")
                }
                let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
                if poll(PQsocket(handle), Int16(events)) { state = PQconnectPoll(handle) }
            }
        }

        /// The parameter `connect_timeout` for each host.
        private static func timeout(of handle: OpaquePointer) -> Double {
            guard let options = PQconninfo(handle) else { return defaultTimeout }
            defer { PQconninfoFree(options) }
            var seconds = defaultTimeout
            var hosts = 1
            var option = options
            // The list ends with an option without a keyword.
            while let keyword = option.pointee.keyword {
                let value = option.pointee.val.map { String(cString: $0) } ?? ""
                switch String(cString: keyword) {
                case "connect_timeout":
                    if let number = Double(value), (1...86_400).contains(number) { seconds = number }
                case "host", "hostaddr": hosts = max(hosts, value.split(separator: ",").count)
                default: break
                }
                option += 1
            }
            return seconds * Double(hosts)
        }

        private static func refusal(_ handle: OpaquePointer, _ text: ConnectionText) -> GranaryError {
            let message = PQerrorMessage(handle).map { String(cString: $0).trimmed } ?? "the connection failed"
            let line = message.replacing("\n", with: " ")
            return GranaryError(.unreadable, "\(text.displayName): \(line)")
        }

        /// Waits at most a tenth of a second until a socket is ready. Returns whether it is.
        static func poll(_ socket: Int32, _ events: Int16) -> Bool {
            guard socket >= 0 else { return true }
            var descriptor = pollfd(fd: socket, events: events, revents: 0)
            #if canImport(Darwin)
                return Darwin.poll(&descriptor, 1, 100) != 0
            #else
                return Glibc.poll(&descriptor, 1, 100) != 0
            #endif
        }

        /// Passes texts to C as an array of strings that ends with NULL. They are valid during `body` only.
        private static func withStrings<Result>(
            _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
        ) -> Result {
            let copies = texts.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            return body(copies.map { UnsafePointer($0) } + [nil])
        }
    }
#endif
