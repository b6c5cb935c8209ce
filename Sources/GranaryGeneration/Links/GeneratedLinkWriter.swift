import GranaryBase
import GranaryCoordination
import GranaryModel

/// Writes the links that are not references of generated rows: lists, and references of stored objects.
struct GeneratedLinkWriter {
    let store: any StoreBackend
    let writer: any StoreWriter
    let cancellation: Cancellation?

    /// - Parameter note: receives the stored objects whose links change.
    func write(_ plan: LinkPlan, note: (ObjectSpan.Object) -> Void) throws {
        switch plan.mode {
        case .random, .pairs: return
        case .circle: try writeLists(plan, note)
        case .table:
            if !plan.relationship.isToMany {
                try writeReferences(plan, note)
            } else if let inverse = plan.inverse, writesInverse(plan) {
                try writeInverseLists(plan, inverse, note)
            } else {
                try writeLists(plan, note)
            }
        }
    }

    /// Writes the lists of the first generated objects of each entity. References are in rows.
    func write(_ plan: LinkPlan, ofFirst limit: UInt64, _ kinds: [GeneratedObjects.Kind]) throws {
        for (span, relationship, isFirst) in [
            (plan.first, plan.relationship, true), (plan.second, plan.inverse, false),
        ] {
            guard let relationship, relationship.isToMany, !span.isStored else { continue }
            for kind in kinds {
                guard let start = span.start(of: kind.entity.index) else { continue }
                for index in start..<start + min(limit, kind.count) {
                    let others = isFirst ? plan.members(of: index) : plan.owners(of: index)
                    guard !others.isEmpty else { continue }
                    let object = span[index]
                    try setLinks(
                        relationship, of: object,
                        to: others.map { Link(owner: object.key, entity: Int($0.entity), destination: $0.key) })
                }
            }
        }
    }

    /// Whether the lists of the second end are written: those of stored objects have other members too.
    private func writesInverse(_ plan: LinkPlan) -> Bool {
        if plan.first.isStored { return true }
        if plan.second.isStored { return false }
        return !LinkLayout(plan.relationship, schema: store.schema).isWrittenAsLinks
    }

    private func writeReferences(_ plan: LinkPlan, _ note: (ObjectSpan.Object) -> Void) throws {
        if plan.first.isStored {
            for index in 0..<plan.first.count {
                guard let destination = plan.members(of: index).first else { continue }
                try setReference(plan.relationship, of: plan.first[index], to: destination)
                note(plan.first[index])
            }
        }
        guard plan.second.isStored, let inverse = plan.inverse else { return }
        for index in 0..<plan.second.count {
            guard let owner = plan.owners(of: index).first else { continue }
            if !inverse.isToMany { try setReference(inverse, of: plan.second[index], to: owner) }
            note(plan.second[index])
        }
    }

    private func setReference(
        _ relationship: Schema.Relationship, of object: ObjectSpan.Object, to destination: ObjectSpan.Object
    ) throws {
        try cancellation?.check()
        try writer.setReference(
            relationship, owner: object.key, entity: Int(destination.entity), destination: destination.key)
    }

    private func writeLists(_ plan: LinkPlan, _ note: (ObjectSpan.Object) -> Void) throws {
        for index in 0..<plan.first.count {
            let members = plan.members(of: index)
            guard !members.isEmpty else { continue }
            let owner = plan.first[index]
            var links: [Link] = []
            if plan.first.isStored {
                try store.readLinks(of: plan.relationship, owners: [owner.key]) { links.append($0) }
                note(owner)
            }
            links += members.map { Link(owner: owner.key, entity: Int($0.entity), destination: $0.key) }
            try setLinks(plan.relationship, of: owner, to: links)
            if plan.second.isStored, plan.inverse != nil { for member in members { note(member) } }
        }
    }

    private func writeInverseLists(
        _ plan: LinkPlan, _ inverse: Schema.Relationship, _ note: (ObjectSpan.Object) -> Void
    ) throws {
        for index in 0..<plan.second.count {
            let owners = plan.owners(of: index)
            guard !owners.isEmpty else { continue }
            let object = plan.second[index]
            try setLinks(
                inverse, of: object,
                to: owners.map { Link(owner: object.key, entity: Int($0.entity), destination: $0.key) })
            if plan.first.isStored { for owner in owners { note(owner) } }
        }
    }

    private func setLinks(
        _ relationship: Schema.Relationship, of object: ObjectSpan.Object, to links: [Link]
    ) throws {
        try cancellation?.check()
        try writer.setLinks(relationship, owner: object.key, ownerEntity: Int(object.entity), to: links)
    }
}
