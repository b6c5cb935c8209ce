import Granary

/// An object of the entity Tag.
class Tag: _Tag {
    override class var importsInBulk: Bool { true }
}
