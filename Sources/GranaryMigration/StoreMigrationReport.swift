public import GranaryBase
import GranaryCoordination
import GranaryModel

/// The result of a ``StoreMigration``.
public struct StoreMigrationReport: Sendable, Codable {
    /// The objects of an entity, without those of its subentities.
    public struct Entity: Sendable, Hashable, Codable {
        /// The entity's name in the newer version; in the older version if it was removed.
        public var name: String
        /// Its name in the older version, if that is another one.
        public var oldName: String?
        /// The number of objects that the new store has, including changed ones.
        public var kept: Int
        /// The number of kept objects of which a value was converted, filled in or dropped, or a reference dropped.
        public var changed: Int
        /// The number of objects that the new store does not have.
        public var dropped: Int
        /// The number of kept objects with another primary key, because several hierarchies became one.
        public var renumbered: Int
    }

    /// Objects that do not fit the newer version, or that it cannot hold: one kind of problem of one property.
    public struct Problem: Sendable, Hashable, Codable {
        /// The rule, as in diagnostics.
        public var code: String
        /// The entity.
        public var entity: String
        /// The property; nil for whole objects.
        public var property: String?
        /// One sentence.
        public var message: String
        /// The number of objects, values or links.
        public var count: Int
        /// The first 50 objects.
        public var objects: [String]
        /// The name of the newer version of the step in which it was found.
        public var version: String
    }

    /// The path of the store.
    public var store = ""
    /// The path of the new store.
    public var output = ""
    /// The path at which the old store is kept; nil if it is not.
    public var backup: String?
    /// The names of the versions of the migration, from the old to the new one.
    public var path: [String] = []
    /// Whether nothing was written.
    public var dryRun = false
    /// Whether the store already had the version.
    public var isCurrent = false
    /// The entities with objects.
    public var entities: [Entity] = []
    /// What the options allowed to lose or to keep invalid; of a refused migration, all problems.
    public var problems: [Problem] = []
    /// Remarks on the models and on missing files.
    public var warnings: [Diagnostic] = []
    /// The duration in seconds.
    public var seconds: Double = 0
    /// The error of a refused migration. It is not part of the JSON.
    package var refusal: GranaryError?

    private enum CodingKeys: String, CodingKey {
        case store, output, backup, path, dryRun, isCurrent, entities, problems, warnings, seconds
    }
}

extension StoreMigrationReport.Problem {
    init(_ problem: MigrationProblem, isPrevented: Bool, version: String) {
        let diagnostic = problem.diagnostic(.warning, isPrevented: isPrevented)
        self.init(
            code: diagnostic.code.rawValue, entity: problem.entity, property: problem.property,
            message: diagnostic.message, count: problem.count, objects: problem.objects, version: version)
    }
}

extension StoreMigrationReport {
    /// Notes the problems of a refused migration.
    ///
    /// - Parameter versions: the name of the newer version of each step.
    mutating func refuse(_ refused: StoreCopy.Refusal, _ message: String, _ versions: [String]) {
        func version(_ step: Int) -> String { versions.indices.contains(step) ? versions[step] : "" }
        problems = refused.problems.map { Problem($0, isPrevented: true, version: version($0.step)) }
        var diagnostics = refused.problems.map { problem in
            var diagnostic = problem.refusalDiagnostic()
            if path.count > 2 { diagnostic.message += " (in the step to \"\(version(problem.step))\")" }
            return diagnostic
        }
        if let unchecked = refused.unchecked {
            let names = Set(versions[min(unchecked.from, versions.count)...])
            let list = path.filter(names.contains).map { "\"\($0)\"" }.joined(separator: ", ")
            let note = Diagnostic(
                .migrationUnchecked, "the steps to \(list) were not checked: \(unchecked.reason)", severity: .warning)
            diagnostics.append(note)
            warnings.append(note)
        }
        refusal = GranaryError(.refused, message, diagnostics: diagnostics)
    }

    /// Adds the results of all steps: the objects of the last version, and what each step dropped.
    mutating func add(_ steps: [MigratedStep], versions: [String]) {
        guard let last = steps.last else { return }
        let new = last.mapping.new
        var dropped: [Entity] = []
        var changed = [Int](repeating: 0, count: new.entities.count)
        var renumbered = changed
        for (step, version) in zip(steps, versions) {
            let tally = step.result.tally
            for entity in step.mapping.old.entities where tally.dropped[entity.index] > 0 {
                let count = tally.dropped[entity.index]
                dropped.append(
                    Entity(name: entity.name, oldName: nil, kept: 0, changed: 0, dropped: count, renumbered: 0))
            }
            // A later step can rename an entity.
            for entity in step.mapping.new.entities {
                guard let place = new.entity(named: entity.name)?.index else { continue }
                changed[place] = max(changed[place], tally.changed[entity.index])
                renumbered[place] = max(renumbered[place], tally.renumbered[entity.index])
            }
            problems += step.result.remarks.map { Problem($0, isPrevented: dryRun, version: version) }
            warnings += step.missingFiles
        }
        for entity in new.entities where last.result.tally.kept[entity.index] > 0 {
            let place = entity.index
            let own = dropped.firstIndex { $0.name == entity.name }.map { dropped.remove(at: $0).dropped } ?? 0
            let oldName = last.mapping.oldEntities[place].map { last.mapping.old.entities[$0].name }
            entities.append(
                Entity(
                    name: entity.name, oldName: oldName == entity.name ? nil : oldName,
                    kept: last.result.tally.kept[place], changed: changed[place], dropped: own,
                    renumbered: renumbered[place]))
        }
        entities += dropped
    }
}
