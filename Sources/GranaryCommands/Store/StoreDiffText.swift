import Foundation
import GranaryBase
import GranaryComparison
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// The text of `store diff`: a line for each object that differs, then the differences of the models and the counts.
final class StoreDiffText {
    private let limit: Int
    private var count = 0
    private let output = BufferedOutput()

    /// The number of destinations of a to-many relationship that a line lists.
    private static let listLimit = 5
    /// Longer binary data is shown as its size and the beginning of its SHA-256.
    private static let shownBytes = 16

    /// - Parameter limit: the number of objects to list.
    init(limit: Int) { self.limit = limit }

    func add(_ difference: ObjectDifference) throws(GranaryError) {
        count += 1
        guard count <= limit else { return }
        try output.append(VisibleText.escaped(Self.line(difference)) + "\n")
    }

    func finish(_ summary: StoreDiffSummary) throws(GranaryError) {
        var text = ""
        if count > limit { text += "… and \(CountText.grouped(count - limit)) more\n" }
        for difference in summary.schema { text += Self.line(difference) + "\n" }
        for links in summary.links {
            text +=
                "\(links.entity).\(links.property): different links of objects that do not exist: "
                + "\(CountText.grouped(links.a)) in A, \(CountText.grouped(links.b)) in B\n"
        }
        var table = TextTable()
        table.add("entity", "same", "changed", "only in A", "only in B")
        for entity in summary.entities {
            table.add(
                entity.name, CountText.grouped(entity.same), CountText.grouped(entity.changed),
                CountText.grouped(entity.onlyInA), CountText.grouped(entity.onlyInB))
        }
        text += (text.isEmpty && count == 0 ? "" : "\n") + table.text + "\n" + Self.verdict(summary) + "\n"
        try output.append(VisibleText.escapedLines(text))
        try output.flush()
    }

    private static func verdict(_ summary: StoreDiffSummary) -> String {
        guard !summary.isEqual else { return "equal" }
        var parts: [String] = []
        if summary.differences > 0 { parts.append(CountText.count(summary.differences, "object")) }
        if !summary.links.isEmpty {
            parts.append("links of missing objects in " + CountText.count(summary.links.count, "relationship"))
        }
        if !summary.schema.isEmpty {
            parts.append(CountText.count(summary.schema.count, "difference") + " of the models")
        }
        return "different: " + parts.joined(separator: ", ")
    }

    // MARK: - Lines

    private static func line(_ difference: ObjectDifference) -> String {
        let title = name(difference.object)
        switch difference.kind {
        case .onlyInA: return "only in A: \(title)"
        case .onlyInB: return "only in B: \(title)"
        case .changed: return "\(title): " + difference.properties.map(text).joined(separator: ", ")
        }
    }

    private static func line(_ difference: StoreDiffSummary.SchemaDifference) -> String {
        let name = difference.entity + (difference.property.map { ".\($0)" } ?? "")
        switch difference.kind {
        case .onlyInA: return "model: only in A: \(name)"
        case .onlyInB: return "model: only in B: \(name)"
        case .different:
            return "model: \(name): \(difference.a ?? "") -> \(difference.b ?? "")"
                + (difference.isCompared ? "" : " (not compared)")
        }
    }

    private static func text(_ property: ObjectDifference.Property) -> String {
        if !property.isOrdered, case .objects(let a, let countA) = property.a,
            case .objects(let b, let countB) = property.b, countA == a.count, countB == b.count
        {
            let (left, right) = (Set(a.map(name)), Set(b.map(name)))
            let removed = a.map(name).filter { !right.contains($0) }
            let added = b.map(name).filter { !left.contains($0) }
            if !removed.isEmpty || !added.isEmpty {
                var parts: [String] = []
                if !removed.isEmpty { parts.append("- " + list(removed, removed.count)) }
                if !added.isEmpty { parts.append("+ " + list(added, added.count)) }
                return "\(property.name): " + parts.joined(separator: " ")
            }
        }
        let (left, right) = (text(property.a), text(property.b))
        // Composed and decomposed letters look the same, and so do the beginnings of long texts.
        return "\(property.name): \(left) -> \(right)" + (left == right ? " (different bytes)" : "")
    }

    /// `Patient "ada@example.org"`, or `Patient/p57` without a key.
    private static func name(_ object: ObjectDifference.Object) -> String {
        guard !object.key.isEmpty else { return object.id }
        return object.entity + " " + object.key.map(text).joined(separator: ", ")
    }

    private static func list(_ names: [String], _ count: Int) -> String {
        let shown = names.prefix(listLimit)
        return shown.joined(separator: ", ")
            + (count > shown.count ? ", … \(CountText.grouped(count - shown.count)) more" : "")
    }

    private static func text(_ value: ObjectDifference.Value) -> String {
        switch value {
        case .null: "NULL"
        case .value(let value): text(value)
        case .data(let count, let digest): bytes(count, digest)
        case .object(let object): name(object)
        case .objects(let objects, let count): "[" + list(objects.map(name), count) + "]"
        case .invalid(let reason): "invalid (\(reason))"
        }
    }

    private static func bytes(_ count: Int, _ digest: String) -> String {
        "\(CountText.count(count, "byte")) (SHA-256 \(digest.prefix(12))…)"
    }

    private static func text(_ value: AttributeValue) -> String {
        switch value {
        case .string(let text): return "\"\(Diagnostic.shortened(text))\""
        case .uri(let url): return "\"\(Diagnostic.shortened(url.absoluteString))\""
        case .binary(let data) where data.count > shownBytes:
            var digest = ContentDigest()
            data.withUnsafeBytes { digest.update($0) }
            return bytes(data.count, digest.hexadecimal)
        case .binary(let data):
            var text = Array("<".utf8)
            for (index, byte) in data.enumerated() {
                if index > 0, index % 4 == 0 { text.append(UInt8(ascii: " ")) }
                text.append(contentsOf: String(byte >> 4, radix: 16).utf8)
                text.append(contentsOf: String(byte & 15, radix: 16).utf8)
            }
            return String(decoding: text, as: UTF8.self) + ">"
        case .integer, .boolean, .float, .double, .decimal, .date, .uuid:
            return value.withBorrowed { (value) -> String in
                var bytes: [UInt8] = []
                // ISO 8601 has years with four digits only. Other dates are seconds.
                for dates in [DateStyle.iso8601, .seconds] {
                    bytes.removeAll()
                    let text: Void? = try? ValueText.append(
                        value, dates: dates, binary: .hex, nonFinite: .text, to: &bytes)
                    if text != nil { break }
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}
