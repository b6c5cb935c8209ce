package import GranaryBase
package import GranaryModel

/// Writes the Swift source of an `NSStagedMigrationManager` for the versions of a model, up to the current one.
package struct StagedMigrationGenerator {
    let modelName: String
    let chain: ModelVersionChain
    /// The index of the version that the migration ends with.
    let last: Int
    let stages: [StagedMigrationPlan.Stage]
    /// The names of the versions in Swift.
    let cases: [String]
    let access: GeneratedAccess
    /// What the user has to know about the migration, a sentence each.
    package let notes: [String]

    /// - Parameter modelName: the name of the model's file without its extension.
    /// - Throws: ``GranaryError`` with code `refused` if there is one version only, a version has problems, or two have
    ///   equal checksums.
    package init(
        _ chain: ModelVersionChain, modelName: String, access: GeneratedAccess = .internal
    ) throws(GranaryError) {
        let names = chain.versions.map(\.name)
        let last = chain.versions.firstIndex(where: \.isCurrent) ?? chain.versions.count - 1
        guard last > 0 else {
            throw GranaryError(
                .refused, "\(modelName): the current version has no earlier version, so there is nothing to migrate")
        }
        try Self.check(chain, through: last)
        let stages = StagedMigrationPlan(chain, through: last).stages
        var space = SwiftNameSpace(taken: [
            "AllCases", "RawValue", "allCases", "hash", "hashValue", "rawValue", "reference",
        ])
        var cases: [String] = []
        for name in names.prefix(last + 1) {
            cases.append(space.take(SwiftIdentifier.valid(name), unless: SwiftIdentifier.impossible.contains))
        }
        self.modelName = modelName
        self.chain = chain
        self.last = last
        self.stages = stages
        self.cases = cases
        self.access = access
        notes =
            stages.compactMap { Self.note(on: $0, chain) }
            + names.dropFirst(last + 1).map {
                "\($0): after the current version, \(names[last]), and not in the migration"
            }
    }

    package func file() -> GeneratedFile {
        GeneratedFile(name: "\(modelName)+Migration.swift", text: text, isHuman: false)
    }

    private static func check(_ chain: ModelVersionChain, through last: Int) throws(GranaryError) {
        for version in chain.versions.prefix(last + 1) where version.checksum == nil {
            do throws(GranaryError) {
                _ = try version.model.resolved()
            } catch {
                throw GranaryError(error.code, "\(version.name): \(error.message)", diagnostics: error.diagnostics)
            }
        }
        let equal = chain.equalChecksums.map { group in group.filter { $0 <= last } }.filter { $0.count > 1 }
        guard !equal.isEmpty else { return }
        let groups = equal.map { group in group.map { chain.versions[$0].name }.joined(separator: " and ") }
        throw GranaryError(
            .refused,
            "versions have equal checksums, which Core Data refuses in a staged migration: "
                + groups.joined(separator: "; ")
                + "; give an entity of one another version hash modifier, or delete one")
    }

    private static func note(on stage: StagedMigrationPlan.Stage, _ chain: ModelVersionChain) -> String? {
        guard case .custom(let from, let to) = stage, case .needsMapping = chain.step(from: from, to: to) else {
            return nil
        }
        let reasons = chain.reasons(from: from, to: to)
        let more = reasons.count > 1 ? ", and \(reasons.count - 1) more" : ""
        return "\(chain.versions[from].name) to \(chain.versions[to].name): Core Data infers no mapping "
            + "(\(reasons.first ?? "")\(more)); add versions between them, so that it infers each step"
    }
}
