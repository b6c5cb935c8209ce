/// Collects what prevents a migration or is lost by it. Counts are complete; of the objects the first ones are named.
package struct MigrationProblems: Sendable {
    private struct Group: Hashable {
        let kind: MigrationProblem.Kind
        let entity: String
        let property: String?
    }

    /// In the order of their first objects.
    package private(set) var all: [MigrationProblem] = []
    private var places: [Group: Int] = [:]

    package var isEmpty: Bool { all.isEmpty }

    mutating func add(_ others: MigrationProblems) {
        for other in others.all {
            let group = Group(kind: other.kind, entity: other.entity, property: other.property)
            guard let place = places[group] else {
                places[group] = all.count
                all.append(other)
                continue
            }
            all[place].count += other.count
            let free = MigrationProblem.objectLimit - all[place].objects.count
            all[place].objects += other.objects.prefix(max(0, free))
        }
    }

    /// - Parameter object: the name of an object concerned, computed only for the first ones.
    mutating func add(
        _ kind: MigrationProblem.Kind, entity: String, property: String?, count: Int = 1,
        object: @autoclosure () -> String?
    ) {
        let group = Group(kind: kind, entity: entity, property: property)
        let place = places[group] ?? all.count
        if place == all.count {
            places[group] = place
            all.append(MigrationProblem(kind: kind, entity: entity, property: property))
        }
        all[place].count += count
        // An object that loses several links is named once.
        if all[place].objects.count < MigrationProblem.objectLimit, let name = object(), all[place].objects.last != name
        {
            all[place].objects.append(name)
        }
    }
}
