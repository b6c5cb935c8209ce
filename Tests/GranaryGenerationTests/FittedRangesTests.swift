import GranaryModel
import Testing
@testable import GranaryGeneration

/// Ranges from which no value can be read.
@Suite struct FittedRangesTests {
    @Test("Each range has ten values or more, and bounds are multiples of a round step")
    func groups() throws {
        var state: UInt64 = 1
        for round in 0..<300 {
            let count = 10 + Int(RandomStream.mixed(UInt64(round)) % 3000)
            let width = [1, 5, 100, 10_000, 1_000_000_000][round % 5]
            let values = (0..<count).map { _ -> Int64 in
                state = RandomStream.mixed(state &+ 1)
                let value = Int64(state % UInt64(width)) - Int64(width / 3)
                return round % 2 == 0 ? value : value * value / Int64(width)
            }
            let ranges = try #require(FittedRanges(values, .decimal))
            let sorted = values.sorted()
            let (low, high) = (sorted[min(9, count / 2)], sorted[max(count - 10, count / 2)])
            var before = Int64.min
            for part in ranges.parts {
                #expect(part.lower <= part.upper && part.lower > before)
                before = part.upper
                let inside = values.count { (part.lower...part.upper).contains(min(max($0, low), high)) }
                #expect(inside >= 10, "\(round): \(part)")
                #expect(abs(Double(part.weight) - Double(inside) * 100 / Double(count)) <= 1)
            }
            #expect(ranges.parts.count <= 20)
            // All values that are counted lie in a range.
            for value in values {
                let counted = min(max(value, low), high)
                #expect(ranges.parts.contains { ($0.lower...$0.upper).contains(counted) })
            }
        }
    }

    @Test("Rare values, equal values and gaps")
    func special() throws {
        let rare = try #require(
            FittedRanges(Array(repeating: 50, count: 500) + Array(repeating: 987_654, count: 9), .decimal))
        #expect(rare.text { "\($0)" } == "50..54")
        let bounds = try #require(
            FittedRanges(Array(repeating: 50, count: 500) + [987_654, -3], .decimal, withBounds: true))
        #expect(bounds.parts.first?.lower == -3 && bounds.parts.last?.upper == 987_654)
        #expect(FittedRanges(Array(repeating: 1, count: 9), .decimal) == nil)
        let gap = try #require(
            FittedRanges(Array(repeating: 0, count: 70) + Array(repeating: 100, count: 30), .decimal))
        #expect(gap.text { "\($0)" } == "0..9:70, 100..109:30")
        let small = try #require(FittedRanges((0..<400).map { Int64($0 % 4) }, .decimal))
        #expect(small.text { "\($0)" } == "0..0:25, 1..1:25, 2..2:25, 3..3:25")
        let days = try #require(FittedRanges((0..<3000).map { Int64($0) - 5000 }, .days))
        #expect(days.parts.allSatisfy { ($0.upper - $0.lower + 1) % 365 == 0 })
    }

    @Test("Days as dates, and back")
    func days() {
        for day in stride(from: Int64(-730_000), to: 2_900_000, by: 1009) {
            let text = CivilDays.text(ofDay: day)
            #expect(GeneratorSpecification.date(text, isEnd: false) == day * 86_400, "\(text)")
        }
        #expect(CivilDays.text(ofDay: 0) == "2001-01-01" && CivilDays.text(ofDay: -1) == "2000-12-31")
    }
}
