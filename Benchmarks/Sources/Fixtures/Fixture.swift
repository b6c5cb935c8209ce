import Foundation

/// A model, files of it, and the faults that are planted in them: the same on every machine.
///
/// Every column has a rule, and each file has one record for each column that breaks it, unless it is asked for none.
package struct Fixture {
    /// An entity, its columns, and one value for each that its rule rejects.
    package struct Kind: Sendable {
        package let entity: String
        package let columns: [(name: String, property: String, rejected: String)]

        package static let plain = Kind(
            entity: "Row",
            columns: [
                ("number", "number", "-1"), ("small", "small", "32001"), ("price", "price", "1000000.5"),
                ("flag", "flag", "maybe"), ("day", "day", "2023-02-29T00:00:00Z"), ("email", "email", "user@example"),
                ("name", "name", String(repeating: "n", count: 65)),
                ("note", "note", String(repeating: "o", count: 201)),
            ])
        package static let keyed = Kind(
            entity: "Item",
            columns: [
                ("code", "code", "K1"), ("number", "number", "-1"), ("amount", "amount", "none"),
                ("is_active", "isActive", "2"), ("name", "name", String(repeating: "n", count: 65)),
                ("city", "city", String(repeating: "c", count: 41)),
                ("street", "street", String(repeating: "s", count: 65)),
                ("remark", "remark", String(repeating: "r", count: 201)), ("category", "category", "Category -"),
                ("supplier", "supplier", "S-"),
            ])
    }

    /// A fault that an import must report: the physical line and the property.
    package struct Fault: Hashable {
        package let line: Int
        package let property: String

        package init(line: Int, property: String) {
            self.line = line
            self.property = property
        }
    }

    /// A file, its size, and the faults planted in it. The rows that `badEvery` adds are not among these faults.
    package struct File {
        package let path: String
        package let bytes: Int
        package let faults: Set<Fault>
        package let badRows: Int
    }

    package static let tableCount = 1_000

    package let folder: URL
    package let rows: Int

    package init(folder: URL, rows: Int) {
        self.folder = folder
        self.rows = rows
    }

    package func path(_ name: String) -> String { folder.appending(path: name).path }

    package var model: String { path("Bench.xcdatamodel") }

    package func writeModel() throws {
        let package = URL(filePath: model)
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let pattern = #"[a-z0-9.]+@[a-z0-9]+\.[a-z]{2,6}"#
        func text(_ name: String, _ longest: Int) -> String {
            "<attribute name=\"\(name)\" attributeType=\"String\" minValueString=\"1\" maxValueString=\"\(longest)\"/>"
        }
        func toOne(_ name: String, _ destination: String) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
                + "destinationEntity=\"\(destination)\" inverseName=\"items\" inverseEntity=\"\(destination)\"/>"
        }
        func unique(_ name: String) -> String {
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint>"
                + "</uniquenessConstraints>"
        }
        func table(_ entity: String, _ key: String) -> String {
            "<entity name=\"\(entity)\"><attribute name=\"\(key)\" attributeType=\"String\"/>"
                + "<relationship name=\"items\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
                + "destinationEntity=\"Item\" inverseName=\"\(entity.lowercased())\" inverseEntity=\"Item\"/>"
                + "\(unique(key))</entity>"
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \(table("Category", "name"))
            <entity name="Item">
            <attribute name="code" attributeType="String" regularExpressionString="K[0-9]{11}"/>
            <attribute name="number" attributeType="Integer 64" minValueString="0"/>
            <attribute name="amount" attributeType="Double" minValueString="0"/>
            <attribute name="isActive" optional="NO" attributeType="Boolean"/>
            \(text("name", 64))\(text("city", 40))\(text("street", 64))\(text("remark", 200))
            \(toOne("category", "Category"))\(toOne("supplier", "Supplier"))\(unique("code"))
            </entity>
            <entity name="Row">
            <attribute name="number" attributeType="Integer 64" minValueString="0"/>
            <attribute name="small" optional="NO" attributeType="Integer 16" minValueString="0" maxValueString="32000"/>
            <attribute name="price" attributeType="Double" minValueString="0" maxValueString="1000000"/>
            <attribute name="flag" optional="NO" attributeType="Boolean"/>
            <attribute name="day" attributeType="Date"/>
            <attribute name="email" attributeType="String" regularExpressionString="\(pattern)"/>
            \(text("name", 64))\(text("note", 200))
            </entity>
            \(table("Supplier", "badge"))
            </model>
            """
        try Data(text.utf8).write(to: package.appending(path: "contents"))
    }

    /// Writes the two tables that items refer to.
    package func writeTables() throws {
        let numbers = 0..<Self.tableCount
        let categories = "name\n" + numbers.map { "Category \($0)\n" }.joined()
        try Data(categories.utf8).write(to: folder.appending(path: "Category.csv"))
        let suppliers = "badge\n" + numbers.map { "S-\(10_000 + $0)\n" }.joined()
        try Data(suppliers.utf8).write(to: folder.appending(path: "Supplier.csv"))
    }

    /// - Parameters:
    ///   - first: the number of the first row; codes of items follow from it.
    ///   - badEvery: every how many rows there is one more whose third column is no number; 0 for none.
    ///   - isFaulty: whether faults are planted.
    package func write(
        _ kind: Kind, to name: String, first: Int = 1, badEvery: Int = 0, isFaulty: Bool = true
    ) throws -> File {
        guard FileManager.default.createFile(atPath: path(name), contents: nil),
            let file = FileHandle(forWritingAtPath: path(name))
        else { throw CocoaError(.fileWriteUnknown) }
        var text = kind.columns.map(\.name).joined(separator: ",") + "\n"
        var size = 0
        var faults: Set<Fault> = []
        var badRows = 0
        var state: UInt64 = 42
        let distance = max(1, rows / (kind.columns.count + 1))
        for row in 0..<rows {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var fields = kind.entity == "Row" ? Self.row(state, row) : Self.item(state, first + row)
            let planted = isFaulty && row % distance == distance / 2 ? row / distance : Int.max
            if planted < kind.columns.count {
                fields[planted] = kind.columns[planted].rejected
                faults.insert(Fault(line: row + 2, property: kind.columns[planted].property))
                badRows += 1
            } else if badEvery > 0, row % badEvery == 0 {
                fields[2] = "none"
                badRows += 1
            }
            text += fields.joined(separator: ",") + "\n"
            if text.utf8.count > 1 << 20 || row == rows - 1 {
                size += text.utf8.count
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.close()
        return File(path: path(name), bytes: size, faults: faults, badRows: badRows)
    }

    private static func row(_ state: UInt64, _ row: Int) -> [String] {
        let value = Int(truncatingIfNeeded: state >> 24)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return [
            "\(value)", "\(value % 32_000)", "\(value % 100_000).\(two(value % 97))", value % 2 == 0 ? "true" : "false",
            "20\(two(value % 30))-\(two(value % 12 + 1))-\(two(value % 28 + 1))T\(two(value % 24)):\(two(value % 60)):00Z",
            "user\(row)@example\(value % 977).org", "Name of person \(value % 99_991)",
            "\"a remark, with a comma \(value % 7_919) and some more text here\"",
        ]
    }

    /// The codes are in no order.
    private static func item(_ state: UInt64, _ row: Int) -> [String] {
        let value = Int(truncatingIfNeeded: state >> 33)
        // A prime above all rows: no code comes twice.
        let code = row * 7_368_787 % 1_000_000_007
        return [
            "K\(10_000_000_000 + code)", "\(value)", "\(Double(value % 10_000_000) / 100)",
            value % 2 == 0 ? "yes" : "no",
            "Name of item \(value % 99_991)", "City of \(value % 977)", "\(value % 300) Some Street \(row)",
            "\"a remark, with a comma \(value % 7_919)\"", "Category \(value % tableCount)",
            "S-\(10_000 + value / 1_000 % tableCount)",
        ]
    }
}
