public import Foundation
public import GranaryBase

/// A seed plan: which files go into which stores, and how, as a YAML file says it (docs/seed-plans.md).
///
/// ```swift
/// let plan = try SeedPlan(contentsOf: URL(filePath: "seed.yaml"), variables: ["DATA": "2026-03"])
/// let reports = try await plan.run()
/// ```
public struct SeedPlan: Sendable {
    /// The most stores of one plan: their transactions lie in each other.
    public static let maximumStores = 32
    /// The plan's path, as it was given.
    public let file: String
    /// The paths of the stores, relative ones with the plan's folder before them.
    public var storePaths: [String] { stores.map(\.path) }

    /// What the plan says of one store.
    struct Store: Sendable {
        var path: String
        var models: [PlanPath]
        var imports: [Import]
        var run = ImportRunOptions()
        var ships = false
        var identifier: UUID?
        var like: PlanPath?
        var busyTimeout: Double?
        /// Where it stands.
        var position: SourcePosition
    }

    /// What the plan says of one import.
    struct Import: Sendable {
        enum Input: Sendable {
            /// Paths and patterns; `-` is standard input.
            case files([PlanPath])
            case terms(String, at: SourcePosition)
            /// Rows of the plan itself as JSON, on the lines that they have in the plan.
            case rows([UInt8])
        }

        var entity: String?
        var input: Input
        var source: SourceOptions
        var options: ImportOptions
        var position: SourcePosition
    }

    /// The plan's settings for the whole run; options of the command line override them.
    package struct Settings: Sendable {
        /// Relative to the plan's folder; `-` is standard output.
        package var report: String?
        package var reportsAll = false
        package var force = false
        package var isDryRun = false
        /// `text`, `json` or `sarif`.
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
    /// - Parameter variables: values that go before those of the plan's own `variables`.
    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` with every mistake and its place, `usage` for a
    ///   variable that the plan does not know.
    public init(contentsOf url: URL, variables: [String: String] = [:]) throws(GranaryError) {
        try self.init(path: url.path(percentEncoded: false), variables: variables)
    }

    /// Reads the plan at a path, which messages repeat as it is.
    package init(path: String, variables: [String: String] = [:]) throws(GranaryError) {
        let bytes = try ByteSource(path: path).readAll(limit: PlanText.maximumBytes)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        try self.init(
            bytes: bytes, file: path, folder: folder, variables: variables,
            environment: ProcessInfo.processInfo.environment)
    }

    /// A plan that is at hand.
    ///
    /// - Parameters:
    ///   - file: the name that its mistakes are shown under.
    ///   - folder: what stands before relative paths: empty, or ending with a slash.
    init(
        bytes: [UInt8], file: String, folder: String, variables: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws(GranaryError) {
        let tree = try PlanTree.read(try PlanText(bytes, file: file))
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

/// A path of a plan, and where it stands there.
struct PlanPath: Sendable {
    /// With the plan's folder before it.
    let path: String
    /// For names with `*`, `?` or `[`: the path as a pattern, in which the folder means only itself.
    var pattern: String?
    let position: SourcePosition
    let label: String
}
