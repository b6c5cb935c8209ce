/// How an import treats records, by its options and the store.
struct ImportRules {
    /// Whether valid rows are stored if others are rejected (keep-good).
    let keepsGood: Bool
    /// Whether an export is restored as it is (``ImportOptions/restoresAsIs``).
    let restores: Bool
    /// Whether the export that is restored can be a part (``ImportOptions/restoresParts``).
    let restoresParts: Bool
    /// Whether rows get the primary key of their `$id`, which is so in a store without objects.
    let keepsIdentifiers: Bool
    /// The entities whose rows are saved as managed objects.
    let objectEntities: Set<Int>
    /// Whether the contents of objects with an `$id` are kept, so that an object can be nested again. If not, reading
    /// throws ``NestedRowFound`` for one.
    let keepsNames: Bool

    init(_ run: ImportRunOptions, _ jobs: [ResolvedJob], keepsIdentifiers: Bool, keepsNames: Bool) {
        self.keepsNames = keepsNames
        keepsGood = run.mode == .keepGood
        restores = jobs.contains(where: \.options.restoresAsIs)
        restoresParts = jobs.contains(where: \.options.restoresParts)
        self.keepsIdentifiers = keepsIdentifiers
        objectEntities = run.objectEntities
    }
}
