import GranaryBase
import GranaryPropertyLists

/// One version of a versioned model, as an `.xcdatamodeld` or a `.momd` folder holds it.
package struct ModelVersion: Sendable, Hashable {
    /// The name without `.xcdatamodel` or `.mom`.
    package var name: String
    package var path: String
    /// Whether `.xccurrentversion` or `VersionInfo.plist` names it, or what counts where neither does.
    package var isCurrent: Bool
    /// Whether it is a compiled file and no source folder.
    package var isCompiled: Bool

    static let suffix = ".xcdatamodel"
    static let compiledSuffix = ".mom"
    static let currentVersionFile = ".xccurrentversion"
    static let currentVersionKey = "_XCCurrentVersionName"

    /// The versions in a folder, sorted by name; the current one marked.
    ///
    /// If `.xccurrentversion` is absent or empty (5 of 116 public models), a single version is the current one. With several
    /// versions there is no current one.
    static func all(in folder: String, names: [String]) throws(GranaryError) -> [ModelVersion] {
        var versions = listed(in: folder, names, suffix: suffix, isCompiled: false)
        if versions.isEmpty { return try compiled(in: folder, names: names) }
        guard let current = try currentName(in: folder, names: names) else {
            if versions.count == 1 { versions[0].isCurrent = true }
            return versions
        }
        guard let index = versions.firstIndex(where: { $0.name + suffix == current }) else {
            let there = list(versions)
            throw GranaryError(
                Diagnostic(
                    .modelReference,
                    "\(folder)/\(currentVersionFile): the current version is \"\(Diagnostic.shortened(current))\", "
                        + "but the folder holds \(there)"))
        }
        versions[index].isCurrent = true
        return versions
    }

    /// The versions in a `.momd` folder, sorted by name; none for a folder without `.mom` files.
    ///
    /// Without a current name in `VersionInfo.plist` the only version counts; of several none does.
    private static func compiled(in folder: String, names: [String]) throws(GranaryError) -> [ModelVersion] {
        var versions = listed(in: folder, names, suffix: compiledSuffix, isCompiled: true)
        guard !versions.isEmpty else { return [] }
        if let current = try VersionInfo.read(in: folder)?.currentName {
            guard let index = versions.firstIndex(where: { $0.name == current }) else {
                throw GranaryError(
                    Diagnostic(
                        .modelReference,
                        "\(folder)/\(VersionInfo.file): the current version is \"\(Diagnostic.shortened(current))\", "
                            + "but the folder holds \(list(versions))"))
            }
            versions[index].isCurrent = true
        } else if versions.count == 1 {
            versions[0].isCurrent = true
        }
        return versions
    }

    private static func listed(
        in folder: String, _ names: [String], suffix: String, isCompiled: Bool
    ) -> [ModelVersion] {
        let own = names.filter { $0.hasSuffix(suffix) && $0.utf8.count > suffix.utf8.count }
        let versions = own.map { name in
            ModelVersion(
                name: String(name.dropLast(suffix.count)), path: "\(folder)/\(name)", isCurrent: false,
                isCompiled: isCompiled)
        }
        return versions.sorted { $0.name < $1.name }
    }

    /// The files or folders, for messages.
    static func list(_ versions: [ModelVersion]) -> String {
        versions.isEmpty ? "no version" : versions.map(\.fileName).joined(separator: ", ")
    }

    var fileName: String { name + (isCompiled ? Self.compiledSuffix : Self.suffix) }

    /// The version that counts; nil for a folder that is no versioned model.
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
                    "\(folder): nothing says which of its versions is the current one; name one of \(list(versions)), such as "
                        + "\(versions[0].path)"))
        }
        return nil
    }

    private static func currentName(in folder: String, names: [String]) throws(GranaryError) -> String? {
        guard names.contains(currentVersionFile) else { return nil }
        let path = "\(folder)/\(currentVersionFile)"
        guard FileKind(path) == .file else { throw GranaryError(.unreadable, "\(path): is no file") }
        let bytes = try ByteSource(path: path).readAll(limit: 1 << 20)
        let list = try PropertyList.read(bytes, source: path)
        guard list.dictionary != nil else {
            throw GranaryError(Diagnostic(.modelSyntax, "\(path): is a property list, but no dictionary"))
        }
        guard let name = list[currentVersionKey] else { return nil }
        guard let text = name.string else {
            throw GranaryError(Diagnostic(.modelSyntax, "\(path): \(currentVersionKey) is no text"))
        }
        return text
    }
}
