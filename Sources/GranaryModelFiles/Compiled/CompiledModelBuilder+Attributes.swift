import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension CompiledModelBuilder {
    /// Writes an attribute and, if it is a composite, copies of its elements.
    mutating func write(
        _ attribute: AttributeDescription, at number: UInt64, _ entity: String, _ owner: PropertyListValue
    ) {
        var open = [(attribute: attribute, number: number, depth: 0)]
        var count = 0
        while let (current, number, depth) = open.popLast() {
            let elements = elements(of: current, entity, attribute.name)
            count += elements.count
            guard depth <= CompositeFlattener.depthLimit, count <= CompositeFlattener.elementLimit else {
                problem(.modelInheritance, "the composite contains itself or too many elements", entity, attribute.name)
                return
            }
            var references: [PropertyListValue] = []
            for element in elements {
                let place = builder.reserve()
                references.append(.uid(place))
                open.append((element, place, depth + 1))
            }
            // An element belongs to its composite, not to an entity.
            let isElement = depth > 0
            writeObject(current, at: number, isElement ? KeyedArchiveBuilder.null : owner, references) { message in
                Diagnostic(
                    .modelSyntax, isElement ? "the element \"\(current.name)\": \(message)" : message, entity: entity,
                    property: attribute.name)
            }
        }
    }

    private mutating func elements(
        of attribute: AttributeDescription, _ entity: String, _ property: String
    ) -> [AttributeDescription] {
        guard attribute.type == .composite else { return [] }
        let name = attribute.compositeName ?? ""
        if let composite = composites[name] { return composite.elements }
        problem(.modelReference, "there is no composite \"\(Diagnostic.shortened(name))\"", entity, property)
        return []
    }

    private mutating func writeObject(
        _ attribute: AttributeDescription, at number: UInt64, _ owner: PropertyListValue,
        _ elements: [PropertyListValue], _ diagnostic: (String) -> Diagnostic
    ) {
        var validation: (predicates: PropertyListValue, warnings: PropertyListValue)?
        do throws(GranaryError) {
            validation = try self.validation(of: attribute)
        } catch {
            problem(diagnostic("a validation rule cannot be compiled: \(error.message)"))
        }
        var fields = fields(
            attribute, owner, attribute.derivationExpression == nil ? [] : .readOnly, isIndexed: attribute.isIndexed,
            validation: validation)
        // Unknown bits of a noted flag word are kept.
        let noted = CompiledAttributeFlags(rawValue: Self.number("NSFlagsKey", attribute.notes) ?? 0)
        var storageFlags = noted.subtracting(.all)
        if attribute.allowsExternalBinaryDataStorage { storageFlags.insert(.allowsExternalBinaryDataStorage) }
        if attribute.preservesValueInHistoryOnDeletion { storageFlags.insert(.preservesValueInHistoryOnDeletion) }
        let valueClassName =
            attribute.type == .transformable ? attribute.valueClassName : attribute.type.archivedClassName
        fields += [
            PropertyListEntry("NSAttributeType", .integer(Int64(attribute.type.rawValue))),
            PropertyListEntry("NSAttributeValueClassName", builder.addText(valueClassName)),
            PropertyListEntry("NSDefaultValue", defaultValue(of: attribute, diagnostic)),
            PropertyListEntry("NSValueTransformerName", builder.addText(attribute.valueTransformerName)),
            PropertyListEntry("NSFlagsKey", .integer(storageFlags.rawValue)),
        ]
        var classNames = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
        if let text = attribute.derivationExpression {
            classNames.insert("NSDerivedAttributeDescription", at: 0)
            fields += [
                PropertyListEntry("NSDerivationExpression", derivation(text, diagnostic)),
                PropertyListEntry("NSFilteringPredicate", keptPredicate(attribute.notes["NSFilteringPredicate"])),
            ]
        } else if attribute.type == .composite {
            classNames.insert("NSCompositeAttributeDescription", at: 0)
            fields.append(PropertyListEntry("NSCompositeElements", builder.addArray(elements)))
        }
        builder.set(number, classNames: classNames, fields: fields)
    }

    private mutating func validation(
        of attribute: AttributeDescription
    ) throws(GranaryError) -> (predicates: PropertyListValue, warnings: PropertyListValue)? {
        let entries = try ValidationPredicates.entries(of: attribute) + KeptValidation.entries(attribute.notes)
        guard !entries.isEmpty else { return nil }
        var predicates: [PropertyListValue] = []
        var warnings: [PropertyListValue] = []
        for entry in entries {
            predicates.append(try PredicateArchiveWriter.add(entry.predicate, to: &builder))
            switch entry.warning {
            case .string(let text)?: warnings.append(builder.addText(text))
            case let number?: warnings.append(builder.add(number))
            // The two lists must have the same length.
            case nil: warnings.append(builder.add(.integer(Int64(ValidationPredicates.Field.ruleNumber))))
            }
        }
        return (builder.addArray(predicates), builder.addArray(warnings))
    }

    private mutating func derivation(_ text: String, _ diagnostic: (String) -> Diagnostic) -> PropertyListValue {
        do throws(GranaryError) {
            return try PredicateArchiveWriter.add(PredicateFormat.derivation(text), to: &builder)
        } catch {
            problem(diagnostic("its derivation cannot be compiled: \(error.message)"))
            return KeyedArchiveBuilder.null
        }
    }

    private mutating func defaultValue(
        of attribute: AttributeDescription, _ diagnostic: (String) -> Diagnostic
    ) -> PropertyListValue {
        guard let value = attribute.defaultValue else { return KeyedArchiveBuilder.null }
        switch value {
        case .decimal(let number) where ExactDecimal(exactly: number) == nil:
            problem(diagnostic("its default has more than 38 digits"))
        case .binary(let bytes) where attribute.type == .transformable:
            // A compiled model holds the object itself, which a keyed archive contains.
            guard let archive = try? KeyedArchive(Array(bytes), source: "default", limits: ModelArchive.limits),
                let item = try? archive.top(), let tree = try? archive.tree(item)
            else {
                problem(diagnostic("the default of a Transformable is no keyed archive and cannot be compiled"))
                break
            }
            return KeyedArchiveWriter.addTree(tree, to: &builder)
        default: return KeyedArchiveWriter.add(value.archiveTree, &builder)
        }
        return KeyedArchiveBuilder.null
    }
}
