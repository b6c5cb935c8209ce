import Granary

/// A customer of the model Customers, with accessors as Xcode would generate them.
///
/// Accessors can throw because the object can be a fault whose row was deleted. Setters cannot throw, so they are
/// functions.
final class Customer: ManagedObject {
    /// The name, of 1 to 60 characters.
    var name: String? {
        get throws { try string(forKey: "name") }
    }

    /// The e-mail address, which is unique.
    var emailid: String? {
        get throws { try string(forKey: "emailid") }
    }

    /// The phone number: ten digits, including leading zeros.
    var contactno: String? {
        get throws { try string(forKey: "contactno") }
    }

    func setName(_ name: String) throws { try setValue(.string(name), forKey: "name") }

    func setEmailid(_ emailid: String) throws { try setValue(.string(emailid), forKey: "emailid") }

    func setContactno(_ contactno: String) throws { try setValue(.string(contactno), forKey: "contactno") }
}
