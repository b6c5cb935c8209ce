import GranaryBase
import GranaryModel

/// Writes a model as Core Data's compiler does: an `NSKeyedArchiver` archive of an `NSManagedObjectModel`.
///
/// The form is that of the newest files at hand, the `.mom`s of Xcode 16.1 and the model caches of frameworks 1044 to
/// 1344. Older files differ in this:
/// - before Xcode 15: no `CDMCompilerToolVersion` and `CDMCompilerXcodeVersion` (no cache has them at all);
/// - framework 637: `NSCompoundIndexes` in an `NSArray` and without `NSFetchIndexDescriptions`; caches have what is
///   inherited as `_NSPropertyDescriptionProxy`, and nil for no subentities; some names are `NSMutableString`s;
/// - the oldest: no `NSFlagsKey`.
///
/// The same model gives the same bytes: entities and properties stand in the order of their names, and fields in the
/// order of the code here. Core Data's own order is that of a hash table and carries nothing.
///
/// Notes are written where the reader made them of something that Granary has no use for: the rest of flag words, fetch
/// requests and predicates.
///
/// What a compiled model has no place for is left out by design: other notes, `isSyncable`, `codeGenerationType`,
/// `usesScalarValueType`, the names of composites and composites that no attribute has,
/// `FetchedPropertyDescription.isOptional` (it is always true), the order of properties, of entities in a configuration
/// and of version identifiers, and the name of a fetched property's request.
enum CompiledModelWriter {
    /// The archive's bytes, a binary property list.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic with entity and property for each thing that
    ///   cannot be compiled: a predicate, derivation or rule that is not in the language, a name that leads nowhere, an
    ///   index over an expression, a default of a Transformable.
    static func bytes(of model: ManagedObjectModel, form: CompiledModelForm = .mom) throws(GranaryError) -> [UInt8] {
        var builder = CompiledModelBuilder(model, form: form)
        return try builder.build()
    }
}

/// The two places that Core Data keeps a compiled model in. Both are the same archive but for a few containers.
enum CompiledModelForm: Sendable, Hashable {
    /// A `.mom` file: entities in a plain dictionary, each with its own properties only.
    case mom
    /// The blob of a store's `Z_MODELCACHE`: entities in an `NSKnownKeysDictionary1`; each entity has a copy of what it
    /// inherits, as frameworks of at least 1000 write it.
    case modelCache
}
