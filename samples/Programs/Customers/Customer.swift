import Granary

/// An object of the entity Customer.
class Customer: _Customer {
    // The validation below has to run for each row of an import.
    override class var importsInBulk: Bool { false }

    // `granary model code --validation` writes a method for each attribute. This class needs one.
    override func validateValue(_ value: AttributeValue?, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
        switch key {
        case "emailid": try validateEmailid(typedValue(of: value))
        default: break
        }
    }

    /// The model's regular expression allows two dots in a row, which no address has.
    func validateEmailid(_ value: String?) throws {
        guard let value, value.contains("..") else { return }
        throw GranaryError(
            Diagnostic(
                .valuePattern, "an address cannot have two dots in a row", entity: "Customer", property: "emailid",
                value: value))
    }
}
