import GranaryYAML

/// The keys of an entity.
enum ModelEntityKey: String, TreeKey {
    case attributes, relationships, unique, indexes, syncable, notes
    case className = "class"
    case isAbstract = "abstract"
    case superentity = "parent"
    case fetchedProperties = "fetched-properties"
    case compoundIndexes = "compound-indexes"
    case codeGeneration = "code-generation"
    case renamedFrom = "renamed-from"
    case hashModifier = "hash-modifier"
    case userInfo = "user-info"
}
