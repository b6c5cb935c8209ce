public import GranaryBase

/// Finds all problems of a model, each with its entity and property.
struct ModelCheck {
    let model: ManagedObjectModel
    let tree: EntityTree
    let composites: CompositeFlattener
    /// The number of elements of each composite, without composites that contain themselves or nest too deep.
    let compositeSizes: [String: Int]
    /// The own and inherited members of each entity by name, in the model's order.
    var members: [[String: Member]] = []
    var collector = DiagnosticCollector()

    init(_ model: ManagedObjectModel) {
        self.model = model
        tree = EntityTree(model.entities)
        composites = CompositeFlattener(model: model)
        compositeSizes = composites.sizes()
    }

    /// Finds all problems, in the model's order. A model that exceeds a limit has only that problem.
    mutating func run() {
        guard isWithinLimits() else { return }
        members = memberTables()
        checkEntityNames()
        checkInheritance()
        for (index, entity) in model.entities.enumerated() {
            checkPropertyNames(of: entity, at: index)
            for attribute in entity.attributes { check(attribute, of: entity.name) }
            for relationship in entity.relationships { check(relationship, of: entity, at: index) }
            for property in entity.fetchedProperties { check(property, of: entity) }
            checkConstraints(of: entity, members: members[index])
            checkIndexes(of: entity, members: members[index])
            checkPredicates(of: entity)
        }
        checkComposites()
        checkConfigurationsAndTemplates()
    }

    mutating func report(
        _ code: Diagnostic.Code, _ message: String, _ entity: String? = nil, _ property: String? = nil,
        severity: Diagnostic.Severity = .error
    ) {
        collector.add(Diagnostic(code, message, severity: severity, entity: entity, property: property))
    }

    /// A name for messages: quoted, escaped and shortened.
    func quoted(_ name: String) -> String { "\"\(Diagnostic.shortened(name))\"" }
}

extension ManagedObjectModel {
    /// All problems of the model, each with its entity and property; empty if it is valid.
    ///
    /// Warnings concern what Core Data accepts but is probably a mistake. At most 10,000 problems are returned.
    public func problems() -> [Diagnostic] {
        var check = ModelCheck(self)
        check.run()
        return check.collector.diagnostics
    }

    /// Checks the model as a whole and returns the schema for contexts, stores and importers.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every problem (at most 10,000).
    public func resolved() throws(GranaryError) -> Schema { try resolved(numbers: [:]) }

    /// The same, with the entity numbers of a store.
    ///
    /// Core Data's order of names is known only for plain letters, so an existing store takes precedence.
    ///
    /// - Parameter numbers: each entity's number. They are used if they run from 1 without a gap and each entity is
    ///   followed by its subentities; otherwise the schema is the same as from ``resolved()``.
    package func resolved(numbers: [String: Int]) throws(GranaryError) -> Schema {
        var check = ModelCheck(self)
        check.run()
        let count = check.collector.errorCount
        guard count == 0 else {
            throw GranaryError(
                .refused, "the model has \(count == 1 ? "one problem" : "\(count) problems")",
                diagnostics: check.collector.diagnostics.filter { $0.severity == .error })
        }
        return try SchemaBuilder(model: self, numbers: numbers).build()
    }
}

extension ModelCheck {
    mutating func checkComposites() {
        var seen: Set<String> = []
        for composite in model.composites {
            if !seen.insert(composite.name).inserted {
                report(.modelDuplicate, "the composite name \(quoted(composite.name)) occurs twice", composite.name)
            }
            checkSize(of: composite)
            var names: Set<String> = []
            for element in composite.elements {
                checkIdentifier(element.name, what: "an element's name", entity: composite.name, property: element.name)
                if !names.insert(element.name).inserted {
                    report(
                        .modelDuplicate, "the element \(quoted(element.name)) occurs twice", composite.name,
                        element.name)
                }
                check(element, of: composite.name)
            }
        }
    }

    private mutating func checkSize(of composite: CompositeDescription) {
        guard let size = compositeSizes[composite.name] else {
            report(
                .modelInheritance,
                "the composite contains itself, or nests deeper than \(CompositeFlattener.depthLimit)", composite.name)
            return
        }
        if size > CompositeFlattener.elementLimit {
            report(
                .limitExceeded,
                "the composite has more than \(CompositeFlattener.elementLimit) elements, nested ones "
                    + "included", composite.name)
        }
    }
}

extension ModelCheck {
    /// The maximum number of entities, because Core Data numbers history tables from 16001.
    static let entityLimit = 16_000

    /// The maximum total number of properties of all entities, where inherited properties and elements of composites
    /// count in each entity.
    ///
    /// Every entity of a ``Schema`` lists all its properties, so a chain of ten thousand entities with a property each
    /// would have fifty million. The largest known real model has some thousands.
    static let propertyLimit = 500_000

    /// Whether the model's size is within the limits, which bound the work of all other checks.
    mutating func isWithinLimits() -> Bool {
        guard model.entities.count <= Self.entityLimit else {
            report(.limitExceeded, "\(model.entities.count) entities are more than the limit of \(Self.entityLimit)")
            return false
        }
        var counts = [Int](repeating: 0, count: model.entities.count)
        var total = 0
        for index in tree.order {
            // Each count is within the limit, so no sum can overflow.
            counts[index] = (tree.parents[index].map { counts[$0] } ?? 0) + ownCount(model.entities[index])
            total += counts[index]
            guard total <= Self.propertyLimit else {
                report(
                    .limitExceeded,
                    "the entities have more than \(Self.propertyLimit) properties, inherited ones included")
                return false
            }
        }
        return true
    }

    private func ownCount(_ entity: EntityDescription) -> Int {
        var count = entity.attributes.count + entity.relationships.count + entity.fetchedProperties.count
        // Constraints count too, because each entity of a schema lists inherited constraints.
        for constraint in entity.uniquenessConstraints { count += 1 + constraint.count }
        for attribute in entity.attributes where attribute.type == .composite {
            guard let composite = attribute.compositeName else { continue }
            count += compositeSizes[composite] ?? 0
        }
        return count
    }
}
