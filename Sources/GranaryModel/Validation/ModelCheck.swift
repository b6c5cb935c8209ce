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
