/// The figures of a whole survey.
struct SurveySummary: Encodable {
    private(set) var kind = "summary"
    /// Symbolic links, special files and folders that could not be listed.
    let skippedEntries: Int
    private(set) var models = 0
    private(set) var modelsRead = 0
    private(set) var modelsResolved = 0
    private(set) var modelsRoundTripped = 0
    private(set) var hashes: [String: Int] = [:]
    private(set) var stores = 0
    private(set) var storesOpened = 0
    private(set) var storesUnchanged = 0
    private(set) var modelSources: [String: Int] = [:]
    private(set) var storedRows: Int64 = 0
    private(set) var compared = ComparisonCounts()
    private(set) var findings: [String: Int] = [:]
    /// Files that were not read correctly.
    private(set) var failed = 0

    init(skippedEntries: Int) { self.skippedEntries = skippedEntries }

    mutating func add(_ line: SurveyLine) {
        if !line.isGood { failed += 1 }
        switch line.kind {
        case .model:
            models += 1
            if let model = line.model { add(model) }
        case .store:
            stores += 1
            if line.changedFiles.isEmpty { storesUnchanged += 1 }
            if let store = line.store { add(store) }
        }
    }

    private mutating func add(_ model: ModelFigures) {
        modelsRead += 1
        guard model.problems == 0 else { return }
        modelsResolved += 1
        if model.roundTripProblem == nil { modelsRoundTripped += 1 }
        hashes[model.hash.rawValue, default: 0] += 1
    }

    private mutating func add(_ store: StoreFigures) {
        storesOpened += 1
        modelSources[store.modelSource, default: 0] += 1
        storedRows += store.storedRows
        compared.add(store.compared)
        for (code, count) in store.findings { findings[code, default: 0] += count }
    }

    var text: String {
        let equal = compared.values - min(compared.values, compared.unequal)
        return """

            models: \(models) found, \(modelsRead) read, \(modelsResolved) resolved, \(modelsRoundTripped) equal after \
            writing as .mom and reading; hashes: \(Self.list(hashes))
            stores: \(stores) found, \(storesOpened) opened (model: \(Self.list(modelSources))), \(storesUnchanged) \
            unchanged by reading
            rows: \(compared.rows) of \(storedRows) read; values: \(compared.values), \(equal) equal to SQL's; links: \
            \(compared.links)
            unequal \(compared.unequal), unread \(compared.failures), invalid in the store \(compared.invalid), rows \
            without their file \(compared.rowsWithoutFile), dangling links \(compared.dangling), relationships not \
            compared \(compared.uncompared)
            check findings: \(Self.list(findings))
            \(failed == 0 ? "all files read" : "\(failed) FILES FAILED"); \(skippedEntries) links and special files \
            skipped
            """
    }

    /// `cache 3, given 1`
    static func list(_ counts: [String: Int]) -> String {
        if counts.isEmpty { return "none" }
        return counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
