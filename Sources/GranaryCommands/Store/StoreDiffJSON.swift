import Foundation
import GranaryBase
import GranaryComparison
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// The JSON of `store diff`: one object, whose differences are written as they are found. Values are as in an export.
final class StoreDiffJSON {
    private let limit: Int
    private var count = 0
    private let output = BufferedOutput()
    private var bytes: [UInt8] = []

    /// - Parameter limit: the number of objects to list.
    init(a: String, b: String, limit: Int) {
        self.limit = limit
        member("a", text: a)
        member("b", text: b)
        raw("  \"differences\": [")
    }

    func add(_ difference: ObjectDifference) throws(GranaryError) {
        count += 1
        guard count <= limit else { return }
        raw(count == 1 ? "\n    {\"entity\": " : ",\n    {\"entity\": ")
        append(text: difference.object.entity)
        if !difference.object.key.isEmpty {
            raw(", \"key\": ")
            append(key: difference.object.key)
        }
        raw(", \"id\": ")
        append(text: difference.object.id)
        if let other = difference.idInB, other != difference.object.id {
            raw(", \"idInB\": ")
            append(text: other)
        }
        raw(", \"kind\": \"\(difference.kind.rawValue)\"")
        if difference.kind == .changed {
            raw(", \"properties\": {")
            for (index, property) in difference.properties.enumerated() {
                if index > 0 { raw(", ") }
                append(property)
            }
            raw("}")
        }
        raw("}")
        try write()
    }

    func finish(_ summary: StoreDiffSummary) throws(GranaryError) {
        raw(count == 0 || limit == 0 ? "],\n" : "\n  ],\n")
        raw("  \"differenceCount\": \(summary.differences),\n")
        list("entities", summary.entities) { entity in
            raw("{\"name\": ")
            append(text: entity.name)
            raw(
                ", \"same\": \(entity.same), \"changed\": \(entity.changed), \"onlyInA\": \(entity.onlyInA), "
                    + "\"onlyInB\": \(entity.onlyInB)}")
        }
        list("schema", summary.schema) { difference in
            raw("{\"entity\": ")
            append(text: difference.entity)
            raw(", \"property\": ")
            append(optional: difference.property)
            raw(", \"kind\": \"\(difference.kind.rawValue)\", \"a\": ")
            append(optional: difference.a)
            raw(", \"b\": ")
            append(optional: difference.b)
            raw(", \"compared\": \(difference.isCompared)}")
        }
        list("links", summary.links) { links in
            raw("{\"entity\": ")
            append(text: links.entity)
            raw(", \"property\": ")
            append(text: links.property)
            raw(", \"a\": \(links.a), \"b\": \(links.b)}")
        }
        list("warnings", summary.warnings) { append(text: $0.description) }
        raw("  \"equal\": \(summary.isEqual)\n}\n")
        try write()
        try output.flush()
    }

    private func write() throws(GranaryError) {
        try output.append(String(decoding: bytes, as: UTF8.self))
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: - Parts

    private func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private func append(text: String) { JSONText.append(text, to: &bytes) }

    private func append(optional text: String?) {
        if let text { append(text: text) } else { raw("null") }
    }

    private func member(_ name: String, text: String) {
        raw(bytes.isEmpty ? "{\n  " : "  ")
        append(text: name)
        raw(": ")
        append(text: text)
        raw(",\n")
    }

    private func list<Element>(_ name: String, _ elements: [Element], _ each: (Element) -> Void) {
        raw("  \"\(name)\": [")
        for (index, element) in elements.enumerated() {
            raw(index == 0 ? "\n    " : ",\n    ")
            each(element)
        }
        raw(elements.isEmpty ? "],\n" : "\n  ],\n")
    }

    private func append(_ property: ObjectDifference.Property) {
        append(text: property.name)
        raw(": {\"a\": ")
        append(property.a)
        raw(", \"b\": ")
        append(property.b)
        for (name, value) in [("aCount", property.a), ("bCount", property.b)] {
            guard case .objects(let listed, let count) = value, count > listed.count else { continue }
            raw(", \"\(name)\": \(count)")
        }
        raw("}")
    }

    private func append(_ value: ObjectDifference.Value) {
        switch value {
        case .null: raw("null")
        case .value(let value): append(value)
        case .data(let count, let digest): raw("{\"bytes\": \(count), \"sha256\": \"\(digest)\"}")
        case .object(let object): append(object)
        case .objects(let objects, _):
            raw("[")
            for (index, object) in objects.enumerated() {
                if index > 0 { raw(", ") }
                append(object)
            }
            raw("]")
        case .invalid(let reason):
            raw("{\"invalid\": ")
            append(text: reason)
            raw("}")
        }
    }

    /// A reference: the key of the object, or its id.
    private func append(_ object: ObjectDifference.Object) {
        if object.key.isEmpty { append(text: object.id) } else { append(key: object.key) }
    }

    /// A single value, or an array of several.
    private func append(key: [AttributeValue]) {
        if key.count == 1 { return append(key[0]) }
        raw("[")
        for (index, value) in key.enumerated() {
            if index > 0 { raw(", ") }
            append(value)
        }
        raw("]")
    }

    private func append(_ value: AttributeValue) {
        value.withBorrowed { value in
            switch value {
            case .text(let text), .uri(let text): JSONText.append(text, to: &bytes)
            case .null: raw("null")
            case .boolean, .integer, .float, .double, .decimal: append(value, quote: "")
            case .uuid, .binary, .date: append(value, quote: "\"")
            }
        }
    }

    private func append(_ value: BorrowedValue, quote: String) {
        var text: [UInt8] = []
        if (try? ValueText.append(value, dates: .iso8601, binary: .base64, to: &text)) != nil {
            raw(quote)
            bytes.append(contentsOf: text)
            return raw(quote)
        }
        // ISO 8601 has years with four digits only. Other dates are seconds.
        text.removeAll()
        if (try? ValueText.append(value, dates: .seconds, binary: .base64, to: &text)) != nil {
            bytes.append(contentsOf: text)
        } else {
            append(text: ValueText.nonFiniteText(value) ?? "\(value)")
        }
    }
}
