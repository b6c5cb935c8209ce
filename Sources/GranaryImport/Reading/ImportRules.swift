import GranaryBase

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
    /// The records that an earlier reading accepted at first and rejected later, with the reasons. This reading rejects
    /// them at once, so that their nested objects belong to other records.
    let rejectedBefore: [RecordID: [Diagnostic]]

    init(
        _ run: ImportRunOptions, _ jobs: [ResolvedJob], keepsIdentifiers: Bool, keepsNames: Bool,
        rejectedBefore: [RecordID: [Diagnostic]] = [:]
    ) {
        self.keepsNames = keepsNames
        self.rejectedBefore = rejectedBefore
        keepsGood = run.mode == .keepGood
        restores = jobs.contains(where: \.options.restoresAsIs)
        restoresParts = jobs.contains(where: \.options.restoresParts)
        self.keepsIdentifiers = keepsIdentifiers
        objectEntities = run.objectEntities
    }
}
