import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// What an import does with the columns of one entity's records.
struct ColumnPlan {
    /// What a column is for.
    enum Role: Sendable {
        /// No record of the entity has had it yet: in a document of several entities it may be another's.
        case unmet
        case ignored
        /// It is for no property, or for one that another column is for: a record that has it is refused.
        case refused(Diagnostic)
        /// An index into ``attributes``.
        case attribute(Int)
        /// An index into ``references``.
        case reference(Int)
        /// The object's own key in the source.
        case identifier
    }

    /// A relationship that a column fills.
    struct ReferencePlan {
        let relationship: Schema.Relationship
        /// Read the destination's attributes that are the key, in order; none for an identifier.
        var keys: [FieldParser]
        /// Which index of ``NaturalKeys`` they are looked up in; nil for an identifier.
        let tracked: Int?
        /// What is done with a reference to nothing.
        let policy: ImportOptions.MissingPolicy
        /// Whether nobody said what the column holds, so that it may also be what an export writes by default.
        let isImplied: Bool

        var isComposite: Bool { keys.count > 1 }
    }

    let entity: Schema.Entity
    var attributes: [FieldParser] = []
    var references: [ReferencePlan] = []
    /// By column of the reader.
    private(set) var roles: [Role] = []
    /// How many of them are not ``Role/unmet``.
    private(set) var metCount = 0
    private(set) var columnNames: [String] = []
    /// The property that each column name was given, to find two columns for one.
    private var taken: [String: String] = [:]
    private let schema: Schema
    private let options: ImportOptions

    /// Whether the source is a property list; messages then name its elements.
    private let isPropertyList: Bool

    init(entity: Schema.Entity, schema: Schema, options: ImportOptions, isPropertyList: Bool = false) {
        self.entity = entity
        self.isPropertyList = isPropertyList
        self.schema = schema
        self.options = options
    }

    /// Takes note of the columns that are new since the last call.
    mutating func extend(to columns: [String]) {
        for name in columns.dropFirst(roles.count) {
            columnNames.append(name)
            roles.append(.unmet)
        }
    }

    /// Whether a field is in a column that no record of the entity has had before.
    func isUnmet(_ column: Int32) -> Bool {
        guard roles.indices.contains(Int(column)), case .unmet = roles[Int(column)] else { return false }
        return true
    }

    /// Finds the role of a column. One that has none is reported, and refused in every record that has it.
    mutating func meet(
        _ column: Int, keys: inout NaturalKeys, at position: SourcePosition, _ report: (Diagnostic) -> Void
    ) throws(GranaryError) {
        metCount += 1
        do {
            roles[column] = try role(of: columnNames[column], keys: &keys)
        } catch let problem {
            guard var diagnostic = problem.diagnostics.first, problem.code == .refused else { throw problem }
            diagnostic.position = position
            diagnostic.field = columnNames[column]
            report(diagnostic)
            roles[column] = .refused(diagnostic)
        }
    }

    private mutating func role(of column: String, keys: inout NaturalKeys) throws(GranaryError) -> Role {
        // Compared byte for byte: a name that differs only by Unicode normalisation is another column.
        if let index = options.ignoredColumns.firstIndex(of: column),
            options.ignoredColumns[index].utf8.elementsEqual(column.utf8)
        {
            return .ignored
        }
        if column == "$id" { return .identifier }
        guard let property = try property(of: column) else {
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            let hint = NearestText.hint(for: column, in: names)
            throw GranaryError(
                Diagnostic(
                    .headerUnknown,
                    "\(entity.name) has no property for the column \"\(Diagnostic.shortened(column))\"\(hint) "
                        + "(map it with --map or leave it with --ignore)", entity: entity.name))
        }
        if options.constants[property] != nil {
            throw GranaryError(
                .usage, "--constant \(property)=…: the column \"\(column)\" is for it too; leave one with --ignore")
        }
        if let other = taken.updateValue(column, forKey: property) {
            throw GranaryError(
                Diagnostic(
                    .headerDuplicate, "the columns \"\(other)\" and \"\(column)\" are both for \(property)",
                    entity: entity.name, property: property))
        }
        switch entity.property(named: property) {
        case .attribute(let index)?: return try attributeRole(entity.attributes[index], column: column)
        case .relationship(let index)?:
            return try referenceRole(entity.relationships[index], column: column, keys: &keys)
        case nil: return .ignored
        }
    }

    /// The role of a constant, which is for the property of just its name.
    mutating func constantRole(
        of property: String, keys: inout NaturalKeys, mayBeOthers: Bool
    ) throws(GranaryError) -> Role {
        switch entity.property(named: property) {
        case .attribute(let index)?: return try attributeRole(entity.attributes[index], column: nil)
        case .relationship(let index)?:
            return try referenceRole(entity.relationships[index], column: nil, keys: &keys)
        case nil:
            // In a document of several entities a constant is for those that have the property.
            if mayBeOthers, schema.entities.contains(where: { $0.property(named: property) != nil }) { return .ignored }
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            throw GranaryError(
                .usage,
                "--constant \(property)=…: \(entity.name) has no property \"\(property)\""
                    + NearestText.hint(for: property, in: names))
        }
    }

