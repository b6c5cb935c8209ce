import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// The use of the columns in one entity's records.
struct ColumnPlan {
    /// The use of a column.
    enum Role: Sendable {
        /// No record of the entity has had the column yet. In a document it can belong to another entity.
        case unresolved
        case ignored
        /// The column has no property, or a property that another column has. Records with this column are rejected.
        case rejected(Diagnostic)
        /// The column has a property of another entity, in a table whose column `$entity` names the entities. Records
        /// with a value in it are rejected.
        case otherEntity(Diagnostic)
        /// An index into ``attributes``.
        case attribute(Int)
        /// An index into ``references``.
        case reference(Int)
        /// The object's identifier in the source, `$id`.
        case identifier
    }

    /// A relationship that a column fills.
    struct ReferencePlan {
        let relationship: Schema.Relationship
        /// Parsers for the key attributes of the destination, in order; empty for an identifier.
        var keys: [FieldParser]
        /// The number in ``KeyIndexes/all`` of the index for lookups; nil for an identifier.
        let indexNumber: Int?
        /// How to handle references to missing objects.
        let policy: ImportOptions.MissingPolicy
        /// Whether no option sets the lookup, so that the column can also have identifiers, as exports write by
        /// default.
        let isImplied: Bool

        var isComposite: Bool { keys.count > 1 }
    }

    let entity: Schema.Entity
    var attributes: [FieldParser] = []
    var references: [ReferencePlan] = []
    /// The roles of the reader's columns.
    private(set) var roles: [Role] = []
    /// The number of roles that are not ``Role/unresolved``.
    private(set) var resolvedCount = 0
    private(set) var columnNames: [String] = []
    /// The column of each property, to find two columns for one property.
    private var taken: [String: String] = [:]
    private let schema: Schema
    let options: ImportOptions
    /// Whether the source's records can contain objects.
    let nests: Bool
    var restoresAsIs: Bool { options.restoresAsIs }
    /// Whether the source is a property list; messages then name its elements.
    private let isPropertyList: Bool

    init(
        entity: Schema.Entity, schema: Schema, options: ImportOptions, nests: Bool = true, isPropertyList: Bool = false
    ) {
        self.entity = entity
        self.nests = nests
        self.isPropertyList = isPropertyList
        self.schema = schema
        self.options = options
    }

    /// Adds the columns that are new since the last call.
    mutating func extend(to columns: [String]) {
        for name in columns.dropFirst(roles.count) {
            columnNames.append(name)
            roles.append(.unresolved)
        }
    }

    /// Whether a field is in a column that no record of the entity has had before.
    func isUnresolved(_ column: Int32) -> Bool {
        guard roles.indices.contains(Int(column)), case .unresolved = roles[Int(column)] else { return false }
        return true
    }

    /// Finds the role of a column. If it has none, records with this column are rejected.
    ///
    /// - Returns: a diagnostic if the column has no role.
    /// - Throws: ``GranaryError`` with code `usage` for options that do not fit the model.
    mutating func resolve(
        _ column: Int, keys: inout KeyIndexes, at position: SourcePosition, _ help: HeaderHelp
    ) throws(GranaryError) -> Diagnostic? {
        resolvedCount += 1
        do {
            roles[column] = try role(of: columnNames[column], keys: &keys)
            return nil
        } catch let problem {
            guard var diagnostic = problem.diagnostics.first, problem.code == .refused else { throw problem }
            if diagnostic.code == .headerUnknown, options.ignoresOtherColumns {
                roles[column] = .ignored
                return nil
            }
            diagnostic.position = position
            diagnostic.field = columnNames[column]
            if diagnostic.code == .headerUnknown, diagnostic.help == nil {
                diagnostic.help = help.unknown(column) { isClaimed($0) }
            }
            roles[column] = .rejected(diagnostic)
            return diagnostic
        }
    }

