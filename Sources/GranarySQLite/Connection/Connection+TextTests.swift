internal import GranaryCSQLite

/// Tests of text that SQL has no operator for, which statements call as `GRANARY_TEST(number, text)`.
extension Connection {
    /// The result of a test; nil if it gave up.
    package typealias TextTest = @Sendable (UnsafeBufferPointer<UInt8>) -> Bool?

    /// Makes a test available to statements, until ``removeTextTest(_:)``, and returns its number.
    package func addTextTest(_ test: @escaping TextTest) throws(SQLiteError) -> Int64 {
        if let textTests { return textTests.add(test) }
        let table = TextTests()
        // The schema must not call the function: only a statement knows the numbers.
        let code = sqlite3_create_function_v2(
            try open, "GRANARY_TEST", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(table).toOpaque(),
            { context, _, values in
                guard let context, let values, let data = sqlite3_user_data(context) else { return }
                let table = Unmanaged<TextTests>.fromOpaque(data).takeUnretainedValue()
                guard let text = sqlite3_value_text(values[1]) else { return sqlite3_result_int(context, 0) }
                let count = Int(sqlite3_value_bytes(values[1]))
                let bytes = UnsafeBufferPointer(start: text, count: count)
                guard let holds = table.run(sqlite3_value_int64(values[0]), bytes) else {
                    return sqlite3_result_error(context, "a text test gave up", -1)
                }
                sqlite3_result_int(context, holds ? 1 : 0)
            },
            nil, nil,
            { data in
                // SQLite also calls it if the registration fails.
                if let data { Unmanaged<TextTests>.fromOpaque(data).release() }
            })
        try check(code)
        textTests = table
        return table.add(test)
    }

    package func removeTextTest(_ number: Int64) { textTests?.remove(number) }

    /// Whether a test gave up since the last call.
    package func takeTextTestFailure() -> Bool { textTests?.takeFailure() ?? false }
}
