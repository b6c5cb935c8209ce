public import Foundation
public import GranaryBase
public import GranaryModel

/// Models among the resources of an app or a package.
extension ManagedObjectModel {
    /// Reads the model with a name from the resources: `NAME.momd`, `NAME.mom`, or an `.xcdatamodeld` that was not
    /// compiled.
    ///
    /// - Parameter bundle: the bundle with the model; nil for the main bundle and the resources that SwiftPM places beside
    ///   the program, which the plugin GranaryModelPlugin fills.
    /// - Throws: ``GranaryError`` with code `unreadable` if there is no such model, otherwise as ``init(contentsOf:)``.
    public init(named name: String, in bundle: Bundle? = nil) throws(GranaryError) {
        let models = BundledModels(bundle.map { [$0] })
        guard let path = models.paths.first(where: { BundledModels.name(of: $0) == name }) else {
            let names = models.paths.map(BundledModels.name)
            let hint = NearestText.hint(for: name, in: names)
            throw GranaryError(
                .unreadable, "there is no model \"\(Diagnostic.shortened(name))\" in \(models.described)\(hint)")
        }
        try self.init(contentsOf: URL(filePath: path))
    }

    /// Merges all models in the resources of bundles. (`NSManagedObjectModel.mergedModel(from:)`)
    ///
    /// - Parameter bundles: the bundles to search; nil for the main bundle and the resources that SwiftPM places beside
    ///   the program.
    /// - Throws: ``GranaryError``: `unreadable` if there are no models, `refused` if two define something differently,
    ///   otherwise as ``init(contentsOf:)``.
    public static func merged(from bundles: [Bundle]? = nil) throws(GranaryError) -> ManagedObjectModel {
        let models = BundledModels(bundles)
        var parts: [ManagedObjectModel] = []
        for path in models.paths { parts.append(try ManagedObjectModel(contentsOf: URL(filePath: path))) }
        guard !parts.isEmpty else { throw GranaryError(.unreadable, "there is no model in \(models.described)") }
        return try ManagedObjectModel(merging: parts)
    }
}

/// The model files among the resources of bundles.
struct BundledModels {
    /// The paths of the models. If a folder has a model in several forms, only the first of them.
    let paths: [String]
    private let folders: [String]

    /// From the compiled form to the source.
    private static let endings = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// - Parameter bundles: nil for the main bundle and the resources beside the program.
    init(_ bundles: [Bundle]?) {
        let found = bundles.map { $0.flatMap(Self.folders) } ?? Self.programFolders
        var seen: Set<String> = []
        folders = found.filter { seen.insert(URL(filePath: $0).resolvingSymlinksInPath().path).inserted }
        paths = folders.flatMap(Self.models)
    }

    static func name(of path: String) -> String { URL(filePath: path).deletingPathExtension().lastPathComponent }

    /// The searched folders, for messages.
    var described: String {
        let shown = folders.prefix(4).joined(separator: ", ")
        return folders.isEmpty ? "the bundles" : folders.count > 4 ? "\(shown), …" : shown
    }

    // MARK: - Folders

    private static func folders(_ bundle: Bundle) -> [String] {
        [bundle.resourcePath, bundle.bundlePath].compactMap { $0 }
    }

    private static var programFolders: [String] {
        var result: [String] = []
        #if canImport(Darwin)
            // The main bundle of a test is the test runner's.
            let bundles = [Bundle.main] + Bundle.allBundles
        #else
            let bundles = [Bundle.main]
        #endif
        for bundle in bundles {
            let own = folders(bundle)
            let parent =
                bundle.bundlePath.hasSuffix(".xctest")
                ? [URL(filePath: bundle.bundlePath).deletingLastPathComponent().path] : []
            result += own
            result += (own + parent).flatMap(resourceBundles)
        }
        return result
    }

    /// The resource bundles that SwiftPM makes: `Package_Target.resources`, on macOS `.bundle`.
    private static func resourceBundles(in folder: String) -> [String] {
        names(in: folder).filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
            .flatMap { ["\(folder)/\($0)", "\(folder)/\($0)/Contents/Resources"] }
    }

    private static func models(in folder: String) -> [String] {
        var byName: [String: String] = [:]
        for file in names(in: folder) {
            let url = URL(filePath: file)
            guard let rank = endings.firstIndex(of: url.pathExtension) else { continue }
            let name = url.deletingPathExtension().lastPathComponent
            if let other = byName[name].flatMap({ endings.firstIndex(of: URL(filePath: $0).pathExtension) }),
                other < rank
            {
                continue
            }
            byName[name] = file
        }
        return byName.values.sorted().map { "\(folder)/\($0)" }
    }

    /// The names in a folder; none if it cannot be read.
    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
