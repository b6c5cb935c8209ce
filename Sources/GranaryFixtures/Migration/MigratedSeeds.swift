package import Foundation
import GranaryBase
package import GranaryMigration
import GranaryModel
import GranaryModelFiles

/// Seeds of an older version of a model, whose store is migrated to a newer version.
package struct MigratedSeeds: Sendable {
    /// The folder of versions.
    let model: URL
    let from: String
    /// Nil for the current version.
    let to: String?
    let options: StoreMigrationOptions
    let steps: [MigrationStep]
    let seeds: [Seed]
    /// Code cannot be compared, so that fixtures with steps are never shared.
    private let stepsKey: String

    package init(
        model: URL, from: String, to: String?, options: StoreMigrationOptions, steps: [MigrationStep], seeds: [Seed]
    ) {
        self.steps = steps
        stepsKey = steps.isEmpty ? "" : UUID().uuidString
        self.model = model
        self.from = from
        self.to = to
        self.options = options
        self.seeds = seeds
    }

    /// Equal for seeds that make equal stores; part of the key of a fixture.
    var key: [String] { ["migrated", model.absoluteString, from, to ?? "", "\(options)", stepsKey] + seeds.map(\.key) }

    /// Reads one of the versions.
    ///
    /// - Parameter name: nil for the current version.
    /// - Throws: ``GranaryError``: `usage` if there is no such version.
    func version(_ name: String?) throws(GranaryError) -> ManagedObjectModel {
        guard let name else { return try ManagedObjectModel(contentsOf: model) }
        let versions = try ManagedObjectModel.versions(in: model)
        guard let version = versions.first(where: { $0.name == name }) else {
            throw GranaryError(
                .usage,
                "\(model.lastPathComponent) has no version \"\(name)\"; it has "
                    + versions.map(\.name).joined(separator: ", "))
        }
        return try ManagedObjectModel(contentsOf: URL(filePath: version.path))
    }
}
