import Granary

/// A customer, as the model Customers describes it: the class with accessors that Xcode would generate.
///
/// An accessor can throw, for the object may be a fault whose row is gone; so the setters are functions.
final class Customer: ManagedObject {
    /// 1 to 60 characters.
    var name: String? {
        get throws { try string(forKey: "name") }
    }

    /// An e-mail address; no two customers have the same.
    var emailid: String? {
        get throws { try string(forKey: "emailid") }
    }

    /// Ten digits, zeros in front of them too.
    var contactno: String? {
        get throws { try string(forKey: "contactno") }
    }

    func setName(_ name: String) throws { try setValue(.string(name), forKey: "name") }

    func setEmailid(_ emailid: String) throws { try setValue(.string(emailid), forKey: "emailid") }

    func setContactno(_ contactno: String) throws { try setValue(.string(contactno), forKey: "contactno") }
}
