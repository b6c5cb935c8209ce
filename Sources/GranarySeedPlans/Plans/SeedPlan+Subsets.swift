import GranaryBase
import GranarySubset
import GranaryYAML

extension SeedPlan {
    /// A subset of the plan.
    struct Subset: Sendable {
        /// The subset without the content of the files below.
        var target: StoreSubset
        var models: [PlanPath]
        /// The store's file; nil for a store in a database.
        var source: PlanPath?
        /// The file with the decisions.
        var rules: PlanPath?
        var keyFile: PlanPath?
    }

    /// Reads the decisions and the keys of subsets.
    struct SubsetFiles {
        /// The keys that are read already. A pipe can be read only once.
        private var keys: [String: KeyedHash] = [:]

        /// - Parameters:
        ///   - check: reports a file that does not exist.
        ///   - add: reports another problem of a file.
        mutating func read(
            _ subset: Subset, _ problems: TreeProblems, check: (PlanPath) -> Bool,
            add: (String, PlanPath, _ isMissing: Bool) -> Void
        ) -> StoreSubset {
            var target = subset.target
            for path in subset.models + [subset.source].compactMap(\.self) { _ = check(path) }
            if let rules = subset.rules, check(rules) {
                do throws(GranaryError) { target.options.rules = try AnonymisationRules(path: rules.path) } catch {
                    for found in error.diagnostics {
                        problems.add(found.code, found.message, at: found.position ?? rules.position)
                    }
                    if error.diagnostics.isEmpty { add(error.message, rules, error.code == .unreadable) }
                }
            }
            if let file = subset.keyFile, check(file) {
                do throws(GranaryError) {
                    if keys[file.path] == nil { keys[file.path] = try KeyedHash(path: file.path) }
                    target.options.hashKey = keys[file.path]
                } catch { add(error.message, file, error.code == .unreadable) }
            }
            target.files = [subset.rules, subset.keyFile].compactMap { $0?.path }
            return target
        }
    }
}
