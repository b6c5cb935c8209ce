import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// All that is decided before the first object is generated: domains, unique values and links.
struct GenerationPlan {
    /// An attribute whose values are drawn independently.
    ///
    /// It is a class because each use of a struct would change the reference counts of all its members.
    final class Column: Sendable {
        let attribute: Schema.Attribute
        /// Nil if all values are NULL.
        let domain: ValueDomain?
        let nullPercent: UInt64
        let distribution: ValueDistribution
        let values: RandomStream
        let nulls: RandomStream

        init(
            attribute: Schema.Attribute, domain: ValueDomain?, nullPercent: UInt64, distribution: ValueDistribution,
            values: RandomStream, nulls: RandomStream
        ) {
            self.attribute = attribute
            self.domain = domain
            self.nullPercent = nullPercent
            self.distribution = distribution
            self.values = values
            self.nulls = nulls
        }

        func isNull(_ number: UInt64) -> Bool {
            domain == nil || nullPercent > 0 && nulls.number(number, below: 100) < nullPercent
        }

        /// The value of an object; nil for NULL.
        ///
        /// - Parameter attempt: increases if a value is drawn again.
        func value(_ number: UInt64, attempt: UInt64) -> AttributeValue? {
            guard !isNull(number), let domain else { return nil }
            return domain.value(at: distribution.index(values, number, attempt: attempt, size: domain.size))
        }
    }

    /// A to-one relationship whose destination is computed from the object's number. It is a class as ``Column`` is.
    final class Reference: Sendable {
        let slot: Int
        let plan: LinkPlan
        /// Whether the objects are those of the plan's first end.
        let isFirst: Bool
        let stream: RandomStream

        init(slot: Int, plan: LinkPlan, isFirst: Bool, stream: RandomStream) {
            self.slot = slot
            self.plan = plan
            self.isFirst = isFirst
            self.stream = stream
        }
    }

    /// The objects of one concrete entity.
    struct Kind {
        let kind: GeneratedObjects.Kind
        /// The columns whose values are independent of other values.
        let columns: [Column]
        /// The attributes whose values follow from those of the columns.
        let followers: [Follower]
        /// The groups without addresses, which are set after the followers.
        let groups: [UniqueGroup]
        /// The names that follow from unique names.
        let lateNames: [Follower]
        /// The groups with addresses, which follow from all names.
        let addressGroups: [UniqueGroup]
        /// The other attributes whose values follow from unique values.
        let lateFollowers: [Follower]
        /// The attributes that are computed from others, each after those that it needs.
        let computed: [ComputedColumn]
        /// Whether values are set after those of the columns and followers, in the order of the objects.
        var hasLateValues: Bool { !groups.isEmpty || !addressGroups.isEmpty }
        let references: [Reference]
    }

    let objects: GeneratedObjects
    let kinds: [Kind]
    let links: [LinkPlan]
    /// The constraints whose values are checked when they are there.
    let checked: [Schema.UniquenessConstraint]

    /// - Parameter firstKey: the next key of a hierarchy.
    /// - Throws: ``GranaryError``: `usage` for unknown names; `refused` with all rules that cannot be satisfied.
    init(
        _ request: GenerationRequest, store: any StoreBackend, cancellation: Cancellation? = nil,
        firstKey: (_ root: Int) throws -> Int64
    ) throws {
        let options = request.options
        try request.check(against: store.schema)
        var objects = try GeneratedObjects(counts: request.counts, fillsUp: options.fillsUp, store: store)
        try objects.setKeys(firstKey)
        let settings = AttributeSettings(schema: store.schema, options: options)
        let keepsExactDecimals = store.keepsExactDecimals
        var unique = UniquePlanner(objects: objects, options: options, store: store) { attribute, entity in
            AttributeDomains(
                attribute, entity: entity.name, specification: settings.setting(attribute, entity).specification,
                options: options, keepsExactDecimals: keepsExactDecimals)
        }
        var problems: [Diagnostic] = []
        // Unknown generators are reported once, and not as their consequences.
        for kind in objects.kinds {
            for attribute in kind.entity.attributes {
                problems += settings.setting(attribute, kind.entity).problems
            }
        }
        try Self.refuse(problems)
        unique.cancellation = cancellation
        try unique.run()
        problems = unique.problems
        var links = LinkPlanner(objects: objects, options: options, store: store) { [unique] relationship in
            unique.determines(relationship)
        }
        links.linksOptional = request.linksOptionalRelationships
        try links.run()
        problems += links.problems
        var kinds: [Kind] = []
        for kind in objects.kinds {
            let groups = unique.groups(of: kind.entity.index)
            let related = RelatedColumns(kind, unique: Set(groups.keys), settings)
            var columns: [Column] = []
            var followers: [Follower] = []
            let order = ComputedOrder(kind.entity, settings)
            problems += order.problems
            let computed = order.members.filter { groups[$0.attribute.slot] == nil }.compactMap { member in
                Self.column(computed: member, of: kind.entity, settings, options, keepsExactDecimals, &problems)
            }
            for attribute in kind.entity.attributes where attribute.isGenerated && groups[attribute.slot] == nil {
                if case .computed? = settings.setting(attribute, kind.entity).specification { continue }
                let domains = AttributeDomains(
                    attribute, entity: kind.entity.name,
                    specification: settings.setting(attribute, kind.entity).specification, options: options,
                    keepsExactDecimals: keepsExactDecimals)
                let shared = related.shared[attribute.slot]
                switch Self.column(attribute, of: kind.entity, domains, shared, settings, options) {
                case .success(let column):
                    guard let (rule, leaders) = related.rules[attribute.slot] else {
                        columns.append(column)
                        continue
                    }
                    followers.append(Follower(column, rule, leaders: leaders))
                case .failure(let problem): problems.append(problem)
                }
            }
            kinds.append(
                Kind(
                    kind, columns, followers, computed, groups,
                    references: Self.references(of: kind.entity, links.plans, groups, options)))
        }
        try Self.refuse(problems)
        self.objects = objects
        self.kinds = kinds
        self.links = links.plans
        checked = unique.checked
    }

