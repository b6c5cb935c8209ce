/// Guesses what an attribute holds from its name and the name of its entity.
package struct PropertyNames: Sendable {
    /// The words of the attribute's name in lower case: `birthDate` has `birth` and `date`.
    private let words: [String]
    private let entityWords: [String]
    /// The attribute's name with its digits.
    private let lowercased: String

    package init(attribute: String, entity: String) {
        // The name of a composite's element is a path.
        words = Self.words(attribute.split(separator: ".").last.map(String.init) ?? attribute)
        entityWords = Self.words(entity)
        lowercased = attribute.lowercased()
    }

    /// The words of a name in camel case or with underscores.
    static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasUpper = false
        for character in name {
            guard character.isLetter else {
                if !word.isEmpty { words.append(word) }
                word = ""
                wasUpper = false
                continue
            }
            // `userID` has two words, and so has `URLString`, of which the second loses its first letter to the first.
            if character.isUppercase, !wasUpper, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word += character.lowercased()
            wasUpper = character.isUppercase
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    private func has(_ names: String...) -> Bool {
        let joined = words.joined()
        return names.contains { words.contains($0) || joined == $0 }
    }

    /// The words that do not say that the attribute is of a kind: `billing` of `billingCity`.
    func words(without kind: TextKind) -> [String] {
        let own: Set<String> =
            switch kind {
            case .email: ["email", "mail", "e", "id", "address"]
            case .firstName: ["first", "name", "firstname", "given", "givenname", "forename"]
            case .lastName: ["last", "name", "lastname", "surname", "family", "familyname"]
            case .name: ["name", "full", "fullname", "display", "displayname"]
            case .city: ["city", "town", "municipality", "name"]
            case .country: ["country", "nation", "name"]
            case .postcode: ["zip", "code", "zipcode", "post", "postcode", "postal", "postalcode"]
            case .region: ["region", "province", "state", "name"]
            case .timeZone: ["time", "zone", "timezone"]
            case .latitude: ["latitude", "lat"]
            case .longitude: ["longitude", "lng", "lon"]
            default: []
            }
        return words.filter { !own.contains($0) }
    }

    private static let people: Set<String> = [
        "author", "client", "contact", "customer", "doctor", "employee", "friend", "guest", "manager", "member",
        "nurse", "owner", "passenger", "patient", "person", "player", "recipient", "responder", "sender", "student",
        "teacher", "user", "worker",
    ]

    private var isOfPerson: Bool { entityWords.contains { Self.people.contains($0) } }

    /// The coordinate that a number is; nil for other numbers.
    var coordinate: TextKind? {
        if has("latitude", "lat") { return .latitude }
        if has("longitude", "lng", "lon") { return .longitude }
        return nil
    }

    /// The kind of a text with a technical form.
    private var technicalKind: TextKind? {
        if lowercased.contains("ipv6") { return .ipv6 }
        if has("ip", "ipaddress") || lowercased.contains("ipv4") { return .ipv4 }
        if has("iban") { return .iban }
        if has("cardnumber", "creditcard", "creditcardnumber") || has("card") && has("number") { return .cardNumber }
        if has("currency", "currencycode") { return .currency }
        if has("timezone") || has("time") && has("zone") { return .timeZone }
        if has("hexcolor", "hexcolour", "colorhex") || has("hex") && has("color", "colour") { return .hexColor }
        if has("region", "province") { return .region }
        if has("paragraph") { return .paragraph }
        return coordinate
    }

    /// The kind of text.
    package var textKind: TextKind {
        if let technicalKind { return technicalKind }
        if has("email", "mail", "emailid", "emailaddress") { return .email }
        if has("phone", "mobile", "telephone", "tel", "fax", "contactno", "phonenumber") { return .phone }
        if has("firstname", "givenname", "forename") || has("first") && has("name") { return .firstName }
        if has("lastname", "surname", "familyname") || has("last") && has("name") { return .lastName }
        if has("username", "login", "nickname", "handle") { return .username }
        if has("uuid", "guid") { return .uuid }
        if has("url", "uri", "link", "website", "homepage", "href") { return .url }
        if has("city", "town", "municipality") { return .city }
        if has("country", "nation") { return .country }
        if has("zip", "zipcode", "postcode", "postalcode", "postal") { return .postcode }
        if has("street", "address", "addressline") { return .street }
        if has("company", "employer", "organization", "organisation", "brand", "vendor", "manufacturer") {
            return .company
        }
        if has("color", "colour") { return .color }
        if has("fullname", "author", "owner", "contact", "person") { return .name }
        if has("name", "displayname") {
            if isOfPerson { return .name }
            if entityWords.contains("city") { return .city }
            if entityWords.contains("country") { return .country }
            if entityWords.contains("company") || entityWords.contains("organization") { return .company }
            return .title
        }
        if has(
            "description", "text", "body", "note", "notes", "comment", "comments", "summary", "message", "detail",
            "details", "content", "remark", "remarks", "bio", "abstract", "caption", "question", "answer")
        {
            return .sentence
        }
        if has("title", "subject", "headline", "label", "heading", "subtitle") { return .title }
        if has("code", "sku", "isbn", "barcode", "badge", "serial", "number", "id", "identifier", "token", "key") {
            return .code
        }
        return .word
    }

    /// The believable range of a whole number.
    var integers: ClosedRange<Int64> {
        if has("age") { return 0...99 }
        if has("year") { return 1990...2025 }
        if has("month") { return 1...12 }
        if has("day") { return 1...28 }
        if has("hour") { return 0...23 }
        if has("minute", "second") { return 0...59 }
        if has("rating", "stars", "score", "rank", "priority", "level") { return 1...5 }
        if has("percent", "percentage", "progress", "battery") { return 0...100 }
        if has("count", "quantity", "amount", "size", "total") { return 0...100 }
        if has("order", "index", "position", "ordinal", "sort") { return 0...99 }
        if has("width", "height", "length") { return 1...2000 }
        return 0...999
    }

    /// The believable range of a number with decimals.
    var reals: ClosedRange<Int64> {
        if has("latitude", "lat") { return -90...90 }
        if has("longitude", "lng", "lon", "long") { return -180...180 }
        if has("rating", "stars", "score") { return 0...5 }
        if has("ratio", "fraction", "opacity", "alpha", "probability", "progress", "confidence") { return 0...1 }
        if has("percent", "percentage") { return 0...100 }
        if has("weight", "kilograms", "mass") { return 1...120 }
        if has("salary", "income", "balance", "budget", "revenue") { return 0...90_000 }
        if has("temperature") { return -20...40 }
        return 0...1000
    }

    /// The believable seconds since 2001, and the step between dates.
    var dates: (range: ClosedRange<Int64>, step: Int64) {
        func years(_ first: Int, _ last: Int) -> ClosedRange<Int64> {
            CivilDays.days(year: first, month: 1, day: 1) * 86_400...CivilDays.days(year: last, month: 12, day: 31)
                * 86_400 + 86_399
        }
        if has("birth", "birthday", "birthdate", "born", "dob") { return (years(1940, 2010), 86_400) }
        if has("expiry", "expires", "expiration", "due", "deadline", "until", "end") {
            return (years(2024, 2030), 86_400)
        }
        let isDay = words.last == "date" || words.last == "day"
        return (years(2015, 2025), isDay ? 86_400 : 60)
    }
}
