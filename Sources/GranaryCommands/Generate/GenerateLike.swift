import Foundation
import GranaryBase
import GranaryCoordination
import GranaryGeneration
import GranaryPostgreSQL
import GranarySeedPlans

/// Fits a generation to a store.
struct GenerateLike {
    /// The store whose objects are imitated.
    let source: String
    let models: [String]
    let storeOptions: StoreOptions
    let keepsBounds: Bool

    /// What to generate. The counts and options that the user gives override those of the store.
    func request(_ given: GenerationRequest, limit: Int) throws -> GenerationRequest {
        let store = try StoreArgument.openForReading(source, models: models, storeOptions)
        try given.check(against: store.schema)
        var fit = GenerationFit()
        fit.keepsBounds = keepsBounds
        fit.cancellation = Cancellation.current
        let (request, notes) = try fit.request(like: store, given: given)
        CommandOutput.log(notes, limit: limit)
        return request
    }

    /// Writes a plan that generates such objects.
    ///
    /// - Parameter store: the store in the plan; nil for `Generated.sqlite` beside it.
    func save(_ request: GenerationRequest, to path: String, store: String?, replacing: Bool) throws {
        let output = try ByteOutput.file(path, replacing: replacing, permissions: 0o644)
        let comment = [
            "Objects like those of a store: how many there are, and how values and links are distributed.",
            "The plan has no texts of the store. Written by granary generate --like.",
        ]
        let model = models.first ?? source
        if [model, store ?? ""].contains(where: { ConnectionText.displayName(of: $0) != $0 }) {
            CommandOutput.log("granary: note: the plan does not contain the password; see docs/postgresql.md")
        }
        output.append(
            PlanText.plan(
                generating: request, comment: comment, model: Self.path(model, besides: path),
                store: store.map { Self.path($0, besides: path) } ?? "Generated.sqlite"))
        try output.finish()
        let options = request.options
        CommandOutput.log(
            "saved a plan for \(CountText.count(request.counts.values.reduce(0, +), "object")): "
                + "\(CountText.count(options.generators.count, "generator")), "
                + "\(CountText.count(options.linkCounts.count, "rule")) for links")
    }

    /// A path for a plan, whose paths are relative to its folder.
    private static func path(_ path: String, besides plan: String) -> String {
        // A plan is read by others: the password stays in libpq's password file, or in PGPASSWORD.
        if ConnectionText.isConnection(path) { return ConnectionText.displayName(of: path) }
        if path.hasPrefix("/") || !plan.contains("/") { return path }
        return URL(filePath: path).standardizedFileURL.path
    }
}
