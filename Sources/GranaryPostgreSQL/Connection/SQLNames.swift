#if PostgreSQL
    /// Makes names of at most 63 bytes unique: the first keeps its name, later ones end with `~2`, `~3` …
    struct SQLNames {
        private var taken: Set<[UInt8]> = []

        mutating func take(_ name: String) -> String {
            let first = SQLIdentifier.shortened(name)
            var candidate = first
            var number = 1
            while !taken.insert(Array(candidate.utf8)).inserted {
                number += 1
                candidate = SQLIdentifier.shortened("\(name)~\(number)")
            }
            return candidate
        }
    }
#endif
