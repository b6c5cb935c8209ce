import GranaryBase
import GranaryCoordination
import GranaryModel

/// Copies the objects of a subset with their keys, inside a transaction: first rows, then the links that are not stored
/// in rows.
struct SubsetCopy {
    private let source: any StoreBackend
    private let writer: any StoreWriter
    private let selection: SubsetSelection
    /// Replaces values; nil if all are kept.
    private let values: AnonymisedValues?
    private let cancellation: Cancellation?
    private(set) var tally: SubsetTally
    private var reading = BatchSize()
    /// Rows are written when their replaced values take this number of bytes. Replaced values of external files can be
    /// much larger than the rows that were read.
    private let replacedBytes: Int

    private var schema: Schema { source.schema }

    init(
        _ source: any StoreBackend, writer: any StoreWriter, selection: SubsetSelection, values: AnonymisedValues?,
        cancellation: Cancellation?, replacedBytes: Int = 4 << 20
    ) {
        self.source = source
        self.replacedBytes = replacedBytes
        tally = SubsetTally(source.schema)
        self.writer = writer
        self.selection = selection
        self.values = values
        self.cancellation = cancellation
    }

    /// - Parameter warnings: receives the rules that the source breaks.
    mutating func run(_ warnings: inout DiagnosticCollector) throws {
        for entity in schema.entities where entity.root == entity.index {
            try copyRows(of: entity, &warnings)
        }
        try writer.bulk?.finishRows()
        for entity in schema.entities where !selection.found[entity.index].isEmpty {
            for relationship in entity.relationships where relationship.isPersistent && relationship.isToMany {
                try copyLinks(of: relationship, entity, &warnings)
            }
        }
        try writer.completeOrder()
        for entity in schema.entities where entity.root == entity.index {
            let last = entity.family.compactMap { selection.found[$0].largest }.max() ?? 0
            if last > 0 { try writer.reserveKeys(root: entity.index, through: last) }
        }
    }

    // MARK: Rows

    private mutating func copyRows(of root: Schema.Entity, _ warnings: inout DiagnosticCollector) throws {
        var keys: [Int64] = []
        for key in selection.requested[root.index] {
            keys.append(key)
            guard keys.count >= reading.rows else { continue }
            try copyRows(keys, root, &warnings)
            keys.removeAll(keepingCapacity: true)
        }
        try copyRows(keys, root, &warnings)
    }

    private mutating func copyRows(
        _ keys: [Int64], _ root: Schema.Entity, _ warnings: inout DiagnosticCollector
    ) throws {
        guard !keys.isEmpty else { return }
        try cancellation?.check()
        var batch = try source.read(root: root.index, keys: keys)
        reading.note(batch)
        // The other cells stay where they are: each row says where its cells begin.
        batch.rows.removeAll { !selection.contains($0.key, entity: Int($0.entity)) }
        let readBytes = batch.bytes.count
        var row = 0
        while row < batch.rows.count {
            try change(row, &batch, &warnings)
            row += 1
            guard batch.bytes.count - readBytes >= replacedBytes else { continue }
            try writeFirst(row, &batch, readBytes)
            row = 0
        }
        if !batch.isEmpty { try writer.insert(batch) }
    }

    /// Writes the first rows of a batch and removes them, with the bytes that were added to those that were read.
    private func writeFirst(_ count: Int, _ batch: inout RowBatch, _ readBytes: Int) throws {
        let rest = Array(batch.rows[count...])
        batch.rows.removeSubrange(count...)
        try writer.insert(batch)
        batch.rows = rest
        batch.bytes.removeSubrange(readBytes...)
    }

    /// Replaces the values and references of a row.
    private mutating func change(
        _ row: Int, _ batch: inout RowBatch, _ warnings: inout DiagnosticCollector
    ) throws {
        let entity = schema.entities[Int(batch.rows[row].entity)]
        // A new object has version 1.
        batch.rows[row].version = 1
        setReferences(of: entity, row, &batch, &warnings)
        let order = values?.anonymisation.order[entity.index] ?? entity.attributes.filter(\.isPersistent)
        for attribute in order {
            if attribute.description.derivationExpression != nil {
                // The new store computes it from what the subset has.
                batch[row, attribute.slot] = .null
                continue
            }
            if let outcome = try values?.replace(attribute, row, &batch) {
                tally.note(outcome, entity: entity.index, slot: attribute.slot)
                if case .replaced = outcome { continue }
            } else {
                tally.note(Self.outcome(of: batch[row, attribute.slot]), entity: entity.index, slot: attribute.slot)
            }
            check(attribute, entity, row, batch, &warnings)
        }
    }

    // MARK: Derived attributes

