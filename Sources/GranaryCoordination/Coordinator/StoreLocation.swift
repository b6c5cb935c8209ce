public import Foundation

/// A store's kind and its file. (The type and URL of `NSPersistentStore`)
public struct StoreLocation: Sendable, Hashable {
    package let kind: any StoreKind

    package init(_ kind: any StoreKind) { self.kind = kind }

    /// The store's file; nil in memory.
    public var url: URL? { kind.url }

    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.kind) == AnyHashable(right.kind) }

    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(kind)) }
}
