import GranaryModel
import GranaryPredicates

/// The names of kinds in a model as text.
enum ModelTextNames {
    static let types: [(name: String, type: AttributeType)] = [
        ("string", .string), ("integer16", .integer16), ("integer32", .integer32), ("integer64", .integer64),
        ("decimal", .decimal), ("double", .double), ("float", .float), ("boolean", .boolean), ("date", .date),
        ("binary", .binary), ("uuid", .uuid), ("uri", .uri), ("transformable", .transformable),
        ("composite", .composite), ("undefined", .undefined), ("objectID", .objectID),
    ]

    /// Names of types in other languages, for hints only.
    static let otherTypes = [
        "text": "string", "varchar": "string", "char": "string", "int": "integer64", "integer": "integer64",
        "int16": "integer16", "int32": "integer32", "int64": "integer64", "long": "integer64", "number": "double",
        "real": "double", "numeric": "decimal", "bool": "boolean", "data": "binary", "blob": "binary",
        "bytes": "binary", "url": "uri", "datetime": "date", "timestamp": "date", "guid": "uuid",
        "json": "transformable",
    ]

    static let deleteRules: [(name: String, rule: RelationshipDescription.DeleteRule)] = [
        ("nullify", .nullify), ("cascade", .cascade), ("deny", .deny), ("no-action", .noAction),
    ]

    static let comparisons: [(name: String, comparison: ObjectSortDescriptor.Comparison)] = [
        ("standard", .standard), ("case-insensitive", .caseInsensitive), ("localized", .localized),
        ("localized-case-insensitive", .localizedCaseInsensitive), ("localized-standard", .localizedStandard),
    ]

    static let results: [(name: String, type: FetchRequestTemplate.ResultType)] = [
        ("objects", .managedObjects), ("ids", .managedObjectIDs), ("dictionaries", .dictionaries), ("count", .count),
    ]

    /// What ``ModelTextKey/syncable`` lists.
    enum Syncable: String, CaseIterable {
        case entities, attributes, relationships
        case fetchedProperties = "fetched-properties"
    }

    static func name(of type: AttributeType) -> String { types.first { $0.type == type }?.name ?? "undefined" }

    /// The name of the request of a fetched property in files of Xcode.
    static let fetchedPropertyRequest = "fetchedPropertyFetchRequest"
}
