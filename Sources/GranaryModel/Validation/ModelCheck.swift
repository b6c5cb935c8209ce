public import GranaryBase

/// Finds everything that is wrong with a model, each with its entity and property.
struct ModelCheck {
    let model: ManagedObjectModel
    let tree: EntityTree
    let composites: CompositeFlattener
    /// How many elements each composite has; those that contain themselves or nest too deep are not among them.
    let compositeSizes: [String: Int]
    /// What each entity has by name, inherited ones too; the same places as in the model.
    var members: [[String: Member]] = []
    var collector = DiagnosticCollector()

    init(_ model: ManagedObjectModel) {
        self.model = model
        tree = EntityTree(model.entities)
        composites = CompositeFlattener(model: model)
        compositeSizes = composites.sizes()
    }

    /// Finds all problems, in the model's order. A model past a limit has that one problem.
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

    /// A name of the model in a message: visible, and not longer than a line.
    func quoted(_ name: String) -> String { "\"\(Diagnostic.shortened(name))\"" }
}

extension ManagedObjectModel {
    /// Everything that is wrong with the model, each problem with its entity and property; empty when it is sound.
    ///
    /// Warnings are for what Core Data accepts but hardly anybody means. At most 10,000 problems are given back.
    public func problems() -> [Diagnostic] {
        var check = ModelCheck(self)
        check.run()
        return check.collector.diagnostics
    }

    /// Checks the model as a whole and makes what contexts, stores and importers work on.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for every problem. (Of problems past 10,000
    ///   only the number.)
    public func resolved() throws(GranaryError) -> Schema { try resolved(numbers: [:]) }

    /// The same with the entities numbered as a store has them.
    ///
    /// How Core Data sorts names is known of plain letters only, so a store that is there knows better.
    ///
    /// - Parameter numbers: each entity's number. They count where they run from 1 without a gap, each entity followed
    ///   by its subentities; otherwise the schema is that of ``resolved()``.
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
    /// An entity's number is its place in Core Data's order; from 16001 on the numbers are those of its history tables.
    static let entityLimit = 16_000

    /// How many properties all entities may have together, inherited ones and the elements of composites counted
    /// wherever they are had.
    ///
    /// Every entity of a ``Schema`` knows all its properties, so a chain of ten thousand entities with a property each
    /// would come to fifty million of them. The largest real model known has some thousands.
    static let propertyLimit = 500_000

    /// Whether the model is of a size that may be worked on; every step after this is bounded by it.
    mutating func isWithinLimits() -> Bool {
        guard model.entities.count <= Self.entityLimit else {
            report(.limitExceeded, "\(model.entities.count) entities are more than the limit of \(Self.entityLimit)")
            return false
        }
        var counts = [Int](repeating: 0, count: model.entities.count)
        var total = 0
        for index in tree.order {
            // Each count is at most what the limit leaves, so no sum comes near an overflow.
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
        // Inherited as well: each entity of a schema knows all its constraints.
        for constraint in entity.uniquenessConstraints { count += 1 + constraint.count }
        for attribute in entity.attributes where attribute.type == .composite {
            guard let composite = attribute.compositeName else { continue }
            count += compositeSizes[composite] ?? 0
        }
        return count
    }
}