    private static func column(
        _ attribute: Schema.Attribute, of entity: Schema.Entity, _ domains: AttributeDomains,
        _ shared: RelatedColumns.Shared?, _ settings: AttributeSettings, _ options: GenerationOptions
    ) -> Result<Column, Diagnostic> {
        let setting = settings.setting(attribute, entity)
        var domain: ValueDomain?
        switch shared.map({ AttributeDomains.Result.domain($0.domain) }) ?? domains.domain(for: 0) {
        case .domain(let found): domain = found
        case .refused(let code, let message):
            // Without a generator, an optional attribute is NULL unless the user asked for values.
            guard attribute.description.isOptional, setting.specification == nil else {
                return .failure(
                    Diagnostic(
                        code, message, entity: entity.name, property: attribute.name, coreDataCode: code.coreDataCode))
            }
        }
        let names = [entity.name, attribute.name]
        return .success(
            Column(
                attribute: attribute, domain: domain,
                nullPercent: attribute.description.isOptional
                    ? UInt64(max(0, setting.nullPercent ?? options.nullPercent)) : 0,
                distribution: shared?.distribution ?? setting.distribution,
                values: shared?.values ?? RandomStream(seed: options.randomSeed, names),
                nulls: RandomStream(seed: options.randomSeed, names + ["null"])))
    }

    /// The column of a computed attribute. A date has values of its own for objects without the other date.
    private static func column(
        computed member: ComputedOrder.Member, of entity: Schema.Entity, _ settings: AttributeSettings,
        _ options: GenerationOptions, _ keepsExactDecimals: Bool, _ problems: inout [Diagnostic]
    ) -> ComputedColumn? {
        if case .custom = member.value {
            let stream = RandomStream(seed: options.randomSeed, [entity.name, member.attribute.name])
            let column = Column(
                attribute: member.attribute, domain: nil, nullPercent: 0, distribution: .uniform, values: stream,
                nulls: stream)
            return ComputedColumn(column, member.value, leaders: member.leaders)
        }
        let domains = AttributeDomains(
            member.attribute, entity: entity.name, specification: nil, options: options,
            keepsExactDecimals: keepsExactDecimals)
        switch column(member.attribute, of: entity, domains, nil, settings, options) {
        case .success(let column): return ComputedColumn(column, member.value, leaders: member.leaders)
        case .failure(let problem):
            problems.append(problem)
            return nil
        }
    }

    private static func references(
        of entity: Schema.Entity, _ plans: [LinkPlan], _ groups: [Int: UniqueGroup], _ options: GenerationOptions
    ) -> [Reference] {
        var references: [Reference] = []
        for relationship in entity.relationships
        where relationship.isPersistent && !relationship.isToMany && groups[relationship.slot] == nil {
            let first = plans.first { $0.relationship === relationship }
            guard let plan = first ?? plans.first(where: { $0.inverse === relationship }) else { continue }
            references.append(
                Reference(
                    slot: relationship.slot, plan: plan, isFirst: first != nil,
                    stream: RandomStream(seed: options.randomSeed, [entity.name, relationship.name])))
        }
        return references
    }

    private static func refuse(_ problems: [Diagnostic]) throws(GranaryError) {
        guard let first = problems.first else { return }
        let message =
            problems.count == 1
            ? "nothing was generated: \(first.message)"
            : "nothing was generated: the model cannot be satisfied (\(problems.count) problems)"
        throw GranaryError(.refused, message, diagnostics: problems)
    }
}

extension GenerationPlan.Kind {
    /// - Parameter groups: the groups of unique values by slot.
    fileprivate init(
        _ kind: GeneratedObjects.Kind, _ columns: [GenerationPlan.Column], _ followers: [Follower],
        _ computed: [ComputedColumn], _ groups: [Int: UniqueGroup], references: [GenerationPlan.Reference]
    ) {
        // Whole names and addresses can follow from names that follow from another value.
        let names = followers.filter(\.isPartOfName)
        let others = followers.filter { !$0.isPartOfName }
        lateNames = names.filter { $0.leaders.contains { groups[$0] != nil } }
        let late = Set(groups.keys).union(lateNames.map(\.column.attribute.slot))
        lateFollowers = others.filter { !late.isDisjoint(with: $0.leaders) }
        self.followers = (names + others).filter { late.isDisjoint(with: $0.leaders) }
        let distinct = Self.distinct(groups.values)
        self.groups = distinct.filter { !$0.hasAddress }
        addressGroups = distinct.filter(\.hasAddress)
        self.kind = kind
        self.columns = columns
        self.computed = computed
        self.references = references
    }

    /// Whether some unique values continue after those of another kind.
    func continues(_ other: Self) -> Bool {
        let own = groups + addressGroups
        return (other.groups + other.addressGroups).contains { group in own.contains { $0 === group } }
    }

    /// Each group once, in the order of planning.
    private static func distinct(_ groups: some Sequence<UniqueGroup>) -> [UniqueGroup] {
        var seen: Set<ObjectIdentifier> = []
        return groups.filter { seen.insert(ObjectIdentifier($0)).inserted }.sorted {
            ($0.constraint.owner, $0.digits.first?.slot ?? 0) < ($1.constraint.owner, $1.digits.first?.slot ?? 0)
        }
    }
}

extension Schema.Attribute {
    /// Whether a store keeps the attribute and does not compute it.
    var isGenerated: Bool { isPersistent && description.derivationExpression == nil }
}
