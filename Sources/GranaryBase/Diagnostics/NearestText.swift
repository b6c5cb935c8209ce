/// Finds the known name that is most similar to a mistyped one.
package enum NearestText {
    /// The maximum number of candidates compared; more would take too long for a hint.
    package static let candidateLimit = 20_000

    /// Returns the candidate with the smallest edit distance to `text`. Of several, it is the one whose letters and
    /// digits are nearest (`Shop 4` for `Shop4`, not `Shop`), the first of those. Returns nil if the distance is more
    /// than a third of the length.
    package static func nearest(to text: String, in candidates: some Sequence<String>) -> String? {
        // Computing the distance takes time proportional to the product of the lengths. Longer texts are not mistyped
        // names.
        guard text.utf8.count <= 128 else { return nil }
        let wanted = Array(text.lowercased().utf8)
        let bound = max(1, wanted.count / 3)
        let core = wanted.filter(isLetterOrDigit)
        var best: (text: String, distance: Int, coreDistance: Int)?
        for candidate in candidates.prefix(candidateLimit) {
            guard candidate.utf8.count <= 128 else { continue }
            let other = Array(candidate.lowercased().utf8)
            guard abs(other.count - wanted.count) <= bound else { continue }
            let distance = distance(wanted, other)
            guard distance <= bound, distance <= best?.distance ?? Int.max else { continue }
            let coreDistance = Self.distance(core, other.filter(isLetterOrDigit))
            if let best, (best.distance, best.coreDistance) <= (distance, coreDistance) { continue }
            best = (candidate, distance, coreDistance)
        }
        return best?.text
    }

    /// `; did you mean "x"?`, or an empty text.
    package static func hint(for text: String, in candidates: some Sequence<String>) -> String {
        nearest(to: text, in: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Bytes of other letters than ASCII's count as letters.
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: false
        }
    }

    /// The Levenshtein distance, with a swap of adjacent letters as one edit.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let cost = left[row] == right[column] ? 0 : 1
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + cost)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            before = last
            last = current
        }
        return last[right.count]
    }
}
