import GranaryBase
import TestSupport
import Testing

/// Printed dates, beside a slow twin.
@Suite struct DatePrintingTests {
    @Test func generatedDates() { Self.check(5_000, seed: 1) }

    static func check(_ count: Int, seed: UInt64) {
        let twin = DateTwin()
        var random = SeededGenerator(seed: seed)
        var array: [UInt8] = []
        var buffer = ByteBuffer()
        for _ in 0..<count {
            let date = FloatingSamples.date(&random)
            array.removeAll(keepingCapacity: true)
            guard date >= -63_145_526_400, date < 252_423_993_600 else {
                if DateText.append(date, to: &array) || !array.isEmpty { Issue.record("\(date) is printed") }
                continue
            }
            let expected = twin.text(date)
            if !DateText.append(date, to: &array) || !array.elementsEqual(expected.utf8) {
                Issue.record("\(date) is \(String(decoding: array, as: UTF8.self)), not \(expected)")
            }
            buffer.removeAll()
            let isShort = buffer.append(date: date)
            if isShort {
                if !buffer.bytes.elementsEqual(expected.utf8) { Issue.record("\(date) in a buffer") }
            } else {
                // Only dates of many digits are left to the slow way.
                let places = DateTwin.fraction(date).utf8.count
                let scaled = (0..<places).reduce(date.magnitude) { scaled, _ in scaled * 10 }
                if places <= 6 && scaled < 9e14 && date.magnitude >= 1e-3 || buffer.count > 0 {
                    Issue.record("\(date) is not written to a buffer")
                }
            }
        }
    }

    @Test(arguments: [
        (-0.5, "2000-12-31T23:59:59.5Z"), (-0.001, "2000-12-31T23:59:59.999Z"),
        (-1.000001, "2000-12-31T23:59:58.999999Z"),
        (-86_400.25, "2000-12-30T23:59:59.75Z"), (0.000001, "2001-01-01T00:00:00.000001Z"),
    ])
    func theTwinIsRight(date: Double, text: String) {
        #expect(DateTwin().text(date) == text)
        #expect(printed { _ = DateText.append(date, to: &$0) } == text)
    }
}

@Suite struct DatePrintingLongTests {
    @Test(arguments: [2, 3, 4] as [UInt64])
    func generatedDates(_ seed: UInt64) { DatePrintingTests.check(50_000, seed: seed) }
}
