import GranaryBase

extension ModelCheck {
    /// A property or composite element that a name refers to.
    struct Member {
        enum Kind {
            /// It has a column.
            case stored
            /// A transient or fetched property, a to-many relationship, a whole composite.
            case notStored
        }

        /// The kinds of properties that a model declares.
        enum Form: String {
            case attribute
            case relationship
            case fetchedProperty = "fetched property"

            var phrase: String { self == .attribute ? "an attribute" : "a \(rawValue)" }
        }

        let form: Form
        let kind: Kind
        /// The index in the model of the entity that declares it.
        let owner: Int
        /// The relationship's index in its owner's relationships; nil for other properties.
        var relationship: Int?
        /// Whether it is an element of a composite, whose name is a path.
        var isElement = false
    }

    /// The members of each entity by name. For a duplicate name, an inherited member or else the first one is used.
    func memberTables() -> [[String: Member]] {
        var tables = [[String: Member]](repeating: [:], count: model.entities.count)
        for index in tree.order {
            var table = tree.parents[index].map { tables[$0] } ?? [:]
            for (name, member) in ownMembers(of: model.entities[index], at: index) where table[name] == nil {
                table[name] = member
            }
            tables[index] = table
        }
        return tables
    }

    private func ownMembers(of entity: EntityDescription, at index: Int) -> [(String, Member)] {
        var members: [(String, Member)] = []
        for attribute in entity.attributes {
            let isStored = !attribute.isTransient && attribute.type != .composite
            members.append(
                (attribute.name, Member(form: .attribute, kind: isStored ? .stored : .notStored, owner: index)))
            guard attribute.type == .composite else { continue }
            for (path, leaf) in composites.leaves(of: attribute) {
                members.append(
                    (
                        path,
                        Member(
                            form: .attribute, kind: leaf.isTransient ? .notStored : .stored, owner: index,
                            isElement: true)
                    ))
            }
        }
        for (place, relationship) in entity.relationships.enumerated() {
            let isStored = !relationship.isToMany && !relationship.isTransient
            members.append(
                (
                    relationship.name,
                    Member(
                        form: .relationship, kind: isStored ? .stored : .notStored, owner: index, relationship: place)
                ))
        }
        for property in entity.fetchedProperties {
            members.append((property.name, Member(form: .fetchedProperty, kind: .notStored, owner: index)))
        }
        return members
    }
}
