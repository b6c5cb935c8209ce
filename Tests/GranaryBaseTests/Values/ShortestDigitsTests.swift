import GranaryBase
import TestSupport
import Testing

/// The digits of numbers are those of the standard library, which finds the shortest ones by another method.
@Suite struct ShortestDigitsTests {
    @Test func doubles() { Self.checkDoubles(10_000, seed: 1) }

    @Test func floats() { Self.checkFloats(10_000, seed: 1) }

    static func checkDoubles(_ count: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var array: [UInt8] = []
        var buffer = ByteBuffer()
        for _ in 0..<count {
            let value = FloatingSamples.double(&random)
            guard value.isFinite else { continue }
            array.removeAll(keepingCapacity: true)
            FloatingText.append(value, to: &array)
            buffer.removeAll()
            buffer.append(double: value)
            let expected = value.description.utf8
            if !array.elementsEqual(expected) || !buffer.bytes.elementsEqual(expected) {
                Issue.record("\(value.description) is written as \(String(decoding: array, as: UTF8.self))")
            }
        }
    }

    static func checkFloats(_ count: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var array: [UInt8] = []
        var buffer = ByteBuffer()
        for _ in 0..<count {
            let value = FloatingSamples.float(&random)
            guard value.isFinite else { continue }
            array.removeAll(keepingCapacity: true)
            FloatingText.append(value, to: &array)
            buffer.removeAll()
            buffer.append(float: value)
            let expected = value.description.utf8
            if !array.elementsEqual(expected) || !buffer.bytes.elementsEqual(expected) {
                Issue.record("\(value.description) is written as \(String(decoding: array, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [1, 2, 5, 15, 16, 17])
    func doublesWithEachNumberOfPlaces(_ places: Int) {
        // 0.1, 0.01 and so on, and the numbers of as many nines.
        for digits in ["1", String(repeating: "9", count: places)] {
            for whole in ["0", "1", "999999", "999999999999", "1000000000000"] {
                let text = "\(whole).\(String(repeating: "0", count: places - digits.utf8.count))\(digits)"
                guard let value = Double(text) else {
                    Issue.record("\(text)")
                    continue
                }
                #expect(printed { FloatingText.append(value, to: &$0) } == value.description)
                #expect(printed { FloatingText.append(-value, to: &$0) } == (-value).description)
            }
        }
    }
}

@Suite struct ShortestDigitsLongTests {
    @Test(arguments: [2, 3] as [UInt64])
    func doubles(_ seed: UInt64) { ShortestDigitsTests.checkDoubles(200_000, seed: seed) }

    @Test(arguments: [2] as [UInt64])
    func floats(_ seed: UInt64) { ShortestDigitsTests.checkFloats(200_000, seed: seed) }
}