    /// Counts the values of derived attributes, which the new store has computed, and warns about those that break a
    /// rule. A value can be NULL although the source has one: a store does not compute all expressions, and the object
    /// of the value may be cut off. Call when all rows and links are written.
    mutating func noteDerived(in target: any StoreBackend, _ warnings: inout DiagnosticCollector) throws {
        for entity in schema.entities where !selection.found[entity.index].isEmpty {
            let derived = entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression != nil }
            guard !derived.isEmpty else { continue }
            var keys: [Int64] = []
            for key in selection.found[entity.index] {
                keys.append(key)
                guard keys.count >= reading.rows else { continue }
                try noteDerived(derived, keys, entity, target, &warnings)
                keys.removeAll(keepingCapacity: true)
            }
            try noteDerived(derived, keys, entity, target, &warnings)
        }
    }

    private mutating func noteDerived(
        _ derived: [Schema.Attribute], _ keys: [Int64], _ entity: Schema.Entity, _ target: any StoreBackend,
        _ warnings: inout DiagnosticCollector
    ) throws {
        guard !keys.isEmpty else { return }
        try cancellation?.check()
        let batch = try target.read(root: entity.root, keys: keys)
        reading.note(batch)
        for row in batch.rows.indices {
            for attribute in derived {
                let isNull = batch[row, attribute.slot] == .null
                tally.note(
                    isNull ? .null : .kept("derived, computed again"), entity: entity.index, slot: attribute.slot)
                check(attribute, entity, row, batch, &warnings)
            }
        }
    }

    /// What happens to a value of an attribute that is not replaced.
    private static func outcome(of cell: StoredCell) -> SubsetTally.Outcome {
        switch cell {
        case .null: .null
        case .text(_, 0), .blob(_, 0): .empty
        default: .kept("not named")
        }
    }

    /// Removes references to objects that the subset does not have.
    private mutating func setReferences(
        of entity: Schema.Entity, _ row: Int, _ batch: inout RowBatch, _ warnings: inout DiagnosticCollector
    ) {
        for relationship in entity.relationships where relationship.isPersistent && !relationship.isToMany {
            if case .reference(let key, _) = batch[row, relationship.slot] {
                let destination = schema.entities[relationship.destination]
                if let found = selection.entity(of: key, in: destination.family) {
                    batch[row, relationship.slot] = .reference(key: key, entity: Int32(truncatingIfNeeded: found))
                    tally.note(relationship, kept: 1)
                    continue
                }
                batch[row, relationship.slot] = .null
                tally.note(relationship, cut: 1)
                // An object that was asked for and not found does not exist.
                if selection.requested[destination.root].contains(key) {
                    warnings.add(
                        Diagnostic(
                            .relationshipNotFound,
                            "\(batch.objectName(row: row, schema)) refers to p\(key), which is not an object of "
                                + "\(destination.name); the reference is NULL in the subset",
                            severity: .warning, entity: entity.name, property: relationship.name))
                }
            }
            for violation in relationship.violations(ofCount: batch[row, relationship.slot] == .null ? 0 : 1) {
                warn(violation, batch.objectName(row: row, schema), entity, relationship.name, &warnings)
            }
        }
    }

    /// Warns about a value that breaks a rule in the source.
    private func check(
        _ attribute: Schema.Attribute, _ entity: Schema.Entity, _ row: Int, _ batch: borrowing RowBatch,
        _ warnings: inout DiagnosticCollector
    ) {
        // No rule needs the content of a file.
        guard batch.externalFile(row: row, slot: attribute.slot) == nil else { return }
        let violations: [Violation]
        do {
            violations = try batch.withValue(row: row, of: attribute) { attribute.validator.violations(of: $0) }
        } catch {
            violations = [Violation(.storeCorrupt, (error as? CellMismatch)?.message ?? "\(error)")]
        }
        for violation in violations {
            warn(violation, batch.objectName(row: row, schema), entity, attribute.name, &warnings)
        }
    }

    private func warn(
        _ violation: Violation, _ object: String, _ entity: Schema.Entity, _ property: String,
        _ warnings: inout DiagnosticCollector
    ) {
        warnings.add(
            Diagnostic(
                violation.code, "\(object): \(violation.message)", severity: .warning, entity: entity.name,
                property: property, coreDataCode: violation.coreDataCode))
    }

    // MARK: Links

    /// Writes the links of a to-many relationship that are not stored in rows, and counts its links.
    private mutating func copyLinks(
        of relationship: Schema.Relationship, _ entity: Schema.Entity, _ warnings: inout DiagnosticCollector
    ) throws {
        let isWritten = LinkLayout(relationship, schema: schema).isWrittenAsLinks
        let all = selection.found[entity.index]
        try all.forEachBatch(of: SubsetClosure.ownerBatch) { owners in
            try cancellation?.check()
            var counts: [Int64: Int] = [:]
            var cut = 0
            // The members of one owner.
            var members: [Link] = []
            try source.readLinks(of: relationship, owners: owners) { link in
                guard selection.contains(link.destination, entity: link.entity) else {
                    cut += 1
                    return
                }
                counts[link.owner, default: 0] += 1
                guard isWritten else { return }
                if let owner = members.first?.owner, owner != link.owner {
                    try writer.setLinks(relationship, owner: owner, ownerEntity: entity.index, to: members)
                    members.removeAll(keepingCapacity: true)
                }
                members.append(link)
            }
            if let owner = members.first?.owner {
                try writer.setLinks(relationship, owner: owner, ownerEntity: entity.index, to: members)
            }
            tally.note(relationship, kept: counts.values.reduce(0, +), cut: cut)
            guard relationship.hasCountRule else { return }
            for owner in owners {
                for violation in relationship.violations(ofCount: counts[owner] ?? 0) {
                    warn(
                        violation, schema.objectName(entity: entity.index, key: owner), entity, relationship.name,
                        &warnings)
                }
            }
        }
    }

    /// Warns about links of chosen objects that the source has to objects that do not exist.
    func noteBrokenLinks(_ warnings: inout DiagnosticCollector) throws {
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && relationship.isToMany {
                let members = schema.entities[relationship.destination].family
                var count = 0
                try source.readBrokenLinks(of: relationship) { link in
                    let isLost =
                        link.lacksOwner
                        ? relationship.inverse == nil && selection.entity(of: link.destination, in: members) != nil
                        : selection.entity(of: link.owner, in: entity.family) != nil
                    if isLost { count += 1 }
                }
                guard count > 0 else { continue }
                warnings.add(
                    Diagnostic(
                        .relationshipNotFound,
                        count == 1
                            ? "1 link to an object that does not exist was not copied"
                            : "\(count) links to objects that do not exist were not copied",
                        severity: .warning, entity: entity.name, property: relationship.name))
            }
        }
    }
}
