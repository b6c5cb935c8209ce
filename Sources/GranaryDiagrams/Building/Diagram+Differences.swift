package import GranaryModel

extension Diagram {
    /// The diagram of the newer of two models, with what was added, changed and removed.
    ///
    /// - Parameter verdict: whether stores can be migrated, in words.
    package init(_ older: ManagedObjectModel, _ newer: ManagedObjectModel, verdict: String) {
        let differences = older.differences(to: newer)
        self.init(Self.union(older, newer))
        self.verdict = verdict
        let places = Dictionary(boxes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let oldNames = Set(older.entities.map(\.name))
        let newNames = Set(newer.entities.map(\.name))
        for (index, box) in boxes.enumerated() {
            let change: Change = !newNames.contains(box.name) ? .removed : !oldNames.contains(box.name) ? .added : .none
            boxes[index].change = change
            for row in box.rows.indices where change != .none { boxes[index].rows[row].change = change }
        }
        for difference in differences.changes {
            guard let box = difference.entity.flatMap({ places[$0] }), boxes[box].change != .added,
                boxes[box].change != .removed
            else { continue }
            boxes[box].change = .changed
            let row = difference.property.flatMap { name in boxes[box].rows.firstIndex { $0.name == name } }
            guard let row else {
                boxes[box].note = Self.joined(boxes[box].note, Self.text(difference))
                continue
            }
            boxes[box].rows[row].change = Self.change(of: boxes[box].name, boxes[box].rows[row], older, newer)
            boxes[box].rows[row].note = Self.joined(boxes[box].rows[row].note, Self.text(difference))
        }
        for index in links.indices { links[index].change = change(of: links[index]) }
    }

    /// The newer model with the entities and properties of the older one that it does not have.
    private static func union(_ older: ManagedObjectModel, _ newer: ManagedObjectModel) -> ManagedObjectModel {
        var model = newer
        let places = Dictionary(
            newer.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for old in older.entities {
            guard let place = places[old.name] else {
                model.entities.append(old)
                continue
            }
            let new = newer.entities[place]
            let names = Set(new.attributes.map(\.name) + new.relationships.map(\.name))
            model.entities[place].attributes += old.attributes.filter { !names.contains($0.name) }
            model.entities[place].relationships += old.relationships.filter { !names.contains($0.name) }
        }
        return model
    }

    private static func change(
        of entity: String, _ row: Row, _ older: ManagedObjectModel, _ newer: ManagedObjectModel
    ) -> Change {
        func has(_ model: ManagedObjectModel) -> Bool {
            guard let entity = model.entities.first(where: { $0.name == entity }) else { return false }
            return entity.attribute(named: row.name) != nil || entity.relationship(named: row.name) != nil
                || entity.fetchedProperties.contains { $0.name == row.name }
        }
        return !has(older) ? .added : !has(newer) ? .removed : .changed
    }

    private func change(of link: Link) -> Change {
        let ends = [link.from, link.to].map { end in
            end.row.map { boxes[end.box].rows[$0].change } ?? (link.isInheritance ? boxes[end.box].change : .none)
        }
        if ends.contains(.removed) { return .removed }
        if ends.contains(.added) { return .added }
        return !link.isInheritance && ends.contains(.changed) ? .changed : .none
    }

    /// `optional: yes → no`
    private static func text(_ difference: ModelDifference) -> String {
        let values = [difference.from, difference.to].compactMap { $0 }.joined(separator: " → ")
        return values.isEmpty ? difference.what : "\(difference.what): \(values)"
    }

    private static func joined(_ first: String?, _ second: String) -> String {
        first.map { "\($0); \(second)" } ?? second
    }
}
