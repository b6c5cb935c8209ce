import GranaryBase
import GranarySubset

/// The values of objects before and after, as text.
enum PreviewText {
    static func text(_ preview: AnonymisationPreview) -> String {
        preview.objects.map { object in
            var table = TextTable(indent: "  ")
            for value in object.values { table.add(value.attribute, value.before ?? "NULL", after(value)) }
            return object.object + "\n" + table.text
        }.joined()
    }

    private static func after(_ value: AnonymisationPreview.Value) -> String {
        if let problem = value.problem { return "error: \(problem)" }
        if value.isKept { return value.before == nil ? "" : "(kept)" }
        if value.before == nil, value.after == nil { return "" }
        return "-> \(value.after ?? "NULL")"
    }
}
