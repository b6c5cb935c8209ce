import GranaryBase
import GranaryModel

/// The e-mail address of a person whose names are other values of the same object.
///
/// The local part is the names in lower case, without marks and digits, and a number. Different numbers give different
/// addresses, whatever the names are.
struct PersonAddress: Sendable {
    /// The number of different numbers.
    let size: UInt64
    private let lists: WordLists
    private let validator: AttributeValidator
    /// Chooses the names of objects without a name, and the domains.
    private let stream: RandomStream

    private static let domains = ["@example.com", "@example.org", "@example.net"].map { Array($0.utf8) }
    /// A local part has at most 64 bytes, with the number and what the last letter of a name is spelled with.
    private static let longestNames = 48

    /// - Returns: nil if addresses break the attribute's rules, such as a short maximum length.
    init?(_ attribute: Schema.Attribute, _ lists: WordLists, _ stream: RandomStream, size: UInt64) {
        self.size = max(1, size)
        self.lists = lists
        self.stream = stream
        validator = attribute.validator
        let longest = [lists.firstNames, lists.lastNames].compactMap {
            $0.max { lists.ascii($0).utf8.count < lists.ascii($1).utf8.count }
        }
        let shortest = [lists.firstNames, lists.lastNames].compactMap {
            $0.min { lists.ascii($0).utf8.count < lists.ascii($1).utf8.count }
        }
        let texts = [longest, shortest].flatMap { names in
            [0, self.size - 1].map { text(of: names.map { Array($0.utf8)[...] }, $0) }
        }
        guard (texts + (0..<min(64, self.size)).map { fallback($0) }).allSatisfy(isValid) else { return nil }
    }

    /// The address with a number; an address of other names if the names are empty or give an invalid one.
    ///
    /// - Parameter names: the texts of the names, in UTF-8.
    func address(of names: [ArraySlice<UInt8>], _ number: UInt64) -> [UInt8] {
        let found = text(of: names, number)
        return found.first != UInt8(ascii: "@") && isValid(found) ? found : fallback(number)
    }

    /// The address of made-up names.
    private func fallback(_ number: UInt64) -> [UInt8] {
        let lists = [lists.firstNames, lists.lastNames]
        let names = lists.enumerated().map { index, list in
            Array(list[Int(stream.number(number, draw: UInt64(index), below: UInt64(list.count)))].utf8)[...]
        }
        return text(of: names, number)
    }

    private func isValid(_ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { validator.violations(of: .text($0)).isEmpty }
    }

    private func text(of names: [ArraySlice<UInt8>], _ number: UInt64) -> [UInt8] {
        var text: [UInt8] = []
        let limit = Self.longestNames / max(1, names.count)
        for name in names { Self.append(lists.spelled(name), to: &text, limit: limit) }
        guard !text.isEmpty else { return [UInt8(ascii: "@")] }
        // No name ends in a digit, so the number can be read from the address.
        if number > 0 { text.append(contentsOf: "\(number + 1)".utf8) }
        return text + Self.domains[Int(stream.number(number, draw: 2, below: UInt64(Self.domains.count)))]
    }

    /// Appends the words of a name as ``TextSource/ascii(_:)`` spells them, each after a dot.
    private static func append(_ name: ArraySlice<UInt8>, to text: inout [UInt8], limit: Int) {
        let end = text.count + limit
        var isNewWord = !text.isEmpty
        func add(_ letters: StaticString) {
            guard letters.utf8CodeUnitCount > 0 else { return }
            if isNewWord { text.append(UInt8(ascii: ".")) }
            isNewWord = false
            letters.withUTF8Buffer { text.append(contentsOf: $0) }
        }
        var index = name.startIndex
        while index < name.endIndex, text.count < end {
            let byte = name[index]
            index += 1
            switch byte {
            case 0x41...0x5A, 0x61...0x7A:
                if isNewWord { text.append(UInt8(ascii: ".")) }
                isNewWord = false
                text.append(byte | 0x20)
            case 0x20, 0x2D, 0x2E, 0x5F: isNewWord = !text.isEmpty
            case 0xC3...0xD1 where index < name.endIndex:
                add(LatinLetters.spelling(of: UInt32(byte & 0x1F) << 6 | UInt32(name[index] & 0x3F)))
                index += 1
            default: break
            }
        }
        // A name without letters adds nothing, and a separator at the end is not written.
    }
}
