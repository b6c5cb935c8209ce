import GranaryBase
import GranaryPropertyLists
import GranarySwiftData

/// One version of a versioned model in an `.xcdatamodeld` or a `.momd` folder.
public struct ModelVersion: Sendable, Hashable {
    /// The name without `.xcdatamodel` or `.mom`; of a `VersionedSchema` with the types around it.
    public var name: String
    /// The path of the version's file or folder.
    public var path: String
    /// Whether `.xccurrentversion` or `VersionInfo.plist` names the version, or it is the only one if neither does.
    public var isCurrent: Bool
    /// Whether it is a compiled file, not a source folder.
    public var isCompiled: Bool
    /// Whether it is a `VersionedSchema` of Swift sources. ``path`` is then that of the sources, `#` and the name.
    var isSwift = false

    static let suffix = ".xcdatamodel"
    static let compiledSuffix = ".mom"
    static let currentVersionFile = ".xccurrentversion"
    static let currentVersionKey = "_XCCurrentVersionName"

    /// The versions in a folder, sorted by name; the current one marked.
    ///
    /// If `.xccurrentversion` is absent or empty (5 of 116 public models), or `VersionInfo.plist` has no name, a single
    /// version is the current one. With several versions there is no current one.
    static func all(in folder: String, names: [String]) throws(GranaryError) -> [ModelVersion] {
        let isCompiled = !names.contains { isVersion($0, suffix) }
        let end = isCompiled ? compiledSuffix : suffix
        var versions = names.filter { isVersion($0, end) }.map { name in
            ModelVersion(
                name: String(name.dropLast(end.count)), path: "\(folder)/\(name)", isCurrent: false,
                isCompiled: isCompiled)
        }
        guard !versions.isEmpty else { return [] }
        versions.sort { $0.name < $1.name }
        let current =
            isCompiled
            ? try VersionInfo.read(in: folder)?.currentName : try currentName(in: folder, names: names)
        guard let current else {
            if versions.count == 1 { versions[0].isCurrent = true }
            return versions
        }
        guard let index = versions.firstIndex(where: { (isCompiled ? $0.name : $0.fileName) == current }) else {
            throw GranaryError(
                Diagnostic(
                    .modelReference,
                    "\(folder)/\(isCompiled ? VersionInfo.file : currentVersionFile): the current version is "
                        + "\"\(Diagnostic.shortened(current))\", but the folder holds \(list(versions))"))
        }
        versions[index].isCurrent = true
        return versions
    }

    private static func isVersion(_ name: String, _ suffix: String) -> Bool {
        name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count
    }

    /// The files or folders, for messages.
    static func list(_ versions: [ModelVersion]) -> String {
        versions.isEmpty ? "no version" : versions.map(\.fileName).joined(separator: ", ")
    }

    var fileName: String { isSwift ? name : name + (isCompiled ? Self.compiledSuffix : Self.suffix) }

    /// The versioned schemas of Swift sources, in the order of the migration plan, or else of their names. The last one
    /// of a plan is the current one.
    static func schemas(in argument: String) throws(GranaryError) -> [ModelVersion] {
        let source = SwiftSourcePath(argument)
        let path = source.path
        let sources = try SwiftDataSources(paths: [path])
        let schemas = sources.schemas(SwiftDataOptions.current).filter {
            source.schema == nil || $0.name == source.schema || $0.name.hasSuffix(".\(source.schema ?? "")")
        }
        let plans = sources.plans(SwiftDataOptions.current)
        let planned = plans.count == 1 ? plans[0].schemas : []
        let current = planned.last ?? (schemas.count == 1 ? schemas[0].name : nil)
        return schemas.map(\.name).sorted().map { name in
            ModelVersion(
                name: name, path: "\(path)#\(name)", isCurrent: name == current, isCompiled: false, isSwift: true)
        }
    }

    /// The current version; nil for a folder that is not a versioned model.
    static func current(in folder: String, names: [String]) throws(GranaryError) -> ModelVersion? {
        let versions = try all(in: folder, names: names)
        if versions.isEmpty, folder.hasSuffix(".xcdatamodeld") {
            throw GranaryError(Diagnostic(.modelReference, "\(folder): holds no version (a folder .xcdatamodel)"))
        }
        if let current = versions.first(where: \.isCurrent) { return current }
        guard versions.isEmpty else {
            throw GranaryError(
                Diagnostic(
                    .modelReference,
                    "\(folder): has several versions and no current one; name one of \(list(versions)), such as "
                        + versions[0].path))
        }
        return nil
    }

    private static func currentName(in folder: String, names: [String]) throws(GranaryError) -> String? {
        guard names.contains(currentVersionFile) else { return nil }
        let path = "\(folder)/\(currentVersionFile)"
        guard FileKind(path) == .file else { throw GranaryError(.unreadable, "\(path): is not a file") }
        let list = try PropertyList.read(try ByteSource(path: path).readAll(limit: 1 << 20), source: path)
        return try VersionInfo.text(currentVersionKey, in: list, path)
    }
}
