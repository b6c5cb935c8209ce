import Granary

/// An object of the entity Shape.
class Shape: _Shape {
    // An import needs no areas.
    override class var importsInBulk: Bool { true }

    /// The attribute ``colour`` in its own type. The generated property has any type, because only the app knows Colour.
    var fill: Colour? {
        get { colour as? Colour }
        set { colour = newValue }
    }

    // The area is derived from two stored values. A change of one of them changes it, which is recorded, so that undo
    // restores both.

    override var width: Double {
        get { super.width }
        set {
            super.width = newValue
            area = newValue * height
        }
    }

    override var height: Double {
        get { super.height }
        set {
            super.height = newValue
            area = width * newValue
        }
    }

    /// The store has no area. Setting the primitive value is not a change.
    override func awakeFromFetch() {
        super.awakeFromFetch()
        primitiveArea = width * height
    }
}
