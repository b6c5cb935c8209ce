import Testing

@testable import granary_swiftdata

/// Reads pieces of Swift in tests.
enum Snippet {
    /// Returns what is in a file with this text.
    static func file(_ text: String) -> SourceFile { SourceFileReader().read(path: "a.swift", bytes: Array(text.utf8)) }

    /// Returns the first declaration of a file.
    static func declaration(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> SourceDeclaration {
        try #require(file(text).declarations.first, sourceLocation: location)
    }

    /// Returns the properties in the members of a struct.
    static func variables(
        _ members: String, _ location: SourceLocation = #_sourceLocation
    ) throws -> [SourceVariable] {
        try declaration("struct S {\n\(members)\n}", location).variables
    }

    /// Returns the first property in the members of a struct.
    static func variable(_ members: String, _ location: SourceLocation = #_sourceLocation) throws -> SourceVariable {
        try #require(try variables(members, location).first, sourceLocation: location)
    }
}
