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
        /// The column has a property of another entity, in a table whose column `$entity` names the entities, or should
        /// hold objects. Records with a value in it are rejected.
        case otherEntity(Diagnostic)
        /// The column of a table of rejects with records as they were found. Records with a text in it are rejected,
        /// because their other fields are no faithful copy.
        case uncorrected(Diagnostic)
        /// An index into ``attributes``.
        case attribute(Int)
        /// An index into ``references``.
        case reference(Int)
        /// One of several columns with the key of a reference: an index into ``references``, and one into its keys.
        case part(reference: Int, key: Int)
        /// The object's identifier in the source, `$id`.
        case identifier
    }

    /// A relationship that a column fills.
    struct ReferencePlan {
        let relationship: Schema.Relationship
        /// Parsers for the key attributes of the destination, in order; empty for an identifier.
        var keys: [FieldParser]
        /// For each key, how the attribute's object is found if it is not the destination; nil otherwise.
        var owners: [KeyOwner?] = []
        /// The names of the keys, for messages.
        let names: [String]
        /// The number in ``KeyIndexes/all`` of the index for lookups; nil for an identifier.
        let indexNumber: Int?
        /// How to handle references to missing objects.
        let policy: ImportOptions.MissingPolicy
        /// Whether no option sets the lookup, so that the column can also have identifiers, as exports write by
        /// default.
        let isImplied: Bool

        var isComposite: Bool { keys.count > 1 }
        /// Whether a key is an attribute of an object to which the destination refers.
        var hasOwners: Bool { owners.contains { $0 != nil } }
    }

    /// The object to which the destination of a reference refers, and whose attribute is part of the key: the line in
    /// `line.code`. It must be known when the reference is read.
    struct KeyOwner {
        /// The to-one relationship of the destination.
        let relationship: Schema.Relationship
        /// The number in ``KeyIndexes/all`` of the index of the attribute.
        let indexNumber: Int
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
    /// The index in ``references`` of each relationship whose key is in several columns.
    private var partReferences: [String: Int] = [:]
    let schema: Schema
    let options: ImportOptions
    /// The options of the job, for other entities.
    let jobOptions: ImportOptions
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
        self.options = options.applied(to: entity, in: schema)
        jobOptions = options
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
                roles[column] = otherRole(of: columnNames[column])
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
        if RejectsTableColumns.contains(column, in: columnNames), options.columnMap[column] == nil {
            return column == RejectsTableColumns.record ? .uncorrected(uncorrected) : .ignored
        }
        if column == RecordTable.entityColumn, options.columnMap[column] == nil { return .ignored }
        if let role = try partRole(of: column, keys: &keys) { return role }
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

    private var uncorrected: Diagnostic {
        let column = RejectsTableColumns.record
        return Diagnostic(
            .valueSyntax,
            "the row is still in \"\(column)\": write its values into the other columns and empty \"\(column)\"",
            field: column, entity: entity.name)
    }

    /// The role of a column whose property is a part of a reference's key; nil for other columns.
    private mutating func partRole(of column: String, keys: inout KeyIndexes) throws(GranaryError) -> Role? {
        guard let mapped = options.columnMap[column], entity.property(named: mapped) == nil,
            let (relationship, name) = part(mapped)
        else { return nil }
        guard !relationship.isToMany else {
            throw GranaryError(
                .usage,
                "the map of the column \"\(column)\": \(entity.name).\(relationship.name) is a to-many relationship, whose keys "
                    + "are in one column")
        }
        if options.constants[relationship.name] != nil {
            throw GranaryError(
                .usage, "the property \"\(relationship.name)\" has a constant and the column \"\(column)\"",
                help: OptionHelp.option("ignore", column))
        }
        let isFirst = partReferences[relationship.name] == nil
        if let other = taken[mapped] ?? (isFirst ? taken[relationship.name] : nil) {
            throw GranaryError(
                Diagnostic(
                    .headerDuplicate,
                    "the columns \"\(Diagnostic.shortened(other))\" and \"\(Diagnostic.shortened(column))\" are both for "
                        + mapped, entity: entity.name, property: relationship.name,
                    help: OptionHelp.option("ignore", column)))
        }
        taken[mapped] = column
        if isFirst { taken[relationship.name] = column }
        let reference: Int
        if let known = partReferences[relationship.name] {
            reference = known
        } else {
            guard case .reference(let new) = try referenceRole(relationship, column: column, keys: &keys) else {
                return nil
            }
            partReferences[relationship.name] = new
            reference = new
        }
        guard let key = references[reference].names.firstIndex(of: name) else { return nil }
        // The options of the column, such as its date format, are those of this key.
        references[reference].keys[key] = try parser(references[reference].keys[key].attribute, column)
        return .part(reference: reference, key: key)
    }

    /// The name of another entity of the hierarchy that has the property of a column, if the source names the entity of
    /// each record.
    private func otherEntity(with column: String) -> String? {
        guard columnNames.contains(RecordTable.entityColumn) else { return nil }
        for other in schema.entities[entity.root].family where other != entity.index {
            let plan = ColumnPlan(entity: schema.entities[other], schema: schema, options: jobOptions)
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
                + NearestText.hint(for: property, in: names) + schema.owners(of: property, besides: entity))
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
            if entity.property(named: mapped) != nil { return entity.name(ofProperty: mapped) }
            if let part = part(mapped) { return part.relationship.name }
            // An option that names no entity is for the entities that have the property.
            guard isAmongOthers, jobOptions.columnMap[column] == mapped,
                schema.entities.contains(where: { $0.property(named: mapped) != nil })
            else {
                throw GranaryError(
                    .usage,
                    "the map of the column \"\(column)\": \(entity.name) has no property \"\(mapped)\""
                        + NearestText.hint(for: mapped, in: names) + schema.owners(of: mapped, besides: entity))
            }
        }
        if entity.property(named: column) != nil { return entity.name(ofProperty: column) }
        return ColumnNames.property(column, among: names)
    }

    /// Whether the source can have records or nested objects of other entities.
    private var isAmongOthers: Bool {
        guard let name = options.jobEntity, let own = schema.entity(named: name) else { return true }
        return !own.family.contains(entity.index)
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
        let names = try keyNames(relationship, destination)
        var parsers: [FieldParser] = []
        var owners: [KeyOwner?] = []
        var slots: [Int] = []
        for name in names {
            if let attribute = destination.attribute(named: name), attribute.isPersistent {
                parsers.append(try parser(attribute, column))
                owners.append(nil)
                slots.append(attribute.slot)
            } else if let (owner, attribute) = try keyOwner(name, relationship, destination, &keys) {
                parsers.append(try parser(attribute, column))
                owners.append(owner)
                slots.append(owner.relationship.slot)
            } else {
                throw GranaryError(
                    .usage,
                    "the lookup of \"\(relationship.name)\": \(destination.name) has no attribute \"\(name)\""
                        + NearestText.hint(for: name, in: destination.attributes.map(\.name)))
            }
        }
        if Set(slots).count < slots.count {
            throw GranaryError(
                .usage,
                "the lookup of \"\(relationship.name)\" (\(names.joined(separator: ", "))) names one property of "
                    + "\(destination.name) twice")
        }
        let propertyNames = names.map { String($0.prefix { $0 != "." }) }
        let indexNumber =
            names.isEmpty
            ? nil : keys.track(owner: destination.index, slots: slots, names: propertyNames, isUnique: false)
        references.append(
            ReferencePlan(
                relationship: relationship, keys: parsers, owners: owners, names: names, indexNumber: indexNumber,
                policy: policy, isImplied: options.lookups[relationship.name] == nil && parts(of: relationship).isEmpty)
        )
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
        case .reference(let index), .part(let index, _): return references[index].relationship.name
        case .unresolved, .ignored, .rejected, .otherEntity, .uncorrected, .identifier: return nil
        }
    }

    /// Whether a column has a property or is the identifier.
    var hasProperties: Bool {
        roles.contains { role in
            switch role {
            case .attribute, .reference, .part, .identifier: true
            case .ignored, .rejected, .unresolved, .otherEntity, .uncorrected: false
            }
        }
    }

    /// Whether the column of a record has no property, and is not ignored by its name.
    func hasNoProperty(column: Int) -> Bool {
        guard roles.indices.contains(column) else { return false }
        switch roles[column] {
        case .rejected: return true
        case .ignored: return options.ignoresOtherColumns && !options.ignores(columnNames[column])
        case .attribute, .reference, .part, .unresolved, .otherEntity, .uncorrected, .identifier: return false
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
