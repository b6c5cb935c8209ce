/// The order of names in which numbers count as numbers: `Model`, `Model 2`, `Model 10`.
package enum NaturalOrder {
    /// Whether `left` is before `right`. Letters of ASCII are compared without case; names that are equal otherwise are
    /// ordered by their bytes.
    package static func less(_ left: String, _ right: String) -> Bool {
        let (first, second) = (Array(left.utf8), Array(right.utf8))
        var (index, other) = (0, 0)
        while index < first.count, other < second.count {
            if isDigit(first[index]), isDigit(second[other]) {
                let number = digits(first, from: &index)
                let otherNumber = digits(second, from: &other)
                if number.count != otherNumber.count { return number.count < otherNumber.count }
                if !number.elementsEqual(otherNumber) { return number.lexicographicallyPrecedes(otherNumber) }
            } else {
                let (letter, otherLetter) = (folded(first[index]), folded(second[other]))
                if letter != otherLetter { return letter < otherLetter }
                index += 1
                other += 1
            }
        }
        // A name is before the names that begin with it.
        if (index < first.count) != (other < second.count) { return other < second.count }
        return utf8Less(left, right)
    }

    /// The digits at `index` without leading zeros. They can be more digits than an integer has.
    private static func digits(_ bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return bytes[start..<index].drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
