import GranaryBase
import GranaryModel

/// Writes a model as Core Data's compiler does: an `NSKeyedArchiver` archive of an `NSManagedObjectModel`.
///
/// The format is that of the newest files examined, the `.mom`s of Xcode 16.1 and the model caches of frameworks 1044
/// to 1344. Older files differ:
/// - before Xcode 15: no `CDMCompilerToolVersion` and `CDMCompilerXcodeVersion` (no cache has them);
/// - framework 637: `NSCompoundIndexes` in an `NSArray`, no `NSFetchIndexDescriptions`; caches store inherited
///   properties as `_NSPropertyDescriptionProxy`, and nil for no subentities; some names are `NSMutableString`s;
/// - the oldest: no `NSFlagsKey`.
///
/// The same model gives the same bytes: entities and properties are in the order of their names, fields in the order of
/// this code. Core Data's order is that of a hash table and has no meaning.
///
/// Notes are written if the reader made them from data that Granary does not use: unknown bits of flag words, and parts
/// of fetch requests and predicates.
///
/// A compiled model cannot represent the following, which is omitted: other notes, `isSyncable`, `codeGenerationType`,
/// `usesScalarValueType`, the names of composites and composites that no attribute uses,
/// `FetchedPropertyDescription.isOptional` (it is always true), the order of properties, of entities in a configuration
/// and of version identifiers, and the name of a fetched property's request.
enum CompiledModelWriter {
    /// The archive's bytes, a binary property list.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic with entity and property for everything that
    ///   cannot be compiled: a predicate, derivation, rule or expression that is not in the predicate language, a name
    ///   that does not exist, a default of a Transformable.
    static func bytes(of model: ManagedObjectModel, form: CompiledModelForm = .mom) throws(GranaryError) -> [UInt8] {
        var builder = CompiledModelBuilder(model, form: form)
        return try builder.build()
    }
}
