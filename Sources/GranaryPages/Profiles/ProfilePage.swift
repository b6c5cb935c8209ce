import Foundation
import GranaryBase
package import GranaryProfile

/// A profile as a page.
package enum ProfilePage {
    /// - Parameter title: the store or file.
    package static func html(_ profile: StoreProfile, title: String) -> String {
        var page = Page(title: "Profile of \(title)")
        let objects = profile.entities.reduce(0) { $0 + $1.count }
        page.section("Entities") { page in
            let rows = profile.entities.enumerated().map { index, entity in
                [
                    "<a href=\"#e\(index)\">\(Markup.text(entity.name))</a>", CountText.grouped(entity.count),
                    CountText.grouped(entity.properties.count),
                    CountText.grouped(entity.properties.reduce(0) { $0 + $1.notes.count }),
                ]
            }
            page.add(
                Markup.table(
                    CountText.count(objects, "object"), ["entity", "objects", "properties", "notes"], rows,
                    numbers: [1, 2, 3]), as: "table of entities")
            if profile.entities.contains(where: { $0.properties.contains { !$0.isExact } }) {
                page.add(
                    "<p>≈ marks numbers of different values that are estimated, with a standard error of 0.8 %. The counts of "
                        + "frequent values of these properties are the least that is certain.</p>\n", as: "note")
            }
        }
        for (index, entity) in profile.entities.enumerated() {
            page.section(entity.name) { page in
                page.add(
                    "<p id=\"e\(index)\">\(CountText.count(entity.count, "object"))</p>\n", as: "number of objects")
                guard entity.count > 0 else { return }
                page.add(table(entity), as: "table of properties")
                for property in entity.properties { page.add(detail(property, entity), as: "property") }
            }
        }
        return page.html
    }

    private static func table(_ entity: StoreProfile.Entity) -> String {
        let rows = entity.properties.map { property in
            [
                Markup.text(property.name), Markup.text(property.type), share(property.nulls, of: entity.count),
                (property.isExact ? "" : "≈ ") + CountText.grouped(property.distinct),
                bounded(property.minimum), bounded(property.maximum), lengths(property),
            ]
        }
        return Markup.table(
            "Properties", ["property", "type", "NULL", "different values", "smallest", "largest", "length"], rows,
            numbers: [2, 3])
    }

    private static func bounded(_ text: String?) -> String {
        Markup.text(text.map { $0.count > 30 ? $0.prefix(30) + "…" : $0 } ?? "")
    }

    private static func lengths(_ property: PropertyProfile) -> String {
        guard let shortest = property.minimumLength, let longest = property.maximumLength else { return "" }
        return shortest == longest
            ? CountText.grouped(shortest) : "\(CountText.grouped(shortest)) to \(CountText.grouped(longest))"
    }

    private static func share(_ count: Int, of total: Int) -> String {
        guard count > 0, total > 0 else { return CountText.grouped(count) }
        return "\(CountText.grouped(count)) (\(ShareText.percent(count, of: total)))"
    }

    private static func detail(_ property: PropertyProfile, _ entity: StoreProfile.Entity) -> String {
        let name = "\(entity.name).\(property.name)"
        var html = ""
        for note in property.notes { html += "<li>\(Markup.text(note))</li>\n" }
        if !html.isEmpty { html = "<ul>\n\(html)</ul>\n" }
        if let histogram = property.histogram { html += figure(histogram, property, name) }
        if !property.mostFrequent.isEmpty {
            html += Markup.table(
                property.isExact ? "The most frequent" : "The most frequent, at least",
                ["value", "objects", "share"],
                property.mostFrequent.map {
                    [
                        "<bdi>\(Markup.text($0.value.isEmpty ? "\"\"" : $0.value))</bdi>", CountText.grouped($0.count),
                        ShareText.percent($0.count, of: property.values),
                    ]
                }, numbers: [1, 2])
        }
        guard !html.isEmpty else { return "" }
        return "<h3>\(Markup.text(name))</h3>\n\(html)"
    }

    private static func figure(_ histogram: Histogram, _ property: PropertyProfile, _ name: String) -> String {
        let (first, last) =
            property.histogramOf == "lengths"
            ? (CountText.grouped(property.minimumLength ?? 0), CountText.grouped(property.maximumLength ?? 0))
            : (property.minimum ?? "", property.maximum ?? "")
        let what = property.histogramOf ?? "values"
        let label = "\(what) of \(name), from \(first) to \(last)"
        let mean = property.mean.map { ", mean \(NumberText.short($0))" } ?? ""
        return "<figure>\(Markup.histogram(counts: histogram.counts, label: label))"
            + "<figcaption class=\"soft\">\(what) from \(Markup.text(first)) to \(Markup.text(last))\(Markup.text(mean))"
            + "</figcaption></figure>\n"
    }
}
