import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Resolves conflicts with the policy, so that the save can be tried again.
    ///
    /// - Throws: ``GranaryError`` with ``SaveConflicts`` under ``MergePolicy/error``; any error from reading.
    func resolve(_ conflicts: SaveAttempt.Conflicts, read mark: ReadMark) throws {
        let changed = try conflicts.changed.map { conflict in
            (conflict.object, try conflict.batch.map { row(try share($0, of: conflict.store, read: mark), 0) })
        }
        let decisions = PolicyDecisions()
        try withoutUndo {
            do { try resolve(changed, conflicts.clashes, decisions) } catch {
                decisions.takeBack()
                throw error
            }
        }
    }

    private func resolve(
        _ changed: [(ManagedObject, StoredRow?)], _ allClashes: [UniquenessCheck.Clash], _ decisions: PolicyDecisions
    ) throws {
        policyDecisions = decisions
        defer { policyDecisions = nil }
        let modes = try changed.map { object, stored in
            let conflict = conflict(of: object, with: stored)
            return try finalMode { policy in try during(.mergePolicy) { try policy.resolve(conflict, of: object) } }
        }
        // Resolving the version conflicts may also resolve these; if not, the next attempt finds them again.
        let clashes = changed.isEmpty || modes.contains(.error) ? allClashes : []
        let clashModes = try clashes.map(mode)
        policyDecisions = nil
        guard !(modes + clashModes).contains(.error) else {
            throw refusal(
                zip(changed, modes).filter { $0.1 == .error }.map(\.0),
                zip(clashes, clashModes).filter { $0.1 == .error }.map(\.0))
        }
        for ((object, stored), mode) in zip(changed, modes) {
            try decisions.keep(for: object) { try resolve(object, stored, mode) }
        }
        for (clash, mode) in zip(clashes, clashModes) { try resolve(clash, mode) }
    }

    private func mode(of clash: UniquenessCheck.Clash) throws -> MergePolicy.Mode {
        guard let other = try lookUpObject(with: clash.other) else { return mergePolicy.mode }
        return try finalMode { policy in
            try during(.mergePolicy) { try policy.resolve(clash.conflict, of: clash.object, with: other) }
        }
    }

    /// Calls the context's policy, then each policy that it returns. A built-in policy returns itself.
    private func finalMode(_ ask: (MergePolicy) throws -> MergePolicy) throws -> MergePolicy.Mode {
        var policy = mergePolicy
        for _ in 0..<Self.policyRounds {
            let next = try ask(policy)
            guard next !== policy else { break }
            policy = next
        }
        return policy.mode
    }

    /// The maximum length of a chain of policies.
    private static let policyRounds = 16

    private func refusal(
        _ changed: [(ManagedObject, StoredRow?)], _ clashes: [UniquenessCheck.Clash]
    ) -> GranaryError {
        let conflicts = SaveConflicts(
            mergeConflicts: changed.map { conflict(of: $0, with: $1) }, constraintConflicts: clashes.map(\.conflict))
        var collector = DiagnosticCollector()
        for (conflict, object) in zip(conflicts.mergeConflicts, changed.map(\.0)) {
            collector.add(conflict.diagnostic(entity: object.entity.name))
        }
        for clash in clashes { collector.add(clash.diagnostic) }
        let message =
            changed.isEmpty
            ? "the objects break \(collector.ruleCount) of the model"
            : "others have changed objects of the save in the store"
        var error = GranaryError(.refused, message, diagnostics: collector.diagnostics, underlying: conflicts)
        error.specificCode = changed.isEmpty ? 133_021 : 133_020
        return error
    }

    private func conflict(of object: ManagedObject, with stored: StoredRow?) -> MergeConflict {
        let snapshot = object.snapshot ?? object.values
        var properties: [MergeConflict.Property] = []
        func compare(_ name: String, _ slot: Int, _ value: (SlotValue) -> PropertyValue) {
            let here = object.values[slot]
            let there = stored?.value(at: slot)
            guard there == nil ? here != snapshot[slot] : here != there else { return }
            properties.append(
                MergeConflict.Property(
                    name: name, objectValue: value(here), storeValue: there.map(value),
                    snapshotValue: value(snapshot[slot])))
        }
        if !object.isFault {
            for attribute in object.layout.entity.attributes where attribute.isPersistent {
                compare(attribute.name, attribute.slot) { .attribute($0.attribute) }
            }
            for link in object.layout.relationships where link.isPersistent && !link.isToMany {
                compare(link.name, link.slot) { .object($0.toOne) }
            }
        }
        return MergeConflict(
            objectID: object.objectID, isDeleted: object.isDeleted, oldVersion: object.version,
            newVersion: stored?.version, properties: properties)
    }

    // MARK: - Changed objects

    private func resolve(_ object: ManagedObject, _ stored: StoredRow?, _ mode: MergePolicy.Mode) throws {
        switch (object.isDeleted, stored) {
        case (true, nil):
            object.isGoneFromStore = true
        case (true, let stored?):
            // The deletion is kept: its delete rules have run and cannot be reverted completely.
            object.version = stored.version
        case (false, nil) where mode.favorsStore:
            object.isGoneFromStore = true
            markDeleted(object)
        case (false, nil):
            object.isRevived = true
        case (false, let stored?):
            // The object may have been written again since an earlier attempt.
            object.isRevived = false
            let before = object.values
            try merge(object, with: stored, mode)
            guard object.isUpdated, object.differs(from: before) else { break }
            // willSave runs again for an object with new values from the store.
            changeCount += 1
            object.changeMark = changeCount
        }
        if tracksChanges { pending.refreshed.insert(object) }
    }

    private func merge(_ object: ManagedObject, with stored: StoredRow, _ mode: MergePolicy.Mode) throws {
        switch mode {
        case .mergeByPropertyStoreTrump: try rebase(object, onto: StoredValues(stored), winner: .store)
        case .mergeByPropertyObjectTrump: try rebase(object, onto: StoredValues(stored), winner: .object)
        case .overwrite, .error:
            object.version = stored.version
            // If the policy is called again, it must not count these changes of the store a second time.
            for attribute in object.layout.entity.attributes where attribute.isPersistent {
                object.snapshot?[attribute.slot] = stored.value(at: attribute.slot)
            }
        case .rollback:
            if let snapshot = object.snapshot { try object.restoreLinks(from: snapshot) }
            object.turnIntoFault()
            object.isUpdated = false
            updated.remove(object)
            object.row = stored
            object.version = stored.version
        }
    }

    // MARK: - Unique values

    /// Merges two objects with the same unique value. The stored one, or the earlier one, remains.
    private func resolve(_ clash: UniquenessCheck.Clash, _ mode: MergePolicy.Mode) throws {
        let loser = clash.object
        guard !loser.isDeleted, let survivor = try lookUpObject(with: clash.other), survivor !== loser else { return }
        try survivor.fire()
        if mode.favorsStore, !loser.isInserted { return try giveUp(clash, of: loser, mode) }
        if !mode.favorsStore { try take(from: loser, into: survivor, isWhole: mode == .overwrite) }
        try passReferences(from: loser, to: survivor)
        for link in loser.layout.relationships {
            if link.isToMany { try loser.replaceAll(link, with: []) } else { try loser.replace(link, with: nil) }
        }
        markDeleted(loser)
    }

    /// Restores the stored unique values of an object; under `rollback` discards all its changes.
    private func giveUp(
        _ clash: UniquenessCheck.Clash, of object: ManagedObject, _ mode: MergePolicy.Mode
    ) throws {
        guard let snapshot = object.snapshot else { return }
        if mode == .rollback { return try refresh(object, mergeChanges: false) }
        for name in clash.names {
            switch object.entity.property(named: name) {
            case .attribute(let index)?:
                let slot = object.entity.attributes[index].slot
                try object.setValue(snapshot[slot].attribute, forKey: name)
            case .relationship(let index)?:
                let link = object.layout.relationships[index]
                try object.replace(
                    link, with: try snapshot[link.slot].toOne.flatMap { try self.lookUpObject(with: $0) })
            case nil: break
            }
        }
    }

    private func take(from loser: ManagedObject, into survivor: ManagedObject, isWhole: Bool) throws {
        let base = loser.snapshot ?? ObjectValues(loser.layout.defaults)
        for attribute in loser.layout.entity.attributes {
            let value = loser.values[attribute.slot]
            guard isWhole || value != base[attribute.slot],
                survivor.layout.entity.attribute(named: attribute.name) != nil
            else { continue }
            try survivor.setValue(value.attribute, forKey: attribute.name)
        }
        for link in loser.layout.relationships
        where survivor.layout.entity.relationship(named: link.name) != nil {
            if link.isToMany {
                let members = try loser.objects(forKey: link.name)
                if isWhole {
                    try survivor.setObjects(members, forKey: link.name)
                } else {
                    for member in members { try survivor.add(member, forKey: link.name) }
                }
            } else if isWhole || loser.values[link.slot] != base[link.slot] {
                try survivor.setObject(try loser.object(forKey: link.name), forKey: link.name)
            }
        }
    }

    /// Redirects references from one object to the other.
    private func passReferences(from loser: ManagedObject, to survivor: ManagedObject) throws {
        for object in inserted.union(updated) where object !== loser {
            for link in object.layout.relationships where link.inverse == nil {
                switch object.values[link.slot] {
                case .toOne(loser.objectID): try object.replace(link, with: survivor)
                case .toMany(let links?) where links.contains(loser.objectID):
                    try object.insert(survivor, into: link)
                    try object.remove(loser, from: link)
                default: break
                }
            }
        }
        for link in loser.layout.relationships {
            guard let inverse = link.inverse else { continue }
            for member in link.isToMany ? try loser.objects(forKey: link.name) : [] where member !== survivor {
                guard let back = member.layout.relationships.first(where: { $0.id == inverse.id }) else { continue }
                if back.isToMany {
                    try member.insert(survivor, into: back)
                } else {
                    try member.replace(back, with: survivor)
                }
            }
        }
    }
}
