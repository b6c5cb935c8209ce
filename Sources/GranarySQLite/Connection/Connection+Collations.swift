internal import GranaryCSQLite

extension Connection {
    /// Compares two texts by their UTF-8 bytes: negative, zero or positive.
    package typealias TextOrder =
        @Sendable (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int

    /// Registers a collation for ORDER BY. A name is registered once; the same name must mean the same order.
    package func register(collation name: String, _ order: @escaping TextOrder) throws(SQLiteError) {
        guard !collations.contains(name) else { return }
        let database = try open
        let box = Unmanaged.passRetained(TextOrderBox(order))
        // SQLite calls the destructor when the connection is closed, but not if the registration fails.
        let code = sqlite3_create_collation_v2(
            database, name, SQLITE_UTF8, box.toOpaque(),
            { context, leftCount, left, rightCount, right in
                guard let context else { return 0 }
                let order = Unmanaged<TextOrderBox>.fromOpaque(context).takeUnretainedValue().order
                let first = UnsafeBufferPointer(
                    start: left?.assumingMemoryBound(to: UInt8.self), count: Int(leftCount))
                let second = UnsafeBufferPointer(
                    start: right?.assumingMemoryBound(to: UInt8.self), count: Int(rightCount))
                return Int32(clamping: order(first, second))
            },
            { context in
                if let context { Unmanaged<TextOrderBox>.fromOpaque(context).release() }
            })
        if code != SQLITE_OK { box.release() }
        try check(code)
        collations.insert(name)
    }
}

private final class TextOrderBox: Sendable {
    let order: Connection.TextOrder

    init(_ order: @escaping Connection.TextOrder) { self.order = order }
}
