/// The tests of a connection, which one thread at a time uses.
final class TextTests {
    private var tests: [Int64: Connection.TextTest] = [:]
    private var last: Int64 = 0
    private var hasFailed = false

    func add(_ test: @escaping Connection.TextTest) -> Int64 {
        last += 1
        tests[last] = test
        return last
    }

    func remove(_ number: Int64) { tests[number] = nil }

    func run(_ number: Int64, _ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        let result = tests[number].flatMap { $0(text) }
        if result == nil { hasFailed = true }
        return result
    }

    func takeFailure() -> Bool {
        defer { hasFailed = false }
        return hasFailed
    }
}
