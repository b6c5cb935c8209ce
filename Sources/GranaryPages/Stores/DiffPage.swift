import GranaryBase
package import GranaryComparison

/// The differences of two stores as a page.
package struct DiffPage {
    /// The maximum number of objects of each kind of difference of each entity.
    private static let objects = 100
    /// The maximum number of different changes that are counted.
    private static let changes = 10_000

    private let a: String
    private let b: String
    private var kept: [String: [ObjectDifference]] = [:]
    private var changes: [String: Int] = [:]

    /// - Parameters:
    ///   - a: the name of the first store or export.
    ///   - b: that of the second.
    package init(a: String, b: String) {
        self.a = a
        self.b = b
    }

    /// Notes a difference. Memory is bounded.
    package mutating func add(_ difference: ObjectDifference) {
        for property in difference.properties {
            let change = "\(difference.object.entity).\(property)"
            if changes[change] != nil || changes.count < Self.changes { changes[change, default: 0] += 1 }
        }
        let place = "\(difference.kind.rawValue) \(difference.object.entity)"
        if kept[place, default: []].count < Self.objects { kept[place, default: []].append(difference) }
    }

    /// - Parameter summary: the result of the comparison.
    package func html(_ summary: StoreDiffSummary) -> String {
        var page = Page(title: "Differences of \(a) and \(b)")
        page.section("Outcome") { $0.add(outcome(summary), as: "outcome") }
        let models = summary.schema.map { "\($0)" } + summary.links.map { "\($0)" }
        if !models.isEmpty {
            page.section("Models and links") { page in
                for line in models { page.add("<p>\(Markup.text(line))</p>\n", as: "difference of the models") }
            }
        }
        let frequent = changes.filter { $0.value > 1 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(50)
        if !frequent.isEmpty {
            page.section("The same change of several objects") { page in
                page.add(
                    Markup.table(
                        "Changes", ["property: A → B", "objects"],
                        frequent.map { [Markup.text($0.key), CountText.grouped($0.value)] }, numbers: [1]),
                    as: "table of changes")
            }
        }
        for entity in summary.entities where entity.differences > 0 {
            page.section(entity.name) { add(entity, to: &$0) }
        }
        return page.html
    }

    private func outcome(_ summary: StoreDiffSummary) -> String {
        let shown = summary.entities.filter { $0.same + $0.differences > 0 }
        let rows = shown.map { entity in
            [Markup.text(entity.name)]
                + [entity.same, entity.changed, entity.onlyInA, entity.onlyInB].map { CountText.grouped($0) }
        }
        let total = { (count: (StoreDiffSummary.Entity) -> Int) in shown.reduce(0) { $0 + count($1) } }
        return "<p><strong>\(Markup.text(summary.verdict))</strong></p>\n"
            + "<p>A is <code>\(Markup.text(a))</code>, B is <code>\(Markup.text(b))</code>.</p>\n"
            + Markup.bar(
                [
                    ("unchanged", total(\.same)), ("updated", total(\.changed)), ("rejected", total(\.onlyInA)),
                    ("created", total(\.onlyInB)),
                ], names: ["same", "changed", "only in A", "only in B"])
            + Markup.table(
                "Objects", ["entity", "same", "changed", "only in A", "only in B"], rows, numbers: [1, 2, 3, 4])
    }

    private func add(_ entity: StoreDiffSummary.Entity, to page: inout Page) {
        for (kind, count) in [
            (ObjectDifference.Kind.changed, entity.changed), (.onlyInA, entity.onlyInA), (.onlyInB, entity.onlyInB),
        ] where count > 0 {
            let found = kept["\(kind.rawValue) \(entity.name)"] ?? []
            page.add("<h3>\(Self.title(kind)): \(CountText.grouped(count))</h3>\n", as: "heading")
            for difference in found { page.add(Self.html(difference), as: "object") }
            if count > found.count {
                page.add("<p class=\"soft\">and \(CountText.grouped(count - found.count)) more</p>\n", as: "note")
            }
        }
    }

    private static func title(_ kind: ObjectDifference.Kind) -> String {
        switch kind {
        case .changed: "Changed"
        case .onlyInA: "Only in A"
        case .onlyInB: "Only in B"
        }
    }

    private static func html(_ difference: ObjectDifference) -> String {
        let name = Markup.text("\(difference.object)")
        guard !difference.properties.isEmpty else { return "<p>\(name)</p>\n" }
        return Markup.table(
            name, ["property", "A", "B"],
            difference.properties.map { property in
                [Markup.text(property.name), Markup.text("\(property.a)"), Markup.text("\(property.b)")]
            })
    }
}
