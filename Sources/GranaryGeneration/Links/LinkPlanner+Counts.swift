import GranaryBase
import GranaryModel

/// Relationships whose numbers of links the user chooses.
extension LinkPlanner {
    /// The user's wishes for the two ends of a relationship.
    struct Rules {
        var first: LinkCounts?
        var second: LinkCounts?
        var firstNulls = 0
        var secondNulls = 0
    }

    /// The wishes for two ends; nil if they are wrong, which is reported.
    mutating func rules(of ends: Ends) -> Rules? {
        let settings = RelationshipSettings(schema: schema, options: options)
        var rules = Rules()
        var isRight = true
        for (isFirst, relationship) in [(true, ends.relationship), (false, ends.inverse)] {
            guard let relationship else { continue }
            do throws(GeneratorSpecification.Problem) {
                let counts = linksOptional ? try settings.counts(relationship) : nil
                let nulls = relationship.isToMany ? 0 : try settings.nullPercent(relationship)
                if isFirst {
                    (rules.first, rules.firstNulls) = (counts, nulls)
                } else {
                    (rules.second, rules.secondNulls) = (counts, nulls)
                }
            } catch {
                isRight = false
                report(relationship, error.message, .modelRule)
            }
        }
        return isRight ? rules : nil
    }

    /// Reports a rule for a relationship whose objects a uniqueness constraint chooses.
    mutating func reportDetermined(_ ends: Ends, _ rules: Rules) {
        guard rules.second != nil, let inverse = ends.inverse else { return }
        report(
            inverse,
            "a uniqueness constraint of \(schema.entities[ends.relationship.owner].name) chooses the objects, so "
                + "\(LinkCounts.key) cannot choose their number", .modelRule)
    }

    mutating func planCounted(
        _ ends: Ends, _ firstEnd: LinkEnd, _ secondEnd: LinkEnd, _ first: ObjectSpan, _ second: ObjectSpan,
        _ rules: Rules
    ) {
        let relationship = ends.relationship
        let orders = orders(relationship, first, second)
        let hasSameEnds = first.isSame(as: second)
        let planner = CountedLinkPlanner(
            first: end(relationship, rules.first, firstEnd, first, ends.firstFamily, orders.first),
            second: end(
                ends.inverse ?? relationship, rules.second, secondEnd, second, ends.secondFamily, orders.second),
            hasSameEnds: hasSameEnds)
        do throws(CountedLinkPlanner.Problem) {
            guard let links = try planner.links() else { return }
            plans.append(
                LinkPlan(
                    relationship: relationship, inverse: ends.inverse, first: first, second: second,
                    mode: .table(links), hasSameEnds: hasSameEnds))
        } catch {
            report(
                error.isFirst ? relationship : ends.inverse ?? relationship, error.message, .relationshipTooFew)
        }
    }

    private func end(
        _ relationship: Schema.Relationship, _ rule: LinkCounts?, _ end: LinkEnd, _ span: ObjectSpan, _ family: Int,
        _ order: Permutation
    ) -> CountedLinkPlanner.End {
        let owner = schema.entities[relationship.owner].name
        return CountedLinkPlanner.End(
            name: "\(owner).\(relationship.name)", rule: rule, end: end, count: span.count,
            entity: schema.entities[family].name, order: order,
            stream: RandomStream(seed: options.randomSeed, [owner, relationship.name, "count"]))
    }

    /// The number of links of each object of a relationship that is its own inverse; nil if it is not possible, which is
    /// reported.
    ///
    /// - Parameter most: the largest number that is possible.
    mutating func ownCount(_ rule: LinkCounts, _ ends: Ends, _ span: ObjectSpan, _ most: UInt64) -> UInt64? {
        let (relationship, end) = (ends.relationship, ends.first)
        guard let count = rule.single else {
            report(
                relationship, "the relationship is its own inverse, so \(LinkCounts.key) must be one number, such as 4",
                .modelRule)
            return nil
        }
        guard count <= most, count >= end.must, count == 0 || count >= end.step else {
            let message =
                count <= end.limit && count > most
                ? "each object needs \(count) others, and there are \(most)"
                : "the model does not allow \(count) objects, which \(LinkCounts.key) asks for"
            report(relationship, message, .relationshipTooFew)
            return nil
        }
        guard count % 2 == 0 || span.count % 2 == 0 else {
            report(
                relationship,
                "each object needs \(count) others, so the count must be even. The largest count is \(span.count - 1)",
                .relationshipTooFew)
            return nil
        }
        return count
    }
}
