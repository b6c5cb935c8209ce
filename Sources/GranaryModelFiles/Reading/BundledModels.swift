import Foundation
import GranaryBase
import GranaryModel

/// The model files among the resources of bundles.
struct BundledModels {
    /// The folders to search, in groups. A model in one group hides those of its name in later groups.
    private let groups: [[String]]

    /// From the compiled form to the source.
    private static let endings = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// - Parameter bundles: nil for the main bundle and the resources beside the program.
    init(_ bundles: [Bundle]?) {
        self.init(groups: bundles.map { [$0.flatMap(Self.folders)] } ?? Self.programGroups)
    }

    init(groups: [[String]]) {
        var seen: Set<String> = []
        self.groups = groups.map { folders in
            folders.filter { seen.insert(URL(filePath: $0).resolvingSymlinksInPath().path).inserted }
        }
    }

    static func name(of path: String) -> String { URL(filePath: path).deletingPathExtension().lastPathComponent }

    /// The names of all models, for messages.
    var modelNames: [String] { groups.joined().flatMap(Self.models).map(Self.name) }

    /// The searched folders, for messages.
    var described: String {
        let folders = Array(groups.joined())
        let shown = folders.prefix(4).joined(separator: ", ")
        return folders.isEmpty ? "the bundles" : folders.count > 4 ? "\(shown), …" : shown
    }

    // MARK: - Models

    /// The paths of the models in the first group that has any. If a folder has a model in several forms, only the
    /// first of them is returned.
    var paths: [String] { groups.lazy.map { $0.flatMap(Self.models) }.first { !$0.isEmpty } ?? [] }

    /// The path of the model with a name, in the first group that has one; nil without such a model.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the group has different models of that name; an error from
    ///   reading one of several.
    func path(named name: String) throws(GranaryError) -> String? {
        for folders in groups {
            let found = folders.flatMap(Self.models).filter { Self.name(of: $0) == name }
            guard let first = found.first else { continue }
            if found.count > 1 { try Self.checkEqual(found, name) }
            return first
        }
        return nil
    }

    /// Checks that models of one name are the same model, such as copies of one resource.
    private static func checkEqual(_ paths: [String], _ name: String) throws(GranaryError) {
        var first: ManagedObjectModel?
        for path in paths {
            let model = try ManagedObjectModel(contentsOf: URL(filePath: path))
            guard let known = first else {
                first = model
                continue
            }
            if model == known { continue }
            // A source has data of the editor that its compiled form lacks.
            if let left = try? known.asCompiled(), let right = try? model.asCompiled(), left == right { continue }
            throw GranaryError(
                .refused,
                "there are different models \"\(Diagnostic.shortened(name))\"; name the bundle of one of them: "
                    + paths.joined(separator: ", "))
        }
    }

    // MARK: - Folders

    private static func folders(_ bundle: Bundle) -> [String] {
        [bundle.resourcePath, bundle.bundlePath].compactMap { $0 }
    }

    private static var programGroups: [[String]] {
        var own: [String] = []
        var resources: [String] = []
        #if canImport(Darwin)
            // The main bundle of a test is the test runner's.
            let bundles = [Bundle.main] + Bundle.allBundles
        #else
            let bundles = [Bundle.main]
        #endif
        for bundle in bundles {
            let folders = folders(bundle)
            let parent =
                bundle.bundlePath.hasSuffix(".xctest")
                ? [URL(filePath: bundle.bundlePath).deletingLastPathComponent().path] : []
            own += folders
            resources += folders + parent
        }
        let program = Bundle.main.executableURL?.lastPathComponent
        return Self.groups(own: own, resources: resources, program: program)
    }

    /// The folders of a program: its bundle, then the resources of the target that the program is named after, then
    /// those of other targets, which may belong to other programs in the same folder.
    ///
    /// - Parameters:
    ///   - resources: the folders with resource bundles.
    ///   - program: the program's name.
    static func groups(own: [String], resources: [String], program: String?) -> [[String]] {
        var ofProgram: [String] = []
        var others: [String] = []
        for folder in resources {
            // SwiftPM names a bundle `Package_Target.resources`, on macOS `.bundle`.
            for name in names(in: folder) where name.hasSuffix(".resources") || name.hasSuffix(".bundle") {
                let places = ["\(folder)/\(name)", "\(folder)/\(name)/Contents/Resources"]
                if let program, Self.name(of: name).hasSuffix("_\(program)") {
                    ofProgram += places
                } else {
                    others += places
                }
            }
        }
        return [own, ofProgram, others]
    }

    private static func models(in folder: String) -> [String] {
        var byName: [String: (file: String, rank: Int)] = [:]
        for file in names(in: folder) {
            guard let rank = endings.firstIndex(of: URL(filePath: file).pathExtension) else { continue }
            let name = name(of: file)
            if let other = byName[name], other.rank < rank { continue }
            byName[name] = (file, rank)
        }
        return byName.values.map { $0.file }.sorted().map { "\(folder)/\($0)" }
    }

    /// The names in a folder; none if it cannot be read.
    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
