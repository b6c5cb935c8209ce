import GranaryBase
import GranaryCoordination
import GranaryModel

/// Finds mistakes in the classes that an app registers.
struct ClassRegistrations {
    private let schema: Schema
    private let classes: [String: ManagedObject.Type]
    /// The entities by their class names, with and without the module.
    private let entities: [String: [Schema.Entity]]

    init(_ schema: Schema, _ classes: [String: ManagedObject.Type]) {
        self.schema = schema
        self.classes = classes
        var entities: [String: [Schema.Entity]] = [:]
        for entity in schema.entities {
            guard let name = entity.description.managedObjectClassName else { continue }
            for name in Set([name, Self.bare(name)]) { entities[name, default: []].append(entity) }
        }
        self.entities = entities
    }

    /// The name without the module.
    static func bare(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    /// - Throws: ``GranaryError`` with code `usage` that names every class name that no entity has, and every class
    ///   that has the name of another entity's class.
    func check() throws(GranaryError) {
        var problems: [String] = []
        for (name, type) in classes.sorted(by: { $0.key < $1.key }) {
            guard let own = entities[name] else {
                problems.append(
                    "no entity of the model has the class name \"\(Diagnostic.shortened(name))\"\(hint(name))")
                continue
            }
            if let other = entities["\(type)"]?.first, !belongs(type, to: own) {
                problems.append(
                    "the class \(type) is registered as \"\(name)\" for \(own[0].name), but \(other.name) has the class name "
                        + "\"\(type)\"; are the classes swapped?")
            }
        }
        guard !problems.isEmpty else { return }
        throw GranaryError(.usage, "classes: " + problems.joined(separator: "; "))
    }

    /// Whether a class has the class name of one of the entities or of an ancestor, whose class they may share.
    private func belongs(_ type: ManagedObject.Type, to own: [Schema.Entity]) -> Bool {
        (entities["\(type)"] ?? []).contains { named in
            own.contains { schema.entity($0.index, isKindOf: named.index) }
        }
    }

    private func hint(_ name: String) -> String {
        if let entity = schema.entity(named: name), entity.description.managedObjectClassName ?? "" != name {
            let present = entity.description.managedObjectClassName ?? ""
            return present.isEmpty || present == "NSManagedObject"
                ? "; the entity \(entity.name) names no class: set its managedObjectClassName"
                : "; the class name of the entity \(entity.name) is \"\(present)\""
        }
        let bare = Self.bare(name)
        if entities[bare] != nil { return "; did you mean \"\(bare)\"?" }
        return NearestText.hint(for: name, in: entities.keys.sorted())
    }
}
