package import GranaryBase

/// A column whose values become objects of an entity: `country=Country.code`.
package struct ProposedReference: Sendable {
    package let column: String
    package let entity: String
    /// The attribute of the entity that gets the values.
    package let attribute: String

    /// Reads `column=Entity` or `column=Entity.attribute`; the attribute is `name` if the text names none.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the text has another form.
    package init(_ text: String) throws(GranaryError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let names = parts.count == 2 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.count == 2, !parts[0].isEmpty, (1...2).contains(names.count) else {
            throw GranaryError(
                .usage, "--reference \(text): write COLUMN=ENTITY.ATTRIBUTE, such as country=Country.code")
        }
        column = parts[0]
        entity = String(names[0])
        attribute = names.count == 2 ? String(names[1]) : "name"
        guard ProposedNames.entity(entity) == entity, ProposedNames.property(attribute) == attribute else {
            throw GranaryError(
                .usage,
                "--reference \(text): \(parts[1]) is not the name of an entity, such as Country, with that of an attribute, such as code"
            )
        }
    }
}

extension SourceProfiler {
    /// Makes the values of columns objects of entities that no file describes.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a column that does not exist or holds no keys, and for an entity
    ///   that is proposed already.
    package mutating func add(_ references: [ProposedReference]) throws(GranaryError) {
        var entities: [String: (profile: Int, attribute: String)] = [:]
        for reference in references {
            func refused(_ problem: String) -> GranaryError {
                GranaryError(.usage, "--reference \(reference.column)=\(reference.entity): \(problem)")
            }
            let places = profiles.enumerated().flatMap { profile, entity in
                entity.valuesOf == nil
                    ? entity.order.filter { entity.columns[$0]?.name == reference.column }.map { (profile, $0) } : []
            }
            guard !places.isEmpty else {
                let names = profiles.flatMap { entity in entity.order.compactMap { entity.columns[$0]?.name } }
                throw refused(
                    "no file has the column \"\(reference.column)\""
                        + NearestText.hint(for: reference.column, in: names))
            }
            for (profile, column) in places {
                guard let values = profiles[profile].columns[column]?.elements(named: reference.attribute),
                    ReferenceFinder.isKey(values)
                else { throw refused("the values are not texts or whole numbers, which can be keys") }
                if let known = entities[reference.entity] {
                    guard known.attribute == reference.attribute,
                        profiles[known.profile].columns[0]?.type == values.type
                    else { throw refused("another column makes other keys of \(reference.entity)") }
                    change(profile) { $0.declared[column] = (known.profile, 0) }
                    continue
                }
                let isTaken = profiles.contains {
                    ($0.isNamed ? $0.baseName : ProposedNames.entity($0.baseName)) == reference.entity
                }
                if isTaken { throw refused("\(reference.entity) is proposed for a file; choose another name") }
                let target = addProfile(
                    EntityProfile(valuesOf: profiles[profile], column: column, values, as: reference.entity))
                entities[reference.entity] = (target, reference.attribute)
                change(profile) { $0.declared[column] = (target, 0) }
            }
        }
    }
}
