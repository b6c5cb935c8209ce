import GranaryModel

/// Names of entities and properties, made of the names of files and columns.
enum ProposedNames {
    /// The words of a name: `full_name` and `fullName` have two.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var wasLower = false
        for scalar in text.unicodeScalars {
            let isPart = scalar.properties.isXIDContinue && scalar != "_"
            let isUpper = scalar.properties.isUppercase
            if !isPart || isUpper && wasLower {
                if !word.isEmpty { words.append(String(word)) }
                word = String.UnicodeScalarView()
            }
            if isPart { word.append(scalar) }
            wasLower = isPart && !isUpper
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    /// `elevation_ft` becomes `elevationFt`, `IATA` becomes `iata`.
    static func property(_ column: String) -> String {
        if column.utf8.allSatisfy(isLetterOrDigit), let first = column.unicodeScalars.first,
            first.properties.isLowercase, EntityDescription.mayHaveProperty(named: column)
        {
            return column
        }
        let words = words(column)
        var name = words.enumerated().map { $0 == 0 ? $1.lowercased() : capitalized($1) }.joined()
        if let first = name.unicodeScalars.first, !first.properties.isXIDStart { name = "value" + name }
        if name.isEmpty { name = "value" }
        return EntityDescription.mayHaveProperty(named: name) ? name : name + "Value"
    }

    /// `airports` becomes `Airport`, `order-items` becomes `OrderItem`.
    static func entity(_ text: String) -> String {
        var words = words(text)
        if let last = words.popLast() { words.append(singular(last)) }
        let name = words.map(capitalized).joined()
        guard let first = name.unicodeScalars.first else { return "Record" }
        return first.properties.isXIDStart ? name : "Record" + name
    }

    /// `Airport` becomes `airports`.
    static func inverse(_ entity: String) -> String {
        let name = entity.prefix(1).lowercased() + entity.dropFirst()
        if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
            return name.dropLast() + "ies"
        }
        let sibilants = ["s", "x", "z", "ch", "sh"]
        return sibilants.contains { name.hasSuffix($0) } ? name + "es" : name + "s"
    }

    static func singular(_ word: String) -> String {
        let lower = word.lowercased()
        if ["series", "species", "news", "status", "address"].contains(lower) { return word }
        if lower.hasSuffix("ies"), lower.count > 4 { return word.dropLast(3) + "y" }
        let endings = ["ches", "shes", "xes", "sses", "zes"]
        if endings.contains(where: { lower.hasSuffix($0) }) { return String(word.dropLast(2)) }
        let isPlural =
            lower.hasSuffix("s") && !lower.hasSuffix("ss") && !lower.hasSuffix("us") && !lower.hasSuffix("is")
        return isPlural && lower.count > 2 ? String(word.dropLast()) : word
    }

    private static func capitalized(_ word: String) -> String {
        let rest = word.dropFirst()
        // A word in capitals is an abbreviation.
        return word.prefix(1).uppercased() + (rest == rest.uppercased() ? rest.lowercased() : String(rest))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The names of keys of objects in members. A `code` or `sku` there often names an object elsewhere.
    static let identityNames = ["id", "uuid", "guid"]

    /// Whether the name of a column is that of a key.
    static func isKeyName(_ column: String, entity: String) -> Bool {
        let names = [
            "id", "uuid", "guid", "key", "code", "ident", "identifier", "slug", "isbn", "sku", "email", "number", "nr",
            "nummer",
        ]
        let letters = letters(column)
        return names.contains(letters)
            || keyEndings.contains { letters.hasSuffix($0) && isStem(letters.dropLast($0.count), of: entity) }
    }

    /// The ends of the names of keys.
    private static let keyEndings = ["id", "code", "key", "uuid", "number", "nr", "no", "nummer"]

    /// Whether a column has the name of an entity, with the end of a key or without: `Kunde` and `Kunden-Nr.` of `Kunden`.
    static func names(_ column: String, entity: String) -> Bool {
        let letters = letters(column)
        return isStem(letters[...], of: entity)
            || keyEndings.contains { letters.hasSuffix($0) && isStem(letters.dropLast($0.count), of: entity) }
    }

    /// Whether two columns have the same name, and it is more than that of any key.
    static func areSameKey(_ first: String, _ second: String) -> Bool {
        let name = letters(first)
        return name == letters(second) && keyEndings.contains { name.hasSuffix($0) && name.count > $0.count + 2 }
    }

    private static func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

    private static func isStem(_ letters: Substring, of entity: String) -> Bool {
        let target = stem(self.letters(self.entity(entity))[...])
        return target.count > 2 && stem(letters) == target
    }

    /// The text without the ending of a plural, as far as it has one.
    private static func stem(_ letters: Substring) -> Substring {
        for ending in ["en", "es", "n", "e", "s"] where letters.count > ending.count + 2 && letters.hasSuffix(ending) {
            return letters.dropLast(ending.count)
        }
        return letters
    }

    /// The name with a number, if it is taken. Names that differ only in case are the same.
    static func free(_ name: String, _ taken: inout Set<String>) -> String {
        if taken.insert(name.lowercased()).inserted { return name }
        var number = 2
        while !taken.insert("\(name)\(number)".lowercased()).inserted { number += 1 }
        return "\(name)\(number)"
    }

    /// A name in lower case without `_`, `-` and blanks, by which an import finds the property of a column.
    static func folded(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
    }
}