    /// The name of the property that a column is for; nil for none.
    func property(of column: String) throws(GranaryError) -> String? {
        if let index = options.columnMap.index(forKey: column),
            options.columnMap[index].key.utf8.elementsEqual(column.utf8)
        {
            let mapped = options.columnMap[index].value
            guard entity.property(named: mapped) != nil else {
                let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
                throw GranaryError(
                    .usage,
                    "--map \(column)=\(mapped): \(entity.name) has no property \"\(mapped)\""
                        + NearestText.hint(for: mapped, in: names))
            }
            return mapped
        }
        if entity.property(named: column) != nil { return column }
        let folded = Self.folded(column)
        let fitting = (entity.attributes.map(\.name) + entity.relationships.map(\.name)).filter {
            Self.folded($0) == folded
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Case, `_`, `-` and blanks do not count.
    private static func folded(_ name: String) -> String {
        String(name.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
    }

    private mutating func attributeRole(
        _ attribute: Schema.Attribute, column: String?
    ) throws(GranaryError) -> Role {
        if attribute.description.derivationExpression != nil {
            throw GranaryError(
                Diagnostic(
                    .headerUnknown, "a derived attribute is computed, not imported (leave it with --ignore)",
                    entity: entity.name, property: attribute.name))
        }
        if !attribute.isPersistent {
            throw GranaryError(
                Diagnostic(
                    .headerUnknown, "a transient attribute is not stored (leave it with --ignore)", entity: entity.name,
                    property: attribute.name))
        }
        attributes.append(try parser(attribute, column))
        return .attribute(attributes.count - 1)
    }

    private func parser(_ attribute: Schema.Attribute, _ column: String?) throws(GranaryError) -> FieldParser {
        try FieldParser(
            attribute, options: options, column: column.flatMap { options.columnOptions[$0] }, name: column,
            isPropertyList: isPropertyList)
    }

    private mutating func referenceRole(
        _ relationship: Schema.Relationship, column: String?, keys: inout NaturalKeys
    ) throws(GranaryError) -> Role {
        let destination = schema.entities[relationship.destination]
        let policy = options.missingPolicies[relationship.name] ?? options.onMissing
        let names: [String]
        switch options.lookups[relationship.name] {
        case .attribute(let name)?: names = [name]
        case .attributes(let list)?: names = list
        case .identifier?: names = []
        case nil:
            names =
                options.nestedKeys[relationship.name]
                ?? NaturalKey(of: destination, allowsSeveral: true)?.attributes.map { $0.name } ?? []
        }
        var parsers: [FieldParser] = []
        for name in names {
            guard let attribute = destination.attribute(named: name), attribute.isPersistent else {
                throw GranaryError(
                    .usage,
                    "--lookup \(relationship.name)=\(name): \(destination.name) has no attribute \"\(name)\""
                        + NearestText.hint(for: name, in: destination.attributes.map(\.name)))
            }
            parsers.append(try parser(attribute, column))
        }
        let tracked =
            names.isEmpty
            ? nil
            : keys.track(
                owner: destination.index, slots: parsers.map(\.attribute.slot), names: names, isUnique: false)
        references.append(
            ReferencePlan(
                relationship: relationship, keys: parsers, tracked: tracked, policy: policy,
                isImplied: options.lookups[relationship.name] == nil))
        return .reference(references.count - 1)
    }

    /// Makes the indexes that the entity's relationships may be looked up in, whatever columns there are.
    mutating func trackLookups(in keys: inout NaturalKeys) throws(GranaryError) {
        for name in options.lookups.keys where entity.relationship(named: name) == nil {
            let hint = NearestText.hint(for: name, in: entity.relationships.map(\.name))
            // Where the source names its entities the relationship may be another's.
            if schema.entities.allSatisfy({ $0.relationship(named: name) == nil }) {
                throw GranaryError(.usage, "--lookup \(name)=…: \(entity.name) has no relationship \"\(name)\"\(hint)")
            }
        }
        for relationship in entity.relationships where relationship.isPersistent {
            _ = try referenceRole(relationship, column: nil, keys: &keys)
        }
    }

    /// Whether a column (or a constant) fills the property.
    func isFilled(_ property: String) -> Bool { taken[property] != nil || options.constants[property] != nil }

    func columnName(_ column: Int32) -> String {
        columnNames.indices.contains(Int(column)) ? columnNames[Int(column)] : ""
    }
}
