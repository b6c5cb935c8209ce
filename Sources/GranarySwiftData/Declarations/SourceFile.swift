/// One source file.
package struct SourceFile: Codable, Sendable {
    /// The path as given.
    package var path: String
    /// Places where the file is not Swift, in the order of the file; at most 20.
    package var problems: [SourceProblem] = []
    /// The declarations at the top level, in the order of the file.
    package var declarations: [SourceDeclaration] = []

    package init(path: String) { self.path = path }
}
