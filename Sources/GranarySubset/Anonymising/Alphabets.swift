/// The characters that can replace each other: digits, and the letters of one case and one script.
///
/// An alphabet is determined by the character alone, and all its characters have the same number of bytes in UTF-8 and
/// of units in UTF-16. So a text keeps its length.
struct Alphabets {
    /// Characters in ascending order.
    struct Alphabet {
        let scalars: [Unicode.Scalar]

        /// The place of a character of the alphabet.
        func index(of scalar: Unicode.Scalar) -> Int? {
            var (start, end) = (0, scalars.count)
            while start < end {
                let middle = (start + end) / 2
                if scalars[middle] < scalar { start = middle + 1 } else { end = middle }
            }
            return start < scalars.count && scalars[start] == scalar ? start : nil
        }
    }

    private(set) var all: [Alphabet] = []
    /// The alphabets of characters beyond ASCII, by the first character of their block and their category.
    private var others: [String: Int] = [:]

    static let digits = 0
    static let lowercase = 1
    static let uppercase = 2
    /// The digits 1 to 9, for the first digit of a number.
    static let leading = 3
    /// The digits of UUIDs.
    static let lowercaseHex = 4
    static let uppercaseHex = 5
    /// The second digits of percent escapes of the letters A to O and P to Z.
    static let lowercaseFirstHalf = 6
    static let uppercaseFirstHalf = 7
    static let lowercaseSecondHalf = 8
    static let uppercaseSecondHalf = 9

    init() {
        for text in [
            "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "123456789", "0123456789abcdef",
            "0123456789ABCDEF", "123456789abcdef", "123456789ABCDEF", "0123456789a", "0123456789A",
        ] {
            all.append(Alphabet(scalars: Array(text.unicodeScalars)))
        }
    }

    /// The number of an alphabet that contains the character; nil if it is neither a letter nor a digit.
    mutating func alphabet(of scalar: Unicode.Scalar) -> Int? {
        switch scalar {
        case "0"..."9": return Self.digits
        case "a"..."z": return Self.lowercase
        case "A"..."Z": return Self.uppercase
        case _ where scalar.isASCII: return nil
        default: break
        }
        let category = scalar.properties.generalCategory
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: break
        default: return nil
        }
        // Scripts have blocks of 128 numbers; those of East Asia are larger. No block contains characters of different
        // lengths in UTF-8.
        let size: UInt32 = scalar.value >= 0x3000 ? 4096 : 128
        let first = scalar.value / size * size
        let name = "\(first) \(category)"
        if let known = others[name] { return known }
        let members = (first..<first + size).compactMap { Unicode.Scalar($0) }.filter {
            $0.properties.generalCategory == category
        }
        all.append(Alphabet(scalars: members))
        others[name] = all.count - 1
        return all.count - 1
    }
}
