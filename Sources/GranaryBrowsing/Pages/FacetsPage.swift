import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPages
import GranaryPredicates
import GranaryProfile

/// The values of a column, with their numbers and shares.
struct FacetsPage {
    /// Objects are counted for this time, or longer if the reader asks for it.
    private static let time = Duration.milliseconds(60)
    private static let longTime = Duration.seconds(10)
    /// The maximum number of different values that are counted.
    private static let valueLimit = 10_000
    private static let shownLimit = 100
    private static let textLength = 100

    static func address(_ column: String, _ list: PageAddress) -> PageAddress {
        var address = list.without("column", "sort", "after", "all").with("facet", column)
        address.path = "/facets"
        return address
    }

    /// What objects are counted by.
    private enum Key: Hashable {
        case null
        case text(String)
        case object(ObjectPlace)
    }

    private let context: PageContext
    private let entity: Schema.Entity
    private let query: ListQuery
    private var counts: [Key: Int] = [:]
    /// The objects with values that are not counted, because there were too many.
    private var others = 0
    private var total = 0
    private var isComplete = false
    /// What the counted values of an attribute are.
    private var profile: PropertyProfile?

    static func make(_ context: PageContext) throws -> SitePage {
        let entity = try context.entity()
        guard let name = context.address["facet"] else { throw PageError(404, "The address has no column.") }
        let query: ListQuery
        do throws(GranaryError) {
            query = try ListQuery(context.address, entity: entity, of: context.store)
        } catch { throw PageError(400, error.message) }
        var facets = FacetsPage(context: context, entity: entity, query: query)
        if let attribute = entity.attribute(named: name), attribute.isPersistent {
            var tally = AttributeTally(attribute, limit: valueLimit)
            try facets.count { batch, row in
                tally.add(row, batch)
                return Self.key(ShownValue(batch, row: row, of: attribute, limit: textLength))
            }
            facets.profile = tally.profile(frequent: 0)
        } else if let relationship = entity.relationship(named: name), relationship.isPersistent, !relationship.isToMany
        {
            try facets.count { batch, row in
                guard case .reference(let key, let entity) = batch[row, relationship.slot] else { return .null }
                return .object(ObjectPlace(entity: Int(entity), key: key))
            }
        } else {
            throw PageError(404, "The entity has no such column.")
        }
        return try facets.page(name)
    }

    private init(context: PageContext, entity: Schema.Entity, query: ListQuery) {
        self.context = context
        self.entity = entity
        self.query = query
    }

    private static func key(_ value: ShownValue) -> Key {
        switch value {
        case .null: .null
        case .number(let text), .plain(let text): .text(text)
        case .boolean(let flag): .text(flag ? "true" : "false")
        case .date(let seconds): .text(DateText.text(seconds))
        case .text(let text, _): .text(text.text + (text.isCut ? "…" : ""))
        case .binary(let image, let bytes): .text("\(image?.name ?? "binary data"), \(SizeText.text(bytes))")
        case .unreadable: .text("unreadable")
        }
    }

    private mutating func count(_ key: (borrowing RowBatch, Int) -> Key) throws {
        let end = ContinuousClock.now + (context.address["all"] == nil ? Self.time : Self.longTime)
        var isLate = false
        var (counts, others, total) = ([Key: Int](), 0, 0)
        try context.store.search(StoreSearch(entities: entity.family, predicate: query.resolved), batchSize: 64) {
            batch in
            for row in batch.rows.indices {
                let key = key(batch, row)
                total += 1
                if counts[key] != nil || counts.count < Self.valueLimit {
                    counts[key, default: 0] += 1
                } else {
                    others += 1
                }
            }
            isLate = ContinuousClock.now >= end
            return !isLate
        }
        (self.counts, self.others, self.total) = (counts, others, total)
        isComplete = !isLate
    }

    private func page(_ name: String) throws -> SitePage {
        var page = SitePage("\(entity.name).\(name)")
        let isRarestFirst = context.address["order"] == "rarest"
        let sorted = counts.sorted { left, right in
            if left.value == right.value { return order(left.key, right.key) }
            return isRarestFirst ? left.value < right.value : left.value > right.value
        }
        let shown = sorted.prefix(Self.shownLimit)
        var labels = ObjectLabels(context.store, zone: context.zone)
        try labels.load(shown.compactMap { if case .object(let place) = $0.key { place } else { nil } })
        let list = context.address.without("facet", "all", "order")
        page.add(
            "<p>\(context.link(PageAddress("/entity", list.items.map { ($0.name, $0.value) }), "the objects"))</p>\n")
        if !isComplete {
            page.add(
                "<p>Counted: the first \(CountText.count(total, "object")). "
                    + (context.address["all"] == nil
                        ? context.link(context.address.with("all", "1"), "Count for up to 10 seconds") : "") + "</p>\n")
        }
        if counts.count > 1 {
            let other =
                isRarestFirst ? context.address.without("order") : context.address.with("order", "rarest")
            page.add("<p>\(context.link(other, isRarestFirst ? "Most frequent first" : "Rarest first"))</p>\n")
        }
        if let profile { page.add(summary(of: profile)) }
        var table = SiteTable(
            "\(CountText.count(counts.count, "value"))\(others > 0 ? " and others" : "") of "
                + (isComplete ? "" : "the first ") + CountText.count(total, "object"),
            headers: [.init(html: "Value"), .init(html: "Objects", isNumber: true), .init(html: "Share")])
        for (key, count) in shown {
            guard
                table.add([
                    .init(html: markup(key, name, labels)), .init(html: CountText.grouped(count), isNumber: true),
                    .init(html: share(count)),
                ])
            else { break }
        }
        let rest = sorted.dropFirst(table.count).reduce(others) { $0 + $1.value }
        if rest > 0 {
            _ = table.add([
                .init(html: "<span class=\"soft\">other values</span>"),
                .init(html: CountText.grouped(rest), isNumber: true),
                .init(html: share(rest)),
            ])
        }
        page.add(table.html)
        return page
    }