    private mutating func role(of column: String, keys: inout KeyIndexes) throws(GranaryError) -> Role {
        if options.ignores(column) { return .ignored }
        if column == RecordTable.identifierColumn { return .identifier }
        if column == RecordTable.entityColumn, options.columnMap[column] == nil { return .ignored }
        guard let property = try property(of: column) else {
            if let other = otherEntity(with: column) {
                return .otherEntity(
                    Diagnostic(
                        .headerUnknown, "a value for \"\(Diagnostic.shortened(column))\", which only \(other) has",
                        entity: entity.name))
            }
            if isInsideIgnored(column) { return .ignored }
            let hint = NearestText.hint(for: column, in: names)
            throw GranaryError(
                Diagnostic(
                    .headerUnknown,
                    "\(entity.name) has no property for the column \"\(Diagnostic.shortened(column))\"\(hint)",
                    entity: entity.name))
        }
        if options.constants[property] != nil {
            throw GranaryError(
                .usage, "the property \"\(property)\" has a constant and the column \"\(column)\"",
                help: OptionHelp.option("ignore", column))
        }
        if let other = taken.updateValue(column, forKey: property) {
            throw GranaryError(
                Diagnostic(
                    .headerDuplicate,
                    "the columns \"\(Diagnostic.shortened(other))\" and \"\(Diagnostic.shortened(column))\" are both "
                        + "for \(property)",
                    entity: entity.name, property: property, help: OptionHelp.option("ignore", column)))
        }
        return try role(ofProperty: property, column: column, keys: &keys) ?? .ignored
    }

    /// The name of another entity of the hierarchy that has the property of a column, if the source names the entity of
    /// each record.
    private func otherEntity(with column: String) -> String? {
        guard columnNames.contains(RecordTable.entityColumn) else { return nil }
        for other in schema.entities[entity.root].family where other != entity.index {
            let plan = ColumnPlan(entity: schema.entities[other], schema: schema, options: options)
            if let found = try? plan.property(of: column), plan.entity.property(named: found) != nil {
                return plan.entity.name
            }
        }
        return nil
    }

    /// The role of a constant for the property with its name.
    ///
    /// - Parameter mayBeOthers: whether the property can belong to another entity of the source.
    mutating func constantRole(
        of property: String, keys: inout KeyIndexes, mayBeOthers: Bool
    ) throws(GranaryError) -> Role {
        if let role = try role(ofProperty: property, column: nil, keys: &keys) { return role }
        if mayBeOthers, schema.entities.contains(where: { $0.property(named: property) != nil }) { return .ignored }
        throw GranaryError(
            .usage,
            "the constant for \"\(property)\": \(entity.name) has no property \"\(property)\""
                + NearestText.hint(for: property, in: names))
    }

    private mutating func role(
        ofProperty property: String, column: String?, keys: inout KeyIndexes
    ) throws(GranaryError) -> Role? {
        switch entity.property(named: property) {
        case .attribute(let index)?: try attributeRole(entity.attributes[index], column: column)
        case .relationship(let index)?: try referenceRole(entity.relationships[index], column: column, keys: &keys)
        case nil: nil
        }
    }

    private var names: [String] { entity.attributes.map(\.name) + entity.relationships.map(\.name) }

    /// The name of a column's property; nil for none.
    func property(of column: String) throws(GranaryError) -> String? {
        if let index = options.columnMap.index(forKey: column),
            options.columnMap[index].key.utf8.elementsEqual(column.utf8)
        {
            let mapped = options.columnMap[index].value
            guard entity.property(named: mapped) != nil else {
                throw GranaryError(
                    .usage,
                    "the map of the column \"\(column)\": \(entity.name) has no property \"\(mapped)\""
                        + NearestText.hint(for: mapped, in: names))
            }
            return mapped
        }
        if entity.property(named: column) != nil { return column }
        let folded = ColumnNames.folded(column)
        let fitting = names.filter { ColumnNames.folded($0) == folded }
        return fitting.count == 1 ? fitting[0] : nil
    }

