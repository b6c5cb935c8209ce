/// Finds the name that somebody meant who wrote another.
enum NearestName {
    /// The name with the fewest single-character edits, at most a third of its length; nil when none is near.
    static func find(_ name: String, among names: [String]) -> String? {
        // Longer texts are no mistyped names, and the distance costs the product of the lengths.
        guard name.utf8.count <= 128 else { return nil }
        let written = Array(name.lowercased().utf8)
        var best: (name: String, distance: Int)?
        for candidate in names where candidate.utf8.count <= 128 {
            let distance = distance(written, Array(candidate.lowercased().utf8))
            if distance <= max(1, candidate.utf8.count / 3), distance < best?.distance ?? Int.max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two texts, three rows of the table at a
    /// time.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (beforeLast, last) = ([Int](), Array(0...right.count))
        for i in left.indices {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in right.indices {
                var best = min(last[j] + (left[i] == right[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
