import Foundation

/// The seeds of a plan: ten entities in a row, each with a to-one to the one before and its inverse, a uniqueness constraint and two
/// fetch indexes.
struct PlanFixture {
    static let entities = 10

    let folder: URL
    /// How many rows all entities have together.
    let rows: Int

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    var store: String { path("plan.sqlite") }

    /// The size of its files.
    var bytes: Int {
        (0..<Self.entities).reduce(0) { sum, number in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path("E\(number).csv"))
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    /// The plan that says this loader.
    func plan(_ loader: String) -> String { path("plan-\(loader).yaml") }

    func write() throws {
        let package = folder.appending(path: "Plan.xcdatamodel")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let model = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \((0..<Self.entities).map(Self.entity).joined(separator: "\n"))
            </model>
            """
        try Data(model.utf8).write(to: package.appending(path: "contents"))
        for loader in ["pages", "sql"] {
            let plan =
                "loader: \(loader)\nmodel: Plan.xcdatamodel\nstore: plan.sqlite\nimports:\n"
                + (0..<Self.entities).map { "  - file: E\($0).csv\n    entity: E\($0)\n" }.joined()
            try Data(plan.utf8).write(to: URL(filePath: self.plan(loader)))
        }
        for number in 0..<Self.entities { try writeRows(number) }
    }

    private static func entity(_ number: Int) -> String {
        func relationship(_ name: String, _ kind: String, to other: Int, inverse: String) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" \(kind) deletionRule=\"Nullify\" "
                + "destinationEntity=\"E\(other)\" inverseName=\"\(inverse)\" inverseEntity=\"E\(other)\"/>"
        }
        func index(_ name: String, _ elements: [(property: String, order: String)]) -> String {
            "<fetchIndex name=\"\(name)\">"
                + elements.map {
                    "<fetchIndexElement property=\"\($0.property)\" type=\"Binary\" order=\"\($0.order)\"/>"
                }.joined() + "</fetchIndex>"
        }
        let types = [
            ("code", "String"), ("number", "Integer 64"), ("amount", "Double"), ("day", "Date"), ("title", "String"),
        ]
        return "<entity name=\"E\(number)\">"
            + types.map { "<attribute name=\"\($0.0)\" attributeType=\"\($0.1)\"/>" }.joined()
            + (number > 0 ? relationship("parent", "maxCount=\"1\"", to: number - 1, inverse: "children") : "")
            + (number < entities - 1
                ? relationship("children", "toMany=\"YES\"", to: number + 1, inverse: "parent") : "")
            + index("byNumber", [("number", "ascending")])
            + index("byTitle", [("title", "ascending"), ("day", "descending")])
            + "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint>"
            + "</uniquenessConstraints></entity>"
    }

    private func writeRows(_ number: Int) throws {
        let count = max(1, rows / Self.entities)
        var text = "code,number,amount,day,title" + (number > 0 ? ",parent" : "") + "\n"
        for row in 0..<count {
            let value = (row * 7_368_787 + number) % 100_003
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let day = "20\(two(value % 30))-\(two(value % 12 + 1))-\(two(value % 28 + 1))T00:00:00Z"
            text += "C\(number)-\(row),\(value),\(Double(value) / 8),\(day),Title \(value % 5_003)"
            text += number > 0 ? ",C\(number - 1)-\(value % count)\n" : "\n"
        }
        try Data(text.utf8).write(to: folder.appending(path: "E\(number).csv"))
    }
}
