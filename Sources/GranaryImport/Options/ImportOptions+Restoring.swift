/// Options that contradict ``ImportOptions/restoresAsIs``.
extension ImportOptions {
    /// The reason why the options cannot be combined; nil if they can.
    var restoringProblem: String? {
        guard restoresAsIs else { return nil }
        let excluded: [(isSet: Bool, name: String)] = [
            (onConflict != .error, "a conflict policy"), (key != nil || !nestedKeys.isEmpty, "a natural key"),
            (prunes || maximumPruned != nil, "pruning"), (!lookups.isEmpty, "a lookup"),
            (onMissing != .error || !missingPolicies.isEmpty, "a policy for missing objects"),
            (mergesEqualRows, "equal rows as one object"),
            (linkRelationship != nil, "a link file"), (!constants.isEmpty, "a constant"),
            (nullIsDefault, "a default in place of NULL"),
        ]
        return excluded.first(where: \.isSet).map { option in
            "an export that is restored as it is has all objects and their keys; it cannot be combined with "
                + option.name
        }
    }
}
