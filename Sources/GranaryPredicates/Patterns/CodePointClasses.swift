/// Classes of code points that belong to the same sets of a program.
struct CodePointClasses: Sendable {
    private(set) var ascii = [UInt16](repeating: 0, count: 128)
    private(set) var upperStarts: [UInt32] = []
    private(set) var upperClasses: [UInt16] = []
    private(set) var count = 0
    /// The classes of each set.
    private(set) var classesOfSets: [[Int]]

    /// Nil if there are too many sets to classify in reasonable time.
    init?(_ sets: [CodePointSet]) {
        var starts: Set<UInt32> = [0, 0x80]
        for range in sets.lazy.flatMap(\.ranges) {
            starts.insert(range.lowerBound)
            if range.upperBound < CodePointSet.last { starts.insert(range.upperBound + 1) }
        }
        let intervals = starts.sorted()
        let (work, overflow) = intervals.count.multipliedReportingOverflow(by: sets.count)
        guard !overflow, work <= PatternAutomaton.maximumWork, intervals.count < Int(UInt16.max) else { return nil }

        // The sets that contain each interval.
        var members = [[Int]](repeating: [], count: intervals.count)
        for (number, set) in sets.enumerated() {
            var index = 0
            for range in set.ranges {
                while index < intervals.count, intervals[index] < range.lowerBound { index += 1 }
                while index < intervals.count, intervals[index] <= range.upperBound {
                    members[index].append(number)
                    index += 1
                }
            }
        }
        var numbers: [[Int]: Int] = [:]
        classesOfSets = [[Int]](repeating: [], count: sets.count)
        for (index, start) in intervals.enumerated() {
            let number = numbers[members[index]] ?? count
            if number == count {
                numbers[members[index]] = number
                count += 1
                for set in members[index] { classesOfSets[set].append(number) }
            }
            if start >= 0x80 {
                upperStarts.append(start)
                upperClasses.append(UInt16(number))
            } else {
                let end = index + 1 < intervals.count ? min(intervals[index + 1], 0x80) : 0x80
                for codePoint in start..<end { ascii[Int(codePoint)] = UInt16(number) }
            }
        }
    }
}
