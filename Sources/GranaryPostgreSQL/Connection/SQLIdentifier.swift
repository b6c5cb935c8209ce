#if PostgreSQL
    /// Names in SQL statements.
    enum SQLIdentifier {
        /// The longest name that the server keeps, in bytes. It truncates longer ones without an error.
        static let limit = 63

        /// A name in quotes, so that it can have any characters except U+0000, which the names of a model never have.
        static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

        /// A text literal. `standard_conforming_strings` is on, so that a backslash has no meaning.
        static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

        /// A name of at most 63 bytes: a longer one is cut at a character and ends with `~` and eight hexadecimal digits of
        /// its hash.
        static func shortened(_ name: String) -> String {
            guard name.utf8.count > limit else { return name }
            let digits = String(hash(name), radix: 16)
            let end = "~" + String(repeating: "0", count: 8 - digits.count) + digits
            var start = ""
            for scalar in name.unicodeScalars {
                guard start.utf8.count + scalar.utf8.count + end.utf8.count <= limit else { break }
                start.unicodeScalars.append(scalar)
            }
            return start + end
        }

        /// FNV-1a, folded to 32 bits: the same for the same name, in every process.
        private static func hash(_ name: String) -> UInt32 {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
        }
    }
#endif
