#if canImport(CoreData)
    import Granary
    import TestSupport

    /// A generator of models that combine known features at random. The same seed gives the same model.
    struct ModelGenerator {
        /// Names whose order depends on whether case counts.
        private static let names: [String] = [
            "Barley", "SackB", "Sab", "scale", "Silo", "Mill", "millet", "Oat", "Rye",
        ]
        private static let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
            .uri, .transformable,
        ]

        private var random: SeededGenerator
        private var entities: [EntityDescription] = []
        /// The number in the most recent name of a property or index.
        private var lastNumber = 0

        /// Returns the model of a seed.
        static func model(seed: Int) -> ManagedObjectModel {
            var generator = ModelGenerator(seed: seed)
            return generator.makeModel()
        }

        private init(seed: Int) { random = SeededGenerator(seed: UInt64(seed)) }

        private mutating func makeModel() -> ManagedObjectModel {
            let count = Int.random(in: 3...5, using: &random)
            for name in Self.names.shuffled(using: &random).prefix(count) { addEntity(name) }
            let parents = Set(entities.compactMap { $0.superentityName })
            for index in entities.indices {
                if parents.contains(entities[index].name), chance(of: 2) { entities[index].isAbstract = true }
                for _ in 0..<Int.random(in: 1...6, using: &random) { addAttribute(to: index) }
            }
            for _ in 0..<Int.random(in: 2...5, using: &random) { addRelationship() }
            for index in entities.indices where chance(of: 2) { addConstraint(to: index) }
            for index in entities.indices where chance(of: 3) { addIndex(to: index) }
            var model = ManagedObjectModel(entities: entities)
            if chance(of: 3) { addComposite(to: &model) }
            return model
        }

        private mutating func chance(of one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

        private mutating func name(_ prefix: String) -> String {
            lastNumber += 1
            return "\(prefix)\(lastNumber)"
        }

        // MARK: - Entities and attributes

        private mutating func addEntity(_ name: String) {
            var entity = EntityDescription(name: name)
            if chance(of: 3), let parent = entities.randomElement(using: &random) {
                entity.superentityName = parent.name
            }
            entities.append(entity)
        }

        private mutating func addAttribute(to index: Int) {
            let type = Self.types.randomElement(using: &random) ?? .string
            var attribute = AttributeDescription(name: name("field"), type: type)
            attribute.isOptional = chance(of: 2)
            if type == .transformable {
                attribute.valueTransformerName = "NSSecureUnarchiveFromData"
            } else if chance(of: 3) {
                attribute.defaultValue = ExtremeValues.values(of: type).randomElement(using: &random)
            }
            if type == .binary, chance(of: 2) {
                attribute.allowsExternalBinaryDataStorage = true
            } else if chance(of: 8) {
                attribute.preservesValueInHistoryOnDeletion = true
            }
            if chance(of: 10) {
                attribute.isTransient = true
                attribute.isOptional = true
            }
            entities[index].attributes.append(attribute)
        }

        /// Returns the names of an entity's own attributes of some types, without transient and derived ones.
        private func attributes(of index: Int, _ types: Set<AttributeType>) -> [String] {
            entities[index].attributes
                .filter { types.contains($0.type) && !$0.isTransient && $0.derivationExpression == nil }
                .map { $0.name }
        }

        private mutating func addConstraint(to index: Int) {
            let names = attributes(of: index, [.integer16, .integer32, .integer64, .string, .date, .uuid])
            guard !names.isEmpty else { return }
            let count = chance(of: 2) ? 2 : 1
            entities[index].uniquenessConstraints = [Array(names.prefix(count))]
        }

        private mutating func addIndex(to index: Int) {
            let names = attributes(of: index, [.integer16, .integer32, .integer64, .double, .string, .date])
            guard !names.isEmpty else { return }
            var elements: [FetchIndexDescription.Element] = []
            for name in names.prefix(2) {
                elements.append(FetchIndexDescription.Element(propertyName: name, isAscending: chance(of: 2)))
            }
            let description = FetchIndexDescription(name: name("index"), elements: elements)
            entities[index].fetchIndexes.append(description)
        }

        private mutating func addComposite(to model: inout ManagedObjectModel) {
            var elements: [AttributeDescription] = []
            for type in Self.types.shuffled(using: &random).prefix(3) where type != .transformable {
                var element = AttributeDescription(name: name("part"), type: type)
                element.isOptional = true
                elements.append(element)
            }
            guard !elements.isEmpty else { return }
            model.composites = [CompositeDescription(name: "Parts", elements: elements)]
            var attribute = AttributeDescription(name: name("whole"), type: .composite)
            attribute.isOptional = true
            attribute.compositeName = "Parts"
            model.entities[0].attributes.append(attribute)
        }

        // MARK: - Relationships

        /// Adds a relationship and its inverse.
        ///
        /// A many-to-many pair always joins two hierarchies. Within one, the name of the join table can be a guess.
        private mutating func addRelationship() {
            let first = Int.random(in: entities.indices, using: &random)
            let second = Int.random(in: entities.indices, using: &random)
            let there = name("link")
            let back = name("back")
            var link = RelationshipDescription(name: there, destination: entities[second].name, inverse: back)
            var inverse = RelationshipDescription(name: back, destination: entities[first].name, inverse: there)
            link.isOptional = true
            inverse.isOptional = true
            link.deleteRule = [.nullify, .nullify, .cascade, .deny].randomElement(using: &random) ?? .nullify
            let kind = Int.random(in: 0...2, using: &random)
            if kind > 0 {
                link.maxCount = 0
                link.isOrdered = chance(of: 2)
            }
            if kind == 2, root(of: first) != root(of: second) {
                inverse.maxCount = 0
                inverse.isOrdered = chance(of: 2)
            } else if kind > 0 {
                inverse.isOptional = first == second || !chance(of: 3)
                addDerived(link: there, back: back, first, second)
            }
            entities[first].relationships.append(link)
            entities[second].relationships.append(inverse)
        }

        /// Adds a count to the end with many objects, and a copy of the owner's text to the other end.
        private mutating func addDerived(link: String, back: String, _ first: Int, _ second: Int) {
            if chance(of: 2) {
                var count = AttributeDescription(name: name("count"), type: .integer64)
                count.isOptional = true
                count.derivationExpression = "\(link).@count"
                entities[first].attributes.append(count)
            }
            if let text = attributes(of: first, [.string]).first, chance(of: 2) {
                var copy = AttributeDescription(name: name("copy"), type: .string)
                copy.isOptional = true
                copy.derivationExpression = "\(back).\(text)"
                entities[second].attributes.append(copy)
            }
        }

        private func root(of index: Int) -> String {
            var entity = entities[index]
            while let parent = entities.first(where: { $0.name == entity.superentityName }) { entity = parent }
            return entity.name
        }
    }
#endif
