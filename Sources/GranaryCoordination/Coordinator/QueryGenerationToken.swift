/// A state of the stores that a context keeps reading, whatever others save. (`NSQueryGenerationToken`)
///
/// ``ManagedObjectContext/setQueryGeneration(_:)`` sets it. Contexts with the same token read the same state.
public struct QueryGenerationToken: Sendable, Hashable {
    /// The state at the time of the context's next read. (`NSQueryGenerationToken.current`)
    public static let current = Self(generation: nil)

    package let generation: QueryGeneration?

    package init(generation: QueryGeneration?) { self.generation = generation }

    public static func == (left: Self, right: Self) -> Bool { left.generation === right.generation }

    public func hash(into hasher: inout Hasher) { hasher.combine(generation.map { ObjectIdentifier($0) }) }
}