    private mutating func attributeRole(
        _ attribute: Schema.Attribute, column: String?
    ) throws(GranaryError) -> Role {
        if attribute.description.derivationExpression != nil {
            throw GranaryError(
                Diagnostic(
                    .headerUnknown, "a derived attribute is computed, not imported", entity: entity.name,
                    property: attribute.name, help: column.flatMap { OptionHelp.option("ignore", $0) }))
        }
        if !attribute.isPersistent {
            throw GranaryError(
                Diagnostic(
                    .headerUnknown, "a transient attribute is not stored", entity: entity.name,
                    property: attribute.name, help: column.flatMap { OptionHelp.option("ignore", $0) }))
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
        _ relationship: Schema.Relationship, column: String?, keys: inout KeyIndexes
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
                    "the lookup of \"\(relationship.name)\": \(destination.name) has no attribute \"\(name)\""
                        + NearestText.hint(for: name, in: destination.attributes.map(\.name)))
            }
            parsers.append(try parser(attribute, column))
        }
        let indexNumber =
            names.isEmpty
            ? nil
            : keys.track(
                owner: destination.index, slots: parsers.map(\.attribute.slot), names: names, isUnique: false)
        references.append(
            ReferencePlan(
                relationship: relationship, keys: parsers, indexNumber: indexNumber, policy: policy,
                isImplied: options.lookups[relationship.name] == nil))
        return .reference(references.count - 1)
    }

    /// Creates the indexes for lookups in all relationships of the entity.
    mutating func trackLookups(in keys: inout KeyIndexes) throws(GranaryError) {
        for name in options.lookups.keys where entity.relationship(named: name) == nil {
            let hint = NearestText.hint(for: name, in: entity.relationships.map(\.name))
            // If the source names its entities, the relationship can belong to another entity.
            if schema.entities.allSatisfy({ $0.relationship(named: name) == nil }) {
                throw GranaryError(
                    .usage, "the lookup of \"\(name)\": \(entity.name) has no relationship \"\(name)\"\(hint)")
            }
        }
        for relationship in entity.relationships where relationship.isPersistent {
            _ = try referenceRole(relationship, column: nil, keys: &keys)
        }
    }

    /// Whether a column or a constant sets the property.
    func isFilled(_ property: String) -> Bool { taken[property] != nil || options.constants[property] != nil }

    /// The name of the property that a column fills; nil for none.
    func property(ofColumn column: Int) -> String? {
        guard roles.indices.contains(column) else { return nil }
        switch roles[column] {
        case .attribute(let index): return attributes[index].attribute.name
        case .reference(let index): return references[index].relationship.name
        case .unresolved, .ignored, .rejected, .otherEntity, .identifier: return nil
        }
    }

    /// Whether a column has a property or is the identifier.
    var hasProperties: Bool {
        roles.contains { role in
            switch role {
            case .attribute, .reference, .identifier: true
            case .ignored, .rejected, .unresolved, .otherEntity: false
            }
        }
    }

    /// Whether the column of a record has no property, and is not ignored by its name.
    func hasNoProperty(column: Int) -> Bool {
        guard roles.indices.contains(column) else { return false }
        switch roles[column] {
        case .rejected: return true
        case .ignored: return options.ignoresOtherColumns && !options.ignores(columnNames[column])
        case .attribute, .reference, .unresolved, .otherEntity, .identifier: return false
        }
    }

    /// Whether a column, whether it has its role already or not, or a constant is for the property.
    private func isClaimed(_ property: String) -> Bool {
        isFilled(property)
            || columnNames.contains { name in
                guard !options.ignoredColumns.contains(name) else { return false }
                return (try? self.property(of: name)) == property
            }
    }

    func columnName(_ column: Int32) -> String {
        columnNames.indices.contains(Int(column)) ? columnNames[Int(column)] : ""
    }
}
