/// The keys of a generation.
enum PlanGenerateKey: String, PlanKey {
    case counts, locale, generators
    case randomSeed = "random-seed"
    case nullPercent = "null-percent"
}
