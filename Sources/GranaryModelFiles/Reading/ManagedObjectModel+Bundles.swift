public import Foundation
public import GranaryBase
public import GranaryModel

/// Models among the resources of an app or a package.
///
/// Without a bundle three places are searched in this order, and the first with a model counts: the main bundle; the
/// resources that SwiftPM places beside the program for the target of the program's name (`Package_Program.resources`),
/// which the plugin GranaryModelPlugin fills; the resources of other targets beside the program.
extension ManagedObjectModel {
    /// Reads the model with a name from the resources: `NAME.momd`, `NAME.mom`, or an `.xcdatamodeld` that was not
    /// compiled.
    ///
    /// - Parameter bundle: the bundle with the model; nil for those of the program.
    /// - Throws: ``GranaryError`` with code `unreadable` if there is no such model, `refused` if one place has
    ///   different models of that name, otherwise as ``init(contentsOf:)``.
    public init(named name: String, in bundle: Bundle? = nil) throws(GranaryError) {
        try self.init(contentsOf: URL(filePath: try Self.path(named: name, in: bundle)))
    }

    /// The versions of the model with a name in the resources, sorted by name, the current one marked. Each can be read
    /// with ``init(contentsOf:)``.
    ///
    /// They are those of a `.momd` or `.xcdatamodeld` folder, or those that the plugin GranaryModelPlugin compiled. Any
    /// other file is one version, named after the file.
    ///
    /// - Throws: as ``init(named:in:)`` and ``versions(in:)``.
    public static func versions(
        named name: String, in bundle: Bundle? = nil
    ) throws(GranaryError) -> [ModelVersion] {
        let path = try path(named: name, in: bundle)
        if FileKind(path) == .folder, !path.hasSuffix(ModelVersion.suffix) {
            return try versions(in: URL(filePath: path))
        }
        if let versions = try FlatModelFiles.versions(of: path) { return versions }
        let isCompiled = path.hasSuffix(ModelVersion.compiledSuffix)
        return [ModelVersion(name: name, path: path, isCurrent: true, isCompiled: isCompiled)]
    }

    /// Merges all models in the resources of bundles. (`NSManagedObjectModel.mergedModel(from:)`)
    ///
    /// - Parameter bundles: the bundles to search; nil for those of the program.
    /// - Throws: ``GranaryError``: `unreadable` if there are no models, `refused` if two define something differently,
    ///   otherwise as ``init(contentsOf:)``.
    public static func merged(from bundles: [Bundle]? = nil) throws(GranaryError) -> ManagedObjectModel {
        let models = BundledModels(bundles)
        var parts: [ManagedObjectModel] = []
        for path in models.paths { parts.append(try ManagedObjectModel(contentsOf: URL(filePath: path))) }
        guard !parts.isEmpty else { throw GranaryError(.unreadable, "there is no model in \(models.described)") }
        return try ManagedObjectModel(merging: parts)
    }

    private static func path(named name: String, in bundle: Bundle?) throws(GranaryError) -> String {
        let models = BundledModels(bundle.map { [$0] })
        if let path = try models.path(named: name) { return path }
        let hint = NearestText.hint(for: name, in: models.modelNames)
        throw GranaryError(
            .unreadable, "there is no model \"\(Diagnostic.shortened(name))\" in \(models.described)\(hint)")
    }
}
