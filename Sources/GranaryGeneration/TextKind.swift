/// A kind of believable text. The raw values are the names in user info and options.
package enum TextKind: String, Sendable, CaseIterable {
    /// A person's first and last name.
    case name
    case firstName, lastName, username, email, phone
    case city, country, street, postcode, company, color
    /// The state or province of a city.
    case region
    /// Degrees near a city, as a number or a text.
    case latitude, longitude
    /// The name of a time zone: `Europe/Berlin`.
    case timeZone
    case word
    /// Two words with capitals, such as a title.
    case title
    case sentence
    /// Three to five sentences.
    case paragraph
    case url
    /// Two letters and six digits.
    case code
    case uuid
    /// A UUID in lower case, and one without dashes.
    case uuidLower, uuidPlain
    /// A private IPv4 address, and an IPv6 address for documents.
    case ipv4, ipv6
    /// A currency code of ISO 4217.
    case currency
    /// A bank account with correct check digits.
    case iban
    /// A card number of the ranges for tests, with a correct check digit.
    case cardNumber
    /// `#1a2b3c`.
    case hexColor

    /// Whether the kind is a coordinate, which is a number too.
    var isCoordinate: Bool { self == .latitude || self == .longitude }
}
