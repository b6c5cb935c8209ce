extension ManagedObjectModel {
    /// Whether SwiftData made the model: it has version identifiers, and all of them are three numbers with points
    /// between them.
    ///
    /// SwiftData writes the version of its schema, `1.0.0` if the app declares none. All of 31 public stores of
    /// SwiftData apps have such an identifier. Models of Core Data have the empty text, or a name that somebody typed
    /// in Xcode. If that name is three numbers too, Binary values that are JSON text are shown as JSON; nothing else
    /// changes.
    package var isSwiftData: Bool {
        !versionIdentifiers.isEmpty && versionIdentifiers.allSatisfy(Self.isSchemaVersion)
    }

    private static func isSchemaVersion(_ identifier: String) -> Bool {
        let parts = identifier.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }
}
