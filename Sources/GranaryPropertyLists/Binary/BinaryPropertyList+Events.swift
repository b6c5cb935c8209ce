package import GranaryBase

extension BinaryPropertyList {
    /// Begins to walk an object and its contents.
    ///
    /// - Parameter object: the object; nil for the root.
    func walk(from object: Int? = nil, limits: PropertyListLimits = .standard) -> BinaryPropertyListWalk {
        BinaryPropertyListWalk(self, object: object ?? root, limits: limits)
    }

    /// Calls `handle` for each event of an object and its contents.
    ///
    /// - Parameter object: the object; nil for the root.
    /// - Throws: ``GranaryError`` with `plist.syntax` or `encoding.invalid` for an invalid object, with
    ///   `limit.exceeded` for an object that contains itself or too many objects, and the errors of `handle`.
    package func forEachEvent(
        from object: Int? = nil, limits: PropertyListLimits = .standard, _ handle: PropertyList.Handler
    ) throws(GranaryError) {
        var walk = walk(from: object, limits: limits)
        while let step = try walk.next() { try handle(step.event, step.place) }
    }

    /// Returns an object and its contents as a tree.
    ///
    /// - Throws: as ``forEachEvent(from:limits:_:)``.
    package func tree(
        from object: Int? = nil, limits: PropertyListLimits = .standard
    ) throws(GranaryError) -> PropertyListValue {
        var builder = PropertyListTreeBuilder(source: source, limits: limits, readsReferences: false)
        try forEachEvent(from: object, limits: limits) { (event, place) throws(GranaryError) in
            try builder.take(event, place)
        }
        guard let value = builder.value else { throw error("the list is incomplete", at: root) }
        return value
    }
}
