extension ManagedObjectModel {
    /// Whether SwiftData made the model: it has version identifiers, all of them are three numbers with points between
    /// them, and it has nothing that SwiftData has no declaration for.
    ///
    /// SwiftData writes the version of its schema, `1.0.0` if the app declares none. All of 31 public stores of
    /// SwiftData apps have such an identifier. Models of Core Data have the empty text, or a name that somebody typed
    /// in Xcode; in the models of Wire it is three numbers too (`2.96.0`), but they have entity hierarchies and ordered
    /// relationships. For a Core Data model that looks like one of SwiftData, Binary values that are JSON text are shown
    /// as JSON, and new stores have the empty tables of the history.
    package var isSwiftData: Bool {
        !versionIdentifiers.isEmpty && versionIdentifiers.allSatisfy(Self.isSchemaVersion)
            && fetchRequestTemplates.isEmpty && entities.allSatisfy(Self.isDeclarable)
    }

    /// Whether a class with `@Model` can be the entity. No known schema of SwiftData has inheritance.
    private static func isDeclarable(_ entity: EntityDescription) -> Bool {
        entity.superentityName == nil && !entity.isAbstract && entity.fetchedProperties.isEmpty
            && entity.compoundIndexes.isEmpty && !entity.relationships.contains(where: \.isOrdered)
            && !entity.attributes.contains { $0.derivationExpression != nil }
    }

    private static func isSchemaVersion(_ identifier: String) -> Bool {
        let parts = identifier.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }
}
