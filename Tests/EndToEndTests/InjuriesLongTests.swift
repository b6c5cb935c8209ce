import Foundation
import GranarySQLite
import TestSupport
import Testing

/// All injuries of ICD-10-CM with their parents: the order of the rows does not matter.
@Suite struct InjuriesLongTests {
    private static let count = 54_285
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func writeModel() throws {
        let model = folder.url.appending(path: "Injuries.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: false)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Injury">
                    <attribute name="billable" attributeType="Boolean" defaultValueString="NO"/>
                    <attribute name="code" attributeType="String" minValueString="3" maxValueString="8"/>
                    <attribute name="depth" attributeType="Integer 16" minValueString="1" defaultValueString="1"/>
                    <attribute name="title" attributeType="String" minValueString="1"/>
                    <relationship name="children" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Injury" inverseName="parent" inverseEntity="Injury"/>
                    <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Injury" inverseName="children" inverseEntity="Injury"/>
                </entity>
            </model>
            """
        _ = try folder.write(text, to: "Injuries.xcdatamodel/contents")
    }

    /// Imports rows in one command and gives back what the store has of them, in an order of its own.
    private func imported(_ rows: [Substring], under header: Substring, as name: String) throws -> [String] {
        let file = try folder.write("\(header)\n\(rows.joined(separator: "\n"))\n", to: name + ".csv")
        let store = path(name + ".sqlite")
        let run = try Granary.run([
            "import", file.path, "--model", path("Injuries.xcdatamodel"), "--store", store, "--entity", "Injury",
            "--lookup", "parent=code",
        ])
        #expect(run.status == 0, "\(name): \(run.errors)")
        #expect(
            run.ledger
                == "read \(Self.count) = created \(Self.count) + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        let connection = try Connection(path: store, mode: .readOnly)
        let statement = try connection.prepare(
            """
            SELECT c.ZCODE, ifnull(p.ZCODE, ''), c.ZTITLE, c.ZDEPTH, c.ZBILLABLE
            FROM ZINJURY c LEFT JOIN ZINJURY p ON p.Z_PK = c.ZPARENT
            """)
        var lines: [String] = []
        while try statement.step() {
            let texts = try (0..<3).map { try statement.string(at: $0) ?? "" }
            lines.append("\(texts.joined(separator: ","))|\(statement.integer(at: 3))|\(statement.integer(at: 4))")
        }
        return lines.sorted()
    }

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func parentsAreFoundInAnyOrderOfTheRows() throws {
        try writeModel()
        let text = try String(contentsOf: SharedFiles.url("data/injuries-icd10cm.csv"), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline)
        let header = try #require(lines.first)
        let rows = Array(lines.dropFirst())
        #expect(rows.count == Self.count)
        let inOrder = try imported(rows, under: header, as: "order")
        // No code and no parent is quoted.
        let expected = rows.map { $0.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)[..<2] }
        let found = inOrder.map { $0.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)[..<2] }
        let areLinked =
            expected.map { $0.joined(separator: ",") }.sorted() == found.map { $0.joined(separator: ",") }.sorted()
        #expect(areLinked)
        let check = try Granary.run([
            "store", "check", path("order.sqlite"), "--model", path("Injuries.xcdatamodel"),
        ])
        #expect(check.status == 0, "\(check.errors)")

        let reversed = try imported(rows.reversed(), under: header, as: "reversed") == inOrder
        #expect(reversed)
        var generator = SeededGenerator(seed: 11)
        let shuffled = try imported(rows.shuffled(using: &generator), under: header, as: "shuffled") == inOrder
        #expect(shuffled)
    }
}
