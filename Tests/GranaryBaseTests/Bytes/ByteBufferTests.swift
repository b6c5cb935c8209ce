import Foundation
import TestSupport
import Testing

@testable import GranaryBase

@Suite struct ByteBufferTests {
    private func contents(_ buffer: borrowing ByteBuffer) -> [UInt8] { Array(buffer.bytes) }

    /// Appends of all kinds, beside an array.
    @Test func holdsWhatAnArrayHolds() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<50 {
            var buffer = ByteBuffer(capacity: round)
            var array: [UInt8] = []
            for _ in 0..<60 {
                let number = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
                switch Int.random(in: 0..<9, using: &random) {
                case 0:
                    buffer.append(UInt8(truncatingIfNeeded: number))
                    array.append(UInt8(truncatingIfNeeded: number))
                case 1:
                    let bytes = (0..<Int.random(in: 0...200, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
                    buffer.append(contentsOf: bytes)
                    array.append(contentsOf: bytes)
                case 2:
                    buffer.append("text \(number)")
                    array.append(contentsOf: "text \(number)".utf8)
                case 3:
                    buffer.append(integer: number)
                    IntegerText.append(number, to: &array)
                case 4:
                    buffer.append(boolean: number > 0)
                    BooleanText.append(number > 0, to: &array)
                case 5:
                    buffer.append(double: Double(number) / 8)
                    FloatingText.append(Double(number) / 8, to: &array)
                case 6:
                    buffer.append(float: Float(number) / 8)
                    FloatingText.append(Float(number) / 8, to: &array)
                case 7:
                    let uuid = UUID()
                    buffer.append(uuid: uuid)
                    array.append(contentsOf: uuid.uuidString.utf8)
                default:
                    let count = Int.random(in: 0...array.count, using: &random)
                    buffer.truncate(to: count)
                    array.removeLast(array.count - count)
                }
            }
            let (count, found) = (buffer.count, contents(buffer))
            #expect(count == array.count)
            #expect(found == array)
            buffer.removeAll()
            let isEmpty = buffer.count == 0
            #expect(isEmpty)
        }
    }

    @Test func appendsNothingForATextThatNeedsMore() {
        let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
        var buffer = ByteBuffer()
        buffer.append("x")
        for text in ["", "a,b", "a\"", "\n", "a\rb", String(repeating: "a", count: 40) + ","] {
            let isPlain = withBytes(text) { buffer.append(plainField: $0, delimiter: comma, quote: quote) }
            #expect(!isPlain)
        }
        for text in ["\"", "\\", "\u{1F}", "a\u{0}", String(repeating: "a", count: 40) + "\n"] {
            let isPlain = withBytes(text) { buffer.append(jsonString: $0) }
            #expect(!isPlain)
        }
        let before = contents(buffer)
        #expect(before == Array("x".utf8))
        let isField = withBytes("a b\u{7F}é") { buffer.append(plainField: $0, delimiter: comma, quote: quote) }
        let isString = withBytes("") { buffer.append(jsonString: $0) }
        #expect(isField && isString)
        let after = contents(buffer)
        #expect(after == Array("xa b\u{7F}é\"\"".utf8))
    }

    /// The memory of usual rows is used again, and that of a very large value is given back.
    @Test func releasesLargeMemory() {
        var buffer = ByteBuffer()
        buffer.append(contentsOf: [UInt8](repeating: 1, count: 1 << 20))
        let usual = buffer.capacity
        buffer.removeAll()
        let kept = buffer.capacity
        #expect(kept == usual)
        buffer.append(contentsOf: [UInt8](repeating: 1, count: ByteBuffer.keptCapacity + 1))
        buffer.removeAll()
        let small = buffer.capacity
        #expect(small < 4096)
        buffer.append("again")
        let found = contents(buffer)
        #expect(found == Array("again".utf8))
    }
}
