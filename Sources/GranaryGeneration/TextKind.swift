/// A kind of believable text. The raw values are the names in user info and options.
package enum TextKind: String, Sendable, CaseIterable {
    /// A person's first and last name.
    case name
    case firstName, lastName, username, email, phone
    case city, country, street, postcode, company, color
    case word
    /// Two words with capitals, such as a title.
    case title
    case sentence
    case url
    /// Two letters and six digits.
    case code
    case uuid
}
