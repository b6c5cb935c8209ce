/// The two places that Core Data keeps a compiled model in. Both are the same archive but for a few containers.
enum CompiledModelForm: Sendable, Hashable {
    /// A `.mom` file: entities in a plain dictionary, each with its own properties only.
    case mom
    /// The blob of a store's `Z_MODELCACHE`: entities in an `NSKnownKeysDictionary1`; each entity has a copy of what it
    /// inherits, as frameworks of at least 1000 write it.
    case modelCache
}
