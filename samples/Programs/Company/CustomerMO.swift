import Granary

/// An object of the entity Customer.
class CustomerMO: _CustomerMO {
    override class var importsInBulk: Bool { true }
}
