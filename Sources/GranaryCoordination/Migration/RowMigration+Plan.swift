import GranaryBase
import GranaryModel
import GranaryPredicates

extension RowMigration {
    /// What is done with the rows of one older entity.
    struct Plan {
        let entity: Schema.Entity
        /// For each slot of the newer entity, the slot of the older one; -1 if there is none.
        let copied: [Int]
        let steps: [Step]
        /// The steps after the policy of the entity.
        let requirements: [Step]
        /// The required attributes whose values can be in missing files, with their sources.
        let filed: [(attribute: Schema.Attribute, source: Schema.Attribute)]
        let droppedAttributes: [Schema.Attribute]
        /// The dropped to-ones.
        let droppedReferences: [Schema.Relationship]
    }

    /// What is done after the cells were copied.
    enum Step {
        case convert(Schema.Attribute)
        /// Reads an external file into the row.
        case inline(Schema.Attribute)
        case refer(Schema.Relationship)
        /// Replaces NULL by a value; without a value it is a problem.
        case require(Schema.Attribute, AttributeValue?, countsAsChange: Bool)
        /// A to-one that must not be NULL.
        case requireObject(Schema.Relationship)
    }
}

extension RowMigration.Plan {
    init(
        _ entity: Schema.Entity, _ sources: EntityMapping, _ mapping: ModelMapping, _ rules: MigrationRules
    ) {
        self.entity = entity
        var copied = [Int](repeating: -1, count: entity.slotCount)
        var steps: [RowMigration.Step] = []
        var requirements: [RowMigration.Step] = []
        var filed: [(attribute: Schema.Attribute, source: Schema.Attribute)] = []
        /// The sources of attributes that a store computes from now on.
        var replaced: [Schema.Attribute] = []
        for attribute in entity.attributes where attribute.isPersistent {
            let isDerived = attribute.description.derivationExpression != nil
            var wasRequired = false
            var isAdded = true
            if case .attribute(let source) = sources.sources[attribute.slot] {
                let derivation = source.description.derivationExpression
                // A new store computes values of derived attributes.
                if isDerived, derivation != attribute.description.derivationExpression {
                    if derivation == nil { replaced.append(source) }
                    continue
                }
                copied[attribute.slot] = source.slot
                wasRequired = !source.description.isOptional
                isAdded = false
                if source.type != attribute.type { steps.append(.convert(attribute)) }
                if source.description.allowsExternalBinaryDataStorage,
                    !attribute.description.allowsExternalBinaryDataStorage
                {
                    steps.append(.inline(attribute))
                }
            }
            if isDerived { continue }
            let fill = rules.fills[entity.index]?[attribute.slot]
            if wasRequired, fill == nil, !attribute.description.isOptional,
                case .attribute(let source) = sources.sources[attribute.slot],
                source.description.allowsExternalBinaryDataStorage
            {
                filed.append((attribute, source))
            }
            if fill != nil || isAdded || !attribute.description.isOptional && !wasRequired {
                let value = fill ?? attribute.description.defaultValue
                guard value != nil || !attribute.description.isOptional else { continue }
                requirements.append(.require(attribute, value, countsAsChange: !isAdded || fill != nil))
            }
        }
        for relationship in entity.relationships where relationship.isPersistent && !relationship.isToMany {
            var wasRequired = false
            if case .relationship(let source) = sources.sources[relationship.slot], !source.isToMany {
                copied[relationship.slot] = source.slot
                wasRequired = !source.description.isOptional
                steps.append(.refer(relationship))
            } else if LinkSource(of: relationship, mapping).isFilledLater {
                // The links of the other end set the reference.
                continue
            }
            if !relationship.description.isOptional, !wasRequired { requirements.append(.requireObject(relationship)) }
        }
        self.copied = copied
        self.steps = steps
        self.requirements = requirements
        self.filed = filed
        let converted = rules.policies[entity.index] == nil ? [] : sources.unconvertedAttributes.map(\.slot)
        droppedAttributes = replaced + sources.droppedAttributes.filter { !converted.contains($0.slot) }
        droppedReferences = sources.droppedRelationships.filter { !$0.isToMany }
    }
}
