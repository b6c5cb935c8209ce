import Granary

/// An object of the entity Person.
class PersonMO: _PersonMO {
    override class var importsInBulk: Bool { true }
}
