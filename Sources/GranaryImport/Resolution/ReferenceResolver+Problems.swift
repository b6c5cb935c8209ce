import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// Diagnostics of references, and of records that refer to rejected records.
extension ReferenceResolver {
    func diagnostic(
        _ reference: ReferenceTable.Reference, _ code: Diagnostic.Code, _ message: String
    ) -> Diagnostic { read.diagnostic(reference, code, message) }

    mutating func reject(
        _ reference: ReferenceTable.Reference, _ code: Diagnostic.Code, _ words: String, _ key: [UInt8],
        _ indexNumber: Int?, property: String? = ""
    ) {
        let text = display(key, indexNumber)
        var message = "\(words) the key \(text)"
        var help: String?
        if code == .relationshipNotFound {
            var nearest = ""
            if let wanted = NaturalKeyBytes.text(key[...]),
                let padded = indexNumber.flatMap({ withLeadingZeros(wanted, in: keys.all[$0].index) })
            {
                nearest = ", but one with the key \"\(padded)\""
                help =
                    "the column has lost its leading zeros, as in a spreadsheet; make it a text column there, or correct "
                    + "the file"
            } else if let wanted = NaturalKeyBytes.text(key[...]) {
                nearest = hint(for: wanted, in: indexNumber.map { keys.all[$0].index } ?? table.identifiers)
            }
            message += nearest
            if isUnknownIdentifier(table.identifier(of: reference), reference) {
                message += "; a text of this form is the $id of an exported object"
                help = OptionHelp.option("key", "$id").map { $0 + " --on-conflict update" }
            } else if nearest.isEmpty, property != nil, let indexNumber {
                help = creationHelp(reference, indexNumber)
            }
        }
        var problem = diagnostic(reference, code, message)
        problem.help = help
        if property == nil {
            // The problem is the record's own key, not the relationship.
            problem.property = nil
            let field = Int(reference.ownerField)
            problem.field = table.fields.indices.contains(field) ? table.fields[field] : nil
            problem.position?.column = Int(reference.ownerColumn)
            problem.position?.byteOffset = nil
        }
        problem.value = Diagnostic.shortened(NaturalKeyBytes.text(table.identifier(of: reference)[...]) ?? text)
        reject(reference, problem)
    }

    /// A key of an index for messages.
    func display(_ key: [UInt8], _ indexNumber: Int?) -> String {
        guard let indexNumber else { return NaturalKeyBytes.display(key[...]) }
        let owner = schema.entities[keys.all[indexNumber].owner]
        let forms = keys.all[indexNumber].slots.map { slot -> NaturalKeyBytes.Form in
            if let relationship = owner.relationships.first(where: { $0.slot == slot }) {
                return .object(schema.entities[relationship.destination].name)
            }
            return owner.attributes.first { $0.slot == slot }?.type == .binary ? .binary : .plain
        }
        return NaturalKeyBytes.display(key[...], forms: forms)
    }

    /// Whether a key has the form of an `$id` of the destination, and no job reads the `$id` of stored objects.
    private func isUnknownIdentifier(_ key: [UInt8], _ reference: ReferenceTable.Reference) -> Bool {
        guard let text = NaturalKeyBytes.text(key[...]), let slash = text.lastIndex(of: "/"),
            Array(text.utf8).withUnsafeBufferPointer({ RowParser.isIdentifier($0) }),
            let entity = schema.entity(named: String(text[..<slash]))
        else { return false }
        return schema.entity(entity.index, isKindOf: table.relationship(of: reference).destination)
            && !read.sources.jobs.contains { !$0.identifiedEntities.isEmpty }
    }

    /// The option that creates missing objects, if the key alone makes a valid one.
    private func creationHelp(_ reference: ReferenceTable.Reference, _ indexNumber: Int) -> String? {
        let relationship = table.relationship(of: reference)
        let destination = schema.entities[relationship.destination]
        let slots = Set(keys.all[indexNumber].slots)
        let isComplete =
            destination.attributes.allSatisfy { attribute in
                attribute.description.isOptional || attribute.description.defaultValue != nil
                    || slots.contains(attribute.slot)
            } && destination.relationships.allSatisfy { $0.description.isOptional }
        guard !destination.isAbstract, isComplete else { return nil }
        return OptionHelp.option("on-missing", "\(relationship.name)=create")
    }

    /// Rejects a reference whose text is the key of one object and the `$id` of another.
    func rejectAmbiguousForm(
        _ reference: ReferenceTable.Reference, _ keyed: NaturalKeyIndex.Entry, _ named: NaturalKeyIndex.Entry
    ) {
        let relationship = table.relationship(of: reference)
        let natural = NaturalKey(of: schema.entities[relationship.destination], allowsSeveral: true)
        let names = natural?.attributes.map(\.name).joined(separator: ",") ?? ""
        var problem = diagnostic(
            reference, .relationshipAmbiguous,
            "\(NaturalKeyBytes.display(table.identifier(of: reference)[...])) is the key of \(schema.objectName(entity: Int(keyed.entity), key: keyed.key)) "
                + "and the $id of \(schema.objectName(entity: Int(named.entity), key: named.key))")
        problem.help = OptionHelp.either([
            OptionHelp.option("lookup", "\(relationship.name)=$id"),
            OptionHelp.option("lookup", "\(relationship.name)=\(names)"),
        ])
        reject(reference, problem)
    }

    /// The key that a text of digits becomes with leading zeros; nil if there is none.
    private func withLeadingZeros(_ text: String, in index: NaturalKeyIndex) -> String? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            return nil
        }
        return (1...Self.zeroLimit).lazy.map { String(repeating: "0", count: $0) + text }.first { padded in
            var key: [UInt8] = []
            Array(padded.utf8).withUnsafeBufferPointer { NaturalKeyBytes.append(text: $0, to: &key) }
            return index.find(key).map { !$0.isMade && !$0.isRejected } ?? false
        }
    }

    /// The number of leading zeros that a column can have lost.
    private static var zeroLimit: Int { 20 }

    mutating func hint(for text: String, in index: NaturalKeyIndex) -> String {
        guard comparisonsLeft > 0 else { return "" }
        comparisonsLeft -= min(index.count, NearestText.candidateLimit)
        return NearestText.hint(
            for: text, in: index.keysForHints.lazy.compactMap { NaturalKeyBytes.text($0) })
    }

    func reject(_ reference: ReferenceTable.Reference, because entry: NaturalKeyIndex.Entry) {
        let place = RecordLocation(file: entry.file, line: entry.line, record: entry.record)
        reject(reference, refersToRejected(reference, place.position(files: files), place.describe(files)))
    }

    func refersToRejected(
        _ reference: ReferenceTable.Reference, _ position: SourcePosition?, _ name: String
    ) -> Diagnostic {
        var problem = diagnostic(reference, .relationshipNotFound, "refers to the record at \(name), which is rejected")
        problem.related = position.map { [$0] } ?? []
        return problem
    }

    func reject(_ reference: ReferenceTable.Reference, _ problem: Diagnostic) {
        report(reference.isRejected ? nil : RecordID(reference.place), problem)
    }
}
