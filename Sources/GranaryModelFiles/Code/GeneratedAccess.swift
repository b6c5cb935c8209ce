import GranaryModel

/// The access level of generated declarations.
package enum GeneratedAccess: String, Sendable, CaseIterable {
    case `internal`
    case `package`
    case `public`

    /// The access level before a declaration, with a space after it; empty for `internal`.
    var prefix: String { self == .internal ? "" : rawValue + " " }

    /// Returns the lines that import a module. If imports are internal by default, a module whose types are in public
    /// declarations needs `public import`. If they are not, imports of one module with and without an access level
    /// cannot be mixed.
    ///
    /// - Parameter isExposed: whether declarations that are not internal name types of the module.
    func importing(_ module: String, isExposed: Bool = true) -> [String] {
        guard isExposed, self != .internal else { return ["import \(module)"] }
        return [
            "#if hasFeature(InternalImportsByDefault)", "\(rawValue) import \(module)", "#else", "import \(module)",
            "#endif",
        ]
    }
}
