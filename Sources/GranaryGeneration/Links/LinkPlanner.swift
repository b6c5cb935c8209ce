import GranaryBase
import GranaryCoordination
import GranaryModel

/// Plans the links of all relationships, and finds relationships that cannot be satisfied.
///
/// Generated objects are linked to generated ones. They are linked to stored objects where no objects of the
/// destination are generated.
struct LinkPlanner {
    let objects: GeneratedObjects
    let options: GenerationOptions
    let store: any StoreBackend
    /// Whether the destinations of a relationship are determined elsewhere.
    let isDetermined: (Schema.Relationship) -> Bool
    /// Whether optional relationships get links.
    var linksOptional = true
    var plans: [LinkPlan] = []
    private(set) var problems: [Diagnostic] = []

    init(
        objects: GeneratedObjects, options: GenerationOptions, store: any StoreBackend,
        isDetermined: @escaping (Schema.Relationship) -> Bool
    ) {
        self.objects = objects
        self.options = options
        self.store = store
        self.isDetermined = isDetermined
    }

    var schema: Schema { objects.schema }

    mutating func run() throws {
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent {
                let inverse = schema.inverseRelationship(of: relationship)
                if let inverse, inverse !== relationship {
                    // Each pair is planned once, from its first to-one relationship.
                    let isFirst = (relationship.owner, relationship.slot) < (inverse.owner, inverse.slot)
                    guard relationship.isToMany == inverse.isToMany ? isFirst : !relationship.isToMany else { continue }
                }
                try plan(relationship, inverse)
            }
        }
    }

    /// The two ends of a relationship.
    struct Ends {
        let relationship: Schema.Relationship
        let inverse: Schema.Relationship?
        let firstFamily: Int
        let secondFamily: Int
        let first: LinkEnd
        let second: LinkEnd
    }

    private mutating func plan(_ relationship: Schema.Relationship, _ inverse: Schema.Relationship?) throws {
        let ends = Ends(
            relationship: relationship, inverse: inverse,
            firstFamily: inverse?.destination ?? relationship.owner, secondFamily: relationship.destination,
            first: LinkEnd(relationship),
            second: inverse.map { LinkEnd($0) } ?? (relationship.isToMany ? .exclusive : .free))
        guard checkOutsiders(relationship, ends.firstFamily, ends.first),
            inverse.map({ checkOutsiders($0, ends.secondFamily, ends.second) }) ?? true
        else { return }
        var first = objects.span(ofFamily: ends.firstFamily)
        var second = objects.span(ofFamily: ends.secondFamily)
        guard first.count > 0 || second.count > 0, let rules = rules(of: ends) else { return }
        if isDetermined(relationship) { return reportDetermined(ends, rules) }
        if let inverse, inverse.owner == relationship.owner, inverse.slot == relationship.slot {
            return planOwnInverse(ends, first, rules)
        }
        // A stored object's own row is changed only for an object that needs it.
        if first.count == 0, relationship.isToMany || ends.second.must > 0 {
            first = try storedObjects(ends.firstFamily, relationship, ends)
        } else if second.count == 0, inverse?.isToMany ?? !relationship.isToMany || ends.first.must > 0 {
            second = try storedObjects(ends.secondFamily, inverse, ends)
        }
        let (mustFirst, mustSecond) = (
            first.isStored ? 0 : ends.first.must, second.isStored ? 0 : ends.second.must
        )
        guard linksOptional || mustFirst > 0 || mustSecond > 0 else { return }
        var (firstEnd, secondEnd) = (ends.first, ends.second)
        (firstEnd.must, secondEnd.must) = (mustFirst, mustSecond)
        if rules.first != nil && first.count > 0 || rules.second != nil && second.count > 0 {
            return planCounted(ends, firstEnd, secondEnd, first, second, rules)
        }
        if !relationship.isToMany, secondEnd.isFree, !first.isStored, first.count > 0 {
            guard second.count > 0 else {
                if mustFirst > 0 { report(ends, first, second) }
                return
            }
            let isOptional = relationship.description.isOptional
            let hasSameEnds = first.isSame(as: second)
            plans.append(
                LinkPlan(
                    relationship: relationship, inverse: inverse, first: first, second: second,
                    mode: .random(
                        nullPercent: isOptional ? UInt64(rules.firstNulls) : 0, isTree: isOptional && hasSameEnds),
                    hasSameEnds: hasSameEnds))
            return
        }
        planTable(ends, firstEnd, secondEnd, first, second, rules)
    }

    private mutating func planTable(
        _ ends: Ends, _ firstEnd: LinkEnd, _ secondEnd: LinkEnd, _ first: ObjectSpan, _ second: ObjectSpan,
        _ rules: Rules
    ) {
        let relationship = ends.relationship
        guard
            let degrees = LinkDegrees.solve(
                firstEnd, secondEnd, counts: (first.count, second.count),
                wanted: (
                    wanted(first.count, relationship, rules.firstNulls),
                    wanted(second.count, ends.inverse, rules.secondNulls)
                ))
        else { return report(ends, first, second) }
        guard degrees.links > 0 else { return }
        let hasSameEnds = first.isSame(as: second)
        let (firstOrder, secondOrder) = orders(relationship, first, second)
        plans.append(
            LinkPlan(
                relationship: relationship, inverse: ends.inverse, first: first, second: second,
                mode: .table(LinkTable(degrees, firstOrder, secondOrder, shift: hasSameEnds ? 1 : 0)),
                hasSameEnds: hasSameEnds))
    }

    /// The orders in which the objects of the ends are linked.
    func orders(
        _ relationship: Schema.Relationship, _ first: ObjectSpan, _ second: ObjectSpan
    ) -> (first: Permutation, second: Permutation) {
        let names = [schema.entities[relationship.owner].name, relationship.name]
        let order = Permutation(count: first.count, RandomStream(seed: options.randomSeed, names + ["first"]))
        if first.isSame(as: second) { return (order, order) }
        return (order, Permutation(count: second.count, RandomStream(seed: options.randomSeed, names + ["second"])))
    }

    /// The number of objects to link: an optional to-one is sometimes NULL.
    private func wanted(_ count: UInt64, _ relationship: Schema.Relationship?, _ nullPercent: Int) -> UInt64 {
        guard let relationship, !relationship.isToMany, relationship.description.isOptional, count > 0 else {
            return count
        }
        if nullPercent == 100 { return 0 }
        return max(1, count - count * UInt64(nullPercent) / 100)
    }

    private mutating func planOwnInverse(_ ends: Ends, _ span: ObjectSpan, _ rules: Rules) {
        let (relationship, end, count) = (ends.relationship, ends.first, span.count)
        guard linksOptional || end.must > 0 else { return }
        let names = [schema.entities[relationship.owner].name, relationship.name]
        let order = Permutation(count: count, RandomStream(seed: options.randomSeed, names + ["first"]))
        let mode: LinkPlan.Mode
        if !relationship.isToMany {
            let linked = end.must > 0 ? count : wanted(count, relationship, rules.firstNulls) / 2 * 2
            guard linked % 2 == 0 else {
                return report(
                    relationship,
                    "each object needs a partner, so the count must be even. The largest count is \(count - 1)",
                    .valueMissing)
            }
            mode = .pairs(order, linked: linked)
        } else {
            // In a circle with an odd number of objects all have an even number of links.
            let most = min(end.limit, count - min(count, 1))
            var degree = min(max(2, end.step), most)
            if let rule = rules.first {
                guard let count = ownCount(rule, ends, span, most) else { return }
                degree = count
            } else if degree % 2 == 1, count % 2 == 1 {
                degree = degree < most ? degree + 1 : degree - min(degree, 1)
            }
            if degree == 0, end.must == 0 { return }
            guard degree >= end.step else {
                if end.must > 0 {
                    report(
                        relationship,
                        end.step > most
                            ? "each object needs \(end.step) others, and there are \(count - min(count, 1))"
                            : "each object needs \(end.step) others, so the count must be even. The largest count is "
                                + "\(count - 1)", .relationshipTooFew)
                }
                return
            }
            mode = .circle(order, linked: count, degree: degree)
        }
        plans.append(
            LinkPlan(
                relationship: relationship, inverse: ends.inverse, first: span, second: span, mode: mode,
                hasSameEnds: true))
    }

    /// Reports required relationships of entities whose objects the inverse does not allow.
    private mutating func checkOutsiders(_ relationship: Schema.Relationship, _ family: Int, _ end: LinkEnd) -> Bool {
        let allowed = schema.entities[family].family
        guard end.must > 0,
            let outsider = objects.kinds.first(where: {
                schema.entities[relationship.owner].family.contains($0.entity.index)
                    && !allowed.contains($0.entity.index)
            })
        else { return true }
        problems.append(
            Diagnostic(
                .relationshipNotFound,
                "an object is required, but the inverse relationship leads to \(schema.entities[family].name). The "
                    + "largest count is 0", entity: outsider.entity.name, property: relationship.name))
        return false
    }

    // MARK: Stored objects

    /// The stored objects that can be linked to generated ones.
    ///
    /// - Parameter own: the relationship of the stored objects; nil if they have none.
    private func storedObjects(
        _ entity: Int, _ own: Schema.Relationship?, _ ends: Ends
    ) throws -> ObjectSpan {
        let family = schema.entities[entity].family
        var excluded: Set<Int64> = []
        if let own, own.isToMany, own.description.minCount > 1 || own.description.maxCount > 0 {
            try store.readLinks(of: own, owners: nil) { excluded.insert($0.owner) }
        } else if own == nil, ends.relationship.isToMany {
            try store.readLinks(of: ends.relationship, owners: nil) { excluded.insert($0.destination) }
        }
        let reference = own.flatMap { $0.isToMany ? nil : $0.slot }
        var found: [ObjectSpan.Object] = []
        try store.read(entities: family, batchSize: 512) { batch in
            for row in batch.rows.indices {
                let header = batch.rows[row]
                if excluded.contains(header.key) { continue }
                if let reference, batch[row, reference] != .null { continue }
                found.append(ObjectSpan.Object(entity: header.entity, key: header.key))
            }
            return found.count < GenerationRequest.maximumCount
        }
        return ObjectSpan(stored: found)
    }

    // MARK: Problems

    mutating func report(
        _ relationship: Schema.Relationship, _ message: String, _ code: Diagnostic.Code
    ) {
        problems.append(
            Diagnostic(
                code, message, entity: schema.entities[relationship.owner].name, property: relationship.name,
                coreDataCode: code.coreDataCode))
    }

    /// Reports two ends whose counts contradict each other.
    private mutating func report(_ ends: Ends, _ first: ObjectSpan, _ second: ObjectSpan) {
        let (a, b) = (ends.first, ends.second)
        if a.must > 0, first.count > 0, !first.isStored {
            let most: UInt64 =
                b.limit == .max ? (second.count >= a.step ? .max : 0) : largest(second.count, b.limit, a.step)
            if first.count > most || second.count == 0 {
                return reportTooFew(ends.relationship, ends.secondFamily, second, needs: a.step, most: most)
            }
        }
        if b.must > 0, let inverse = ends.inverse, second.count > 0, !second.isStored {
            let most: UInt64 =
                a.limit == .max ? (first.count >= b.step ? .max : 0) : largest(first.count, a.limit, b.step)
            if second.count > most || first.count == 0 {
                return reportTooFew(inverse, ends.firstFamily, first, needs: b.step, most: most)
            }
        }
        let names = schema.entities
        let other = ends.inverse.map { " and \(names[$0.owner].name).\($0.name)" } ?? ""
        report(
            ends.relationship,
            "no links satisfy the counts of \(names[ends.relationship.owner].name).\(ends.relationship.name)\(other) for "
                + "\(first.count) and \(second.count) objects", .relationshipTooFew)
    }

    private func largest(_ count: UInt64, _ limit: UInt64, _ step: UInt64) -> UInt64 {
        count < step && limit == 1 ? 0 : LinkDegrees.product(count, limit) / max(1, step)
    }

    private mutating func reportTooFew(
        _ relationship: Schema.Relationship, _ destination: Int, _ span: ObjectSpan, needs: UInt64, most: UInt64
    ) {
        let name = schema.entities[destination].name
        let need = needs == 1 ? "1 object of \(name) is required" : "\(needs) objects of \(name) are required"
        let found = span.count == 1 ? "there is 1" : "there are \(span.count)"
        let cycle =
            RequiredCycle(schema: schema).path(from: relationship)
            .map { "; it is part of the cycle \($0) of required relationships" } ?? ""
        report(
            relationship,
            "\(need), and \(found) to link to\(cycle). The largest count is \(most == .max ? 0 : most)",
            relationship.isToMany ? .relationshipTooFew : .valueMissing)
    }
}
