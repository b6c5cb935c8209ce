package import GranaryGeneration

extension PlanText {
    /// A plan that generates objects.
    ///
    /// - Parameters:
    ///   - comment: the first lines.
    ///   - model: the path of the model, relative to the plan.
    ///   - store: the path of the store, relative to the plan.
    package static func plan(
        generating request: GenerationRequest, comment: [String], model: String, store: String
    ) -> String {
        let options = request.options
        var lines = comment.map { "# \($0)" } + ["model: \(quoted(model))", "store: \(quoted(store))", "generate:"]
        func add(_ key: String, _ pairs: [String: String]) {
            guard !pairs.isEmpty else { return }
            lines.append("  \(key):")
            lines += pairs.sorted { $0.key < $1.key }.map { "    \(quoted($0.key)): \($0.value)" }
        }
        if request.counts.isEmpty { lines.append("  counts: {}") }
        add("counts", request.counts.mapValues { "\($0)" })
        lines.append("  random-seed: \(options.randomSeed)")
        if options.locale != .english { lines.append("  locale: \(options.locale.rawValue)") }
        if options.nullPercent != 10 { lines.append("  null-percent: \(options.nullPercent)") }
        if options.edgeCases { lines.append("  edge-cases: true") }
        add("generators", options.generators.mapValues(quoted))
        add("distributions", options.distributions.mapValues(quoted))
        add("nulls", options.nullPercents.mapValues { "\($0)" })
        add("links", options.linkCounts.mapValues(quoted))
        return lines.joined(separator: "\n") + "\n"
    }
}
