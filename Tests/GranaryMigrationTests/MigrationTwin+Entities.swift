import GranaryModel
import TestSupport
@testable import SeedingTestSupport

/// Changes of hierarchies and composites.
extension MigrationTwin {
    /// An entity becomes abstract: its own objects go, with all links to them.
    mutating func makeAbstract() {
        let candidates = model.entities.filter { entity in
            // If no object of the entity stays, those that were moved below it keep their keys.
            !entity.isAbstract && entity.name != model.entities.first { $0.name == joined }?.superentityName
                && !(unique.map { family($0.entity).contains(entity.name) } ?? false)
        }
        guard let entity = candidates.randomElement(using: &random), let index = place(entity.name) else { return }
        model.entities[index].isAbstract = true
        content.objects = content.objects.filter { $0.value.entity != entity.name }
        removeLinks { $0.hasPrefix(entity.name + "/") }
        changes.append("\(entity.name) is abstract")
    }

    mutating func removeLinks(where isGone: (String) -> Bool) {
        content.objects = content.objects.mapValues { object in
            var object = object
            object.links = object.links.mapValues { $0.filter { !isGone($0) } }
            return object
        }
    }

    /// A root entity moves below another one that has no subentities. Its objects get the keys after those of the other.
    mutating func joinHierarchies() {
        let roots = model.entities.filter { $0.superentityName == nil }
        let targets = roots.filter { root in family(root.name).count == 1 }
        guard let target = targets.randomElement(using: &random),
            let moved = roots.filter({ $0.name != target.name }).randomElement(using: &random),
            let index = place(moved.name),
            // Both have the attribute `key`.
            !moved.attributes.contains(where: { $0.name == "key" })
        else { return }
        model.entities[index].superentityName = target.name
        joined = moved.name
        let last = content.objects.keys.filter { $0.hasPrefix(target.name + "/") }.map(Self.key).max() ?? 0
        let movedNames = family(moved.name)
        func renamed(_ name: String) -> String {
            let entity = String(name.prefix { $0 != "/" })
            return movedNames.contains(entity) ? "\(entity)/p\(Self.key(name) + last)" : name
        }
        var objects: [String: MigrationContent.Object] = [:]
        for (name, object) in content.objects {
            var object = object
            object.links = object.links.mapValues { $0.map(renamed) }
            // The objects have the attributes of the other entity, too.
            if movedNames.contains(object.entity) {
                for attribute in leaves(of: target) where object.values[attribute.name] == nil {
                    object.values[attribute.name] = MigrationContent.text(attribute.defaultValue)
                }
                for relationship in target.relationships { object.links[relationship.name] = [] }
            }
            objects[renamed(name)] = object
        }
        content.objects = objects
        changes.append("\(moved.name) is below \(target.name)")
    }

    static func key(_ name: String) -> Int { Int(name.drop { $0 != "/" }.dropFirst(2)) ?? 0 }

    // MARK: Composites

    /// The attributes of an entity, with the elements of its composites.
    private func leaves(of entity: EntityDescription) -> [AttributeDescription] {
        entity.attributes.flatMap { attribute in
            guard let composite = model.composites.first(where: { $0.name == attribute.compositeName }) else {
                return [attribute]
            }
            return composite.elements.map { element in
                var element = element
                element.name = "\(attribute.name).\(element.name)"
                return element
            }
        }
    }

    /// A composite attribute gets another name, or its elements change.
    mutating func changeComposite() {
        guard !model.composites.isEmpty else { return }
        let attributes = model.entities.flatMap(\.attributes).filter { $0.type == .composite }
        /// Changes the values of an element in all objects.
        func forEachElement(_ change: (inout [String: String], _ composite: String) -> Void) {
            content.objects = content.objects.mapValues { object in
                var object = object
                for attribute in attributes where has(object.entity, attribute.name) {
                    change(&object.values, attribute.name)
                }
                return object
            }
        }
        let elements = model.composites[0].elements
        let place = Int.random(in: 0..<elements.count, using: &random)
        let element = elements[place]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            guard let attribute = attributes.randomElement(using: &random), attribute.renamingIdentifier == nil else {
                return
            }
            renameComposite(attribute.name)
        case 1:
            guard element.renamingIdentifier == nil, !element.name.hasPrefix("added") else { return }
            model.composites[0].elements[place].name = "n" + element.name
            model.composites[0].elements[place].renamingIdentifier = element.name
            forEachElement { $0["\($1).n\(element.name)"] = $0.removeValue(forKey: "\($1).\(element.name)") }
            changes.append("the element \(element.name) is n\(element.name)")
        case 2:
            guard elements.count > 1 else { return }
            model.composites[0].elements.remove(at: place)
            forEachElement { $0["\($1).\(element.name)"] = nil }
            changes.append("the element \(element.name) is gone")
        default:
            var added = AttributeDescription(name: "added\(changes.count)", type: .string)
            added.defaultValue = "default"
            model.composites[0].elements.append(added)
            let text = MigrationContent.text("default")
            forEachElement { $0["\($1).\(added.name)"] = text }
            changes.append("the element \(added.name)")
        }
    }

    private mutating func renameComposite(_ old: String) {
        for index in model.entities.indices {
            guard let place = model.entities[index].attributes.firstIndex(where: { $0.name == old }) else { continue }
            model.entities[index].attributes[place].name = "n" + old
            model.entities[index].attributes[place].renamingIdentifier = old
            forEach(model.entities[index].name) { object in
                for key in object.values.keys where key.hasPrefix(old + ".") {
                    object.values["n" + key] = object.values.removeValue(forKey: key)
                }
            }
        }
        changes.append("\(old) is n\(old)")
    }

    /// Whether objects of an entity have an attribute.
    private func has(_ entity: String, _ attribute: String) -> Bool {
        model.entities.contains { other in
            other.attributes.contains { $0.name == attribute } && family(other.name).contains(entity)
        }
    }
}
