/// The place of a declaration among the declarations around it.
struct CollectionScope {
    /// The number of types around it.
    var depth = 0
    /// The conditions between it and the innermost type around it.
    var conditions: [SourceCondition] = []
    /// The number of bytes of these conditions in the source.
    var conditionBytes = 0
    /// Whether a type around it has several variants because of `#if` among its attributes.
    var isInVariant = false

    /// Returns the scope inside a type.
    func inType(isVariant: Bool) -> CollectionScope {
        CollectionScope(depth: depth + 1, isInVariant: isInVariant || isVariant)
    }

    /// Returns the scope inside a clause of `#if`.
    func inClause(_ conditions: [SourceCondition], bytes: Int) -> CollectionScope {
        var scope = self
        scope.conditions += conditions
        scope.conditionBytes += bytes
        return scope
    }
}
