import GranaryContexts
import GranaryCoordination
import GranaryModel

/// One copy of a migration: to the next version, or to the same version so that code can change the objects before the
/// next one.
struct MigrationHop {
    /// The model before the hop.
    let old: Schema
    /// The model after it.
    let new: Schema
    /// The name of the version after it.
    let name: String
    /// What the options mean for it.
    let rules: MigrationRules
    /// What computes values; nil if everything is inferred.
    let step: MigrationStep?
    /// Called when the objects are written.
    let finish: (@Sendable (ManagedObjectContext) throws -> Void)?

    /// The hops of a migration over versions.
    ///
    /// - Parameters:
    ///   - target: the versions, with their names.
    ///   - steps: what is not inferred.
    ///   - rules: the rules of each step.
    static func all(
        _ target: MigrationTarget, _ steps: [MigrationStep], _ rules: [MigrationRules],
        _ options: StoreMigrationOptions
    ) -> [MigrationHop] {
        var hops: [MigrationHop] = []
        var old = target.model.schema
        for (place, new) in target.steps.enumerated() {
            let isFirst = place == 0 && target.firstStep != nil
            let step =
                isFirst
                ? target.firstStep
                : steps.first { $0.from == target.names[place] && $0.to == target.names[place + 1] }
            if let before = step?.willMigrate {
                hops.append(
                    MigrationHop(
                        old: old, new: old, name: target.names[place], rules: MigrationRules(accepting: options),
                        step: nil, finish: before))
            }
            hops.append(
                MigrationHop(
                    old: old, new: new, name: target.names[place + 1], rules: rules[place], step: step,
                    finish: step?.didMigrate))
            old = new
        }
        return hops
    }

    /// The rules with the policies of the step.
    func completeRules() throws -> MigrationRules {
        var rules = rules
        if let step { try rules.add(step, from: old, to: new) }
        return rules
    }

    /// - Parameter options: for progress.
    func hooks(_ options: StoreMigrationOptions) -> MigrationHooks {
        var hooks = MigrationHooks()
        hooks.progress = options.progress
        if let finish {
            hooks.finish = { store in
                let context = try PersistentContainer(store: store).makeContext()
                try finish(context)
                if context.hasChanges { try context.save() }
            }
        }
        return hooks
    }
}
