import GranaryYAML

/// The keys of a subset: the options of `granary subset`.
enum PlanSubsetKey: String, TreeKey {
    case store, model, from, limit, sample, depth, follow, reference, explain, anonymise, rules
    case noFollow = "no-follow"
    case smallTables = "small-tables"
    case modelRules = "model-rules"
    case keyFile = "key-file"
    case randomSeed = "random-seed"
    case missingFiles = "missing-files"
    case onConflict = "on-conflict"
}
