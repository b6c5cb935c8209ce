import GranaryModel

/// The structures with the values of objects, and the functions that read them.
extension ClassGenerator {
    /// The lines of a class's structure; none for a class without properties of its own and of its superclasses.
    func valuesLines(_ planned: PlannedClass, _ names: inout TypeNames) -> [String] {
        guard hasValues(planned) else { return [] }
        var writer = ValuesWriter(access: prefix, names: names)
        let lines = writer.lines(properties(of: planned), entityName: planned.entityName)
        names = writer.names
        return lines
    }

    /// Entities that share a class have different properties.
    private func hasValues(_ planned: PlannedClass) -> Bool { !planned.isShared }

    /// The properties of a class and its superclasses, those of superclasses first.
    private func properties(of planned: PlannedClass) -> [PlannedProperty] {
        var chain = [planned]
        while let name = chain.last?.superclass, let next = classes.first(where: { $0.name == name }) {
            chain.append(next)
        }
        return chain.reversed().flatMap(\.properties)
    }

    /// The functions of containers and contexts that read values. They are functions for each class, because a subclass
    /// inherits the conformances of its superclass, so that it could not have an associated type of its own.
    func valuesFunctions(_ names: inout TypeNames) -> [String] {
        let chosen = classes.filter(hasValues)
        guard !chosen.isEmpty else { return [] }
        var lines: [String] = []
        for (type, effects, call) in [
            ("PersistentContainer", "async throws", "try await"), ("ManagedObjectContext", "throws", "try"),
        ] {
            lines += ["", "extension \(names(type)) {"]
            for planned in chosen {
                let name = SwiftIdentifier.text(planned.name)
                let values = "\(name).\(ValuesWriter.typeName)"
                lines += [
                    "    /// Returns the values of the stored objects of the entity \(SwiftIdentifier.comment(planned.entityName)), without making objects.",
                    "    \(prefix)func values(",
                    "        of type: \(name).Type, where predicate: \(names("ObjectPredicate"))? = nil,",
                    "        sort: [\(names("ObjectSortDescriptor"))] = [], limit: \(names("Int")) = 0, offset: \(names("Int")) = 0",
                    "    ) \(effects) -> [\(values)] {",
                    "        \(call) values(\(values).self, where: predicate, sort: sort, limit: limit, offset: offset)",
                    "    }", "",
                    "    /// Returns the values of the stored objects that a request finds, without making objects.",
                    "    \(prefix)func values(of request: \(names("FetchRequest"))<\(name)>) \(effects) -> [\(values)] {",
                    "        \(call) values(\(values).self, of: request)",
                    "    }", "",
                ]
            }
            lines.removeLast()
            lines.append("}")
        }
        return lines
    }
}
