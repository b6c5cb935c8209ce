/// The two kinds of compiled model. They differ in a few containers of the archive.
enum CompiledModelForm: Sendable, Hashable {
    /// A `.mom` file: the entities are in a plain dictionary, each with only its own properties.
    case mom
    /// The blob of a store's `Z_MODELCACHE`: the entities are in an `NSKnownKeysDictionary1`, each with copies of the
    /// properties that it inherits, as frameworks 1000 and later write it.
    case modelCache
}
