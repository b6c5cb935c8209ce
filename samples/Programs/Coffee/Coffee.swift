import Foundation
import Granary

/// An object of the entity Coffee. The model is built in code, so the class is written by hand, with the accessors that
/// generated classes have.
final class Coffee: ManagedObject {
    override class var importsInBulk: Bool { true }

    var name: String {
        get { requiredValue(forKey: "name") }
        set { setTypedValue(newValue, forKey: "name") }
    }

    var brand: String {
        get { requiredValue(forKey: "brand") }
        set { setTypedValue(newValue, forKey: "brand") }
    }

    var rating: Decimal? {
        get { typedValue(forKey: "rating") }
        set { setTypedValue(newValue, forKey: "rating") }
    }
}

/// A coffee as a value, which can be passed out of its context.
struct CoffeeValue: Sendable, Equatable {
    var name: String
    var brand: String
    var rating: Decimal?
}
