public import Foundation
public import GranaryBase
import GranaryImport
import GranaryRecords
import GranaryYAML

/// A seed plan: a YAML file that lists imports into one or several stores, objects of other stores to add, and objects to
/// generate (docs/seed-plans.md).
///
/// ```swift
/// let plan = try SeedPlan(contentsOf: URL(filePath: "seed.yaml"), variables: ["DATA": "2026-03"])
/// let reports = try await plan.run()
/// ```
public struct SeedPlan: Sendable {
    /// The maximum number of stores. Their transactions are nested.
    public static let maximumStores = 32
    /// The path of the plan, as it was passed.
    public let file: String
    /// The paths of the stores. The plan's folder is prepended to relative paths.
    public var storePaths: [String] { stores.map(\.target.store) }

    /// A store of the plan.
    struct Store: Sendable {
        /// The store and its options, without jobs.
        var target: StoreImport
        var models: [PlanPath]
        var like: PlanPath?
        var imports: [Import]
        var subsets: [Subset] = []
        /// The paths of the store and of its rejects file.
        var outputs: [PlanPath] = []
    }

    /// An import of the plan.
    struct Import: Sendable {
        enum Input: Sendable {
            /// Paths and patterns; `-` is standard input.
            case files([PlanPath])
            case terms(String, at: SourcePosition)
            /// Rows in the plan itself, as JSON with the same line numbers.
            case rows([UInt8])
        }

        var entity: String?
        var input: Input
        var source: SourceOptions
        var options: ImportOptions
        var position: SourcePosition
    }

    /// The settings of the whole run, which options of the command line override.
    package struct Settings: Sendable {
        /// Relative to the plan's folder; `-` is standard output.
        package var report: String?
        /// The path of the report as a page of HTML; `-` is standard output. It is relative to the plan's folder.
        package var page: String?
        package var reportsAll = false
        package var force = false
        package var isDryRun = false
        /// `text`, `json`, `sarif` or `csv`.
        package var diagnostics: String?
        package var maxDiagnostics: Int?
        package var isQuiet = false
        /// `auto`, `always` or `never`.
        package var progress: String?
    }

    let stores: [Store]
    package let settings: Settings

    /// Reads a plan.
    ///
    /// - Parameter variables: values that override the plan's own `variables`.
    /// - Throws: ``GranaryError``: `unreadable` if the file is missing, `refused` with all mistakes and their
    ///   positions, `usage` for a variable that the plan does not use.
    public init(contentsOf url: URL, variables: [String: String] = [:]) throws(GranaryError) {
        try self.init(path: url.path(percentEncoded: false), variables: variables)
    }

    /// Reads the plan at a path, which messages repeat unchanged.
    package init(path: String, variables: [String: String] = [:]) throws(GranaryError) {
        let bytes = try ByteSource(path: path).readAll(limit: PlacedText.maximumBytes)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        try self.init(
            bytes: bytes, file: path, folder: folder, variables: variables,
            environment: ProcessInfo.processInfo.environment)
    }

    /// Reads a plan from bytes.
    ///
    /// - Parameters:
    ///   - file: the name of the plan in diagnostics.
    ///   - folder: the prefix of relative paths: empty, or a folder with a slash.
    init(
        bytes: [UInt8], file: String, folder: String, variables: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws(GranaryError) {
        let tree = try PlacedTree.read(try PlacedText(bytes, file: file, kind: .plan))
        let reader = PlanReader(
            tree, folder: folder, variables: PlanVariables(overrides: variables, environment: environment))
        let stores = reader.readStores()
        try reader.problems.throwIfAny()
        if let name = reader.variables.unusedOverrides().first {
            throw GranaryError(.usage, "\(file) has no variable \"\(name)\"")
        }
        self.file = file
        self.stores = stores
        settings = reader.settings
    }
}
