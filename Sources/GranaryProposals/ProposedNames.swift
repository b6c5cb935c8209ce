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
        let folded = folded(column)
        let entity = self.folded(self.entity(entity))
        let names = [
            "id", "uuid", "guid", "key", "code", "ident", "identifier", "slug", "isbn", "sku", "email", "number",
        ]
        return names.contains(folded) || ["id", "code", "key", "uuid", "number"].contains { folded == entity + $0 }
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
