/// The null inside an archived array or dictionary. (`NSNull`, which is no value and not `Sendable` everywhere)
public struct ArchivedNull: Sendable, Hashable {
    /// The one null; all are equal.
    public init() {}
}

/// Lets the nil of an optional be seen in a value whose type is not known.
protocol ArchivableOptional {
    var isNone: Bool { get }
}

extension Optional: ArchivableOptional {
    var isNone: Bool { self == nil }
}
