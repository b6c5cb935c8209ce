import Foundation

/// The input: items, each of a category and from a supplier; the same rows on every machine.
struct Items {
    static let tableCount = 1_000

    let folder: URL
    let count: Int

    var model: String { path("Items.xcdatamodel") }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func writeModel() throws {
        let package = folder.appending(path: "Items.xcdatamodel")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let attributes = [
            ("code", "String"), ("number", "Integer 64"), ("amount", "Double"), ("isActive", "Boolean"),
            ("name", "String"), ("city", "String"), ("street", "String"), ("remark", "String"),
        ].map { "        <attribute name=\"\($0.0)\" attributeType=\"\($0.1)\"/>" }
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \(Self.table("Category", key: "name"))
                <entity name="Item">
            \(attributes.joined(separator: "\n"))
            \(Self.toOne("category", "Category"))
            \(Self.toOne("supplier", "Supplier"))
            \(Self.unique("code"))
                </entity>
            \(Self.table("Supplier", key: "badge"))
            </model>
            """
        try Data(text.utf8).write(to: package.appending(path: "contents"))
    }

    private static func unique(_ attribute: String) -> String {
        """
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="\(attribute)"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
        """
    }

    private static func toOne(_ name: String, _ destination: String) -> String {
        "        <relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
            + "destinationEntity=\"\(destination)\" inverseName=\"items\" inverseEntity=\"\(destination)\"/>"
    }

    private static func table(_ entity: String, key: String) -> String {
        """
            <entity name="\(entity)">
                <attribute name="\(key)" attributeType="String"/>
                <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" \
        inverseName="\(entity.lowercased())" inverseEntity="Item"/>
        \(unique(key))
            </entity>
        """
    }

    /// Writes the two tables that items refer to.
    func writeTables() throws {
        let numbers = 0..<Self.tableCount
        let categories = "name\n" + numbers.map { "Category \($0)\n" }.joined()
        try Data(categories.utf8).write(to: folder.appending(path: "Category.csv"))
        let suppliers = "badge\n" + numbers.map { "S-\(10_000 + $0)\n" }.joined()
        try Data(suppliers.utf8).write(to: folder.appending(path: "Supplier.csv"))
    }

    /// Writes the items, whose codes are in no order.
    ///
    /// - Parameter badEvery: every how many rows there is one whose amount is no number; 0 for none.
    /// - Returns: the file's size in bytes.
    func writeItems(to name: String, badEvery: Int = 0) throws -> Int {
        guard FileManager.default.createFile(atPath: path(name), contents: nil),
            let file = FileHandle(forWritingAtPath: path(name))
        else { throw CocoaError(.fileWriteUnknown) }
        var text = "code,number,amount,is_active,name,city,street,remark,category,supplier\n"
        var size = 0
        var state: UInt64 = 42
        for row in 1...max(1, count) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Int(truncatingIfNeeded: state >> 33)
            // A prime above all rows: no code comes twice.
            let code = row * 7_368_787 % 1_000_000_007
            let amount = badEvery > 0 && row % badEvery == 0 ? "none" : "\(Double(value % 10_000_000) / 100)"
            text += "K\(10_000_000_000 + code),\(value),\(amount),\(value % 2 == 0 ? "yes" : "no"),"
            text += "Name of item \(value % 99_991),City of \(value % 977),\(value % 300) Some Street \(row),"
            text += "\"a remark, with a comma \(value % 7_919)\",Category \(value % Self.tableCount),"
            text += "S-\(10_000 + value / 1_000 % Self.tableCount)\n"
            if text.utf8.count > 1 << 20 || row == count {
                size += text.utf8.count
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.close()
        return size
    }
}
