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

        let subject: ModelDifference.Subject
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
        func add(
            _ name: String, _ subject: ModelDifference.Subject, isStored: Bool, relationship: Int? = nil,
            isElement: Bool = false
        ) {
            let member = Member(
                subject: subject, kind: isStored ? .stored : .notStored, owner: index, relationship: relationship,
                isElement: isElement)
            members.append((name, member))
        }
        for attribute in entity.attributes {
            let leaves = composites.leaves(of: attribute)
            // An enumeration has the name of the composite.
            if leaves.first?.path != attribute.name { add(attribute.name, .attribute, isStored: false) }
            for leaf in leaves {
                // The value of an enumeration with several columns is in none of them.
                add(
                    leaf.path, .attribute, isStored: !leaf.attribute.isTransient && leaf.cases == nil,
                    isElement: attribute.type == .composite && leaf.path != attribute.name)
            }
        }
        for (place, relationship) in entity.relationships.enumerated() {
            let isStored = !relationship.isToMany && !relationship.isTransient
            add(relationship.name, .relationship, isStored: isStored, relationship: place)
        }
        for property in entity.fetchedProperties { add(property.name, .fetchedProperty, isStored: false) }
        return members
    }
}