    /// NULLs, ranges, lengths, notes and a histogram of the counted values.
    private func summary(of profile: PropertyProfile) -> String {
        var facts = ["NULL: \(CountText.grouped(profile.nulls)) (\(ShareText.percent(profile.nulls, of: total)))"]
        facts.append((profile.isExact ? "" : "about ") + CountText.count(profile.distinct, "different value"))
        if let smallest = profile.minimum, let largest = profile.maximum {
            facts.append("from \(ValueMarkup.isolated(smallest)) to \(ValueMarkup.isolated(largest))")
        }
        if let shortest = profile.minimumLength, let longest = profile.maximumLength {
            facts.append("lengths from \(CountText.grouped(shortest)) to \(CountText.grouped(longest))")
        }
        if let mean = profile.mean { facts.append("mean \(NumberText.short(mean))") }
        var html = "<p>\(facts.joined(separator: ", "))</p>\n"
        if let histogram = profile.histogram {
            let what = profile.histogramOf ?? "values"
            html +=
                "<figure>\(Markup.histogram(counts: histogram.counts, label: "histogram of the \(what)"))"
                + "<figcaption class=\"soft\">\(what), from the smallest to the largest</figcaption></figure>\n"
        }
        for note in profile.notes { html += "<p class=\"soft\">\(MarkupText.escaped(note))</p>\n" }
        return html
    }

    private func order(_ left: Key, _ right: Key) -> Bool {
        switch (left, right) {
        case (.text(let a), .text(let b)): NaturalOrder.less(a, b)
        case (.object(let a), .object(let b)): a.key < b.key
        case (.null, .text), (.null, .object): true
        default: false
        }
    }

    private func share(_ count: Int) -> String {
        let share = total > 0 ? Double(count) / Double(total) : 0
        let permille = Int((share * 1000).rounded())
        let text = permille == 0 && count > 0 ? "less than 0.1 %" : "\(permille / 10).\(permille % 10) %"
        return "<svg class=\"share\" viewBox=\"0 0 1000 50\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            + "<rect width=\"\(max(permille, 2))\" height=\"50\"/></svg> \(text)"
    }

    /// A value as a link to its objects, where a condition can name it.
    private func markup(_ key: Key, _ name: String, _ labels: ObjectLabels) -> String {
        let column = ObjectExpression.keyPath(name)
        switch key {
        case .null:
            return link(.comparison(.init(column, .equal, .null)), ValueMarkup.null)
        case .object(let place):
            guard let relationship = entity.relationship(named: name) else { return "" }
            let objects = context.link(ListLink.address(entity, relationship, to: place, context.schema), "objects →")
            return "\(context.objectLink(place, labels)) \(objects)"
        case .text(let text):
            guard let attribute = entity.attribute(named: name), let value = Self.constant(text, attribute) else {
                return ValueMarkup.isolated(text)
            }
            return link(.comparison(.init(column, .equal, .constant(value))), ValueMarkup.isolated(text))
        }
    }

    private static func constant(_ text: String, _ attribute: Schema.Attribute) -> AttributeValue? {
        switch attribute.type {
        case .string: text.hasSuffix("…") ? nil : .string(text)
        case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) }
        case .boolean: .boolean(text == "true")
        default: nil
        }
    }

    /// The maximum number of bytes of a condition in a link: with its address it must not become too long.
    private static let conditionLimit = 2000

    private func link(_ condition: ObjectPredicate, _ html: String) -> String {
        let text = joined(condition)
        var list = context.address.without("facet", "all", "order").with("where", text)
        list.path = "/entity"
        return text.utf8.count <= Self.conditionLimit ? context.link(list, html) : html
    }

    /// The condition of the list and another one. It does not grow with each value that a reader follows: parts that are
    /// there already are not repeated, and there are parentheses only around OR.
    private func joined(_ condition: ObjectPredicate) -> String {
        guard let text = query.condition, let written = query.written else { return condition.description }
        switch written {
        case condition: return text
        case .and(let parts) where parts.contains(condition): return text
        case .or: return "(\(text)) AND \(condition)"
        case .and, .comparison, .not, .constant: return "\(text) AND \(condition)"
        }
    }
}
