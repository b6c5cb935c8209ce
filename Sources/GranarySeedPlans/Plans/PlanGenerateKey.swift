import GranaryYAML

/// The keys of a generation.
enum PlanGenerateKey: String, TreeKey {
    case counts, locale, generators, distributions, nulls, links
    case randomSeed = "random-seed"
    case nullPercent = "null-percent"
    case edgeCases = "edge-cases"
}
