import GranaryPostgreSQL
import GranaryRecords
import GranarySubset
import GranaryYAML

extension PlanReader {
    /// Reads the objects to take from another store, with the parsers of `granary subset`.
    func readSubset(_ node: Int) -> SeedPlan.Subset? {
        let keys = mapping(node, "a subset", PlanSubsetKey.self)
        guard case .mapping = tree.content(node) else { return nil }
        var options = SubsetOptions()
        readChoice(keys, &options)
        readReplacements(keys, &options)
        read(&options.missingFiles, keys[.missingFiles], choice)
        options.explained = keys[.explain].flatMap(texts) ?? []
        checkCombinations(keys)
        if keys[.store] == nil { report("store is missing: the store to take objects from", at: node) }
        if keys[.from] == nil {
            report("from is missing: the objects to take, such as Patient WHERE age > 60", at: node)
        }
        guard let place = keys[.store], let store = text(place) else { return nil }
        var target = StoreSubset(path: storePath(store), options: options, onConflict: .error)
        target.position = tree.position(node)
        read(&target.onConflict, keys[.onConflict], choice)
        let models = (keys[.model].map(elements) ?? []).compactMap { readPath($0, "model") }
        target.models = models.map(\.path)
        var subset = SeedPlan.Subset(target: target, models: models)
        if !ConnectionText.isConnection(store) { subset.source = readPath(place, "store") }
        subset.rules = keys[.rules].flatMap { readPath($0, "rules") }
        subset.keyFile = keys[.keyFile].flatMap { readPath($0, "key-file") }
        return subset
    }

    /// Reads which objects are taken.
    private func readChoice(_ keys: KeyedMapping<PlanSubsetKey>, _ options: inout SubsetOptions) {
        options.selections = list(keys[.from], OptionText.selection)
        options.restrictSelections(
            limit: keys[.limit].flatMap(count), sample: keys[.sample].flatMap { option($0, OptionText.sample) })
        read(&options.depth, keys[.depth], count)
        options.followed = list(keys[.follow], OptionText.follow)
        options.unfollowedRelationships = keys[.noFollow].flatMap(texts) ?? []
        options.references = list(keys[.reference], OptionText.reference)
        read(&options.smallTableLimit, keys[.smallTables], count)
    }

    /// Reads what happens to values. The files are read later.
    private func readReplacements(_ keys: KeyedMapping<PlanSubsetKey>, _ options: inout SubsetOptions) {
        if let node = keys[.anonymise] { options.anonymise(list(node, OptionText.anonymised)) }
        options.randomSeed = keys[.randomSeed].flatMap { option($0, OptionText.randomSeed) }
        if keys[.modelRules].flatMap(flag) == true { options.rules = AnonymisationRules() }
    }

    private func checkCombinations(_ keys: KeyedMapping<PlanSubsetKey>) {
        var given = Set(PlanSubsetKey.allCases.filter { keys[$0] != nil }.map(\.rawValue))
        if let node = keys[.modelRules], case .text("false", _) = tree.content(node) {
            given.remove(PlanSubsetKey.modelRules.rawValue)
        }
        for problem in OptionText.subsetProblems(given, dashes: "") {
            let place = PlanSubsetKey(rawValue: problem.option).flatMap { keys.keyNode($0) }
            report(problem.message, at: place ?? keys.node)
        }
    }

    private func list<Value>(_ node: Int?, _ read: (String) throws(OptionProblem) -> Value) -> [Value] {
        (node.map(elements) ?? []).compactMap { option($0, read) }
    }

    private func count(_ node: Int) -> Int? { integer(node, 0...Int64(Int32.max)).map { Int($0) } }
}
