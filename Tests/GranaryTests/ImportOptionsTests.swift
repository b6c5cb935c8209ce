import Foundation
import Granary
import TestSupport
import Testing

/// The options that say how an import reads values: for all columns, and for single ones.
@Suite("Import options for values") struct ImportOptionsTests {
    /// One row in CSV, the options, and the value that the import stores; no value if the record is rejected.
    private struct Case: Sendable {
        var csv: String
        var property: String
        var expected: AttributeValue?
        var rejection: Diagnostic.Code?
        var change: @Sendable (inout ImportOptions) -> Void

        init(
            _ csv: String, _ property: String, _ expected: AttributeValue?, rejection: Diagnostic.Code? = nil,
            _ change: @escaping @Sendable (inout ImportOptions) -> Void
        ) {
            (self.csv, self.property, self.expected) = (csv, property, expected)
            (self.rejection, self.change) = (rejection, change)
        }

        /// A case in which the record is rejected.
        init(_ csv: String, rejection: Diagnostic.Code, _ change: @escaping @Sendable (inout ImportOptions) -> Void) {
            self.init(csv, "", nil, rejection: rejection, change)
        }
    }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Item",
            [
                .attribute("name", .string), .attribute("flag", .boolean), .attribute("amount", .decimal),
                .attribute("ratio", .double), .attribute("born", .date), .attribute("data", .binary),
                .attribute("count", .integer16, .required, .defaultValue(5)),
            ])
    ])

    private static func date(_ text: String) -> AttributeValue? {
        (try? Date(text, strategy: .iso8601)).map { .date($0) }
    }

    private static let forAllColumns: [Case] = [
        Case("name\n\"-\"", "name", nil) {
            $0.nullTexts = ["-"]
            $0.nullQuoted = true
        },
        Case("name,count\n\"  \",1", "name", nil) {
            $0.trims = true
            $0.emptyIsNull = true
        },
        Case("flag\nja", "flag", true) {
            $0.trueTexts = ["ja"]
            $0.falseTexts = ["nein"]
        },
        Case("title,shoe\nA,39", "ratio", 0.5) {
            $0.columnMap = ["title": "name"]
            $0.ignoredColumns = ["shoe"]
            $0.constants = ["ratio": "0.5"]
        },
        Case("name,count\nA,", "count", 5) { $0.nullIsDefault = true },
        Case("name,count\nA,", rejection: .valueMissing) { _ in },
        Case("born\n3 mars 2020", "born", date("2020-03-03T00:00:00Z")) {
            $0.dateFormats = [.iso8601, .pattern("d MMMM yyyy")]
            $0.locale = Locale(identifier: "fr_FR")
            $0.timeZone = .gmt
        },
        Case("born\n2020-10-25T02:30:00", "born", date("2020-10-25T00:30:00Z")) {
            $0.timeZone = TimeZone(identifier: "Europe/Paris")
            $0.daylightSaving = DaylightSavingPolicy.earlier
        },
        Case("data\n00ff", "data", .binary(Data([0, 255]))) { $0.binaryFormat = BinaryStyle.hex },
        Case("ratio\n\"1.234,5\"", "ratio", 1234.5) {
            $0.decimalSeparator = ","
            $0.groupSeparator = "."
            $0.allowsRounding = true
        },
    ]

    private static func column(_ name: String, _ change: (inout ColumnOptions) -> Void) -> [String: ColumnOptions] {
        var options = ColumnOptions()
        change(&options)
        return [name: options]
    }

    private static let forOneColumn: [Case] = [
        Case("name,ratio\n?,?", rejection: .valueSyntax) { $0.columnOptions = column("name") { $0.nullTexts = ["?"] } },
        Case("born\n0", "born", .date(Date(timeIntervalSince1970: 0))) {
            $0.columnOptions = column("born") {
                $0.dateFormats = [.unix]
                $0.timeZone = TimeZone(identifier: "Europe/Paris")
            }
        },
        Case("data\nff", "data", .binary(Data([255]))) { $0.columnOptions = column("data") { $0.binaryFormat = .hex } },
        Case("ratio\n\" 1.500,0 \"", "ratio", 1.5) {
            $0.columnOptions = column("ratio") {
                $0.trims = true
                $0.decimalSeparator = ","
                $0.groupSeparator = "."
                $0.scale = ExactDecimal(isNegative: false, mantissa: 1, exponent: -3)
            }
        },
        Case("flag\n+", "flag", true) {
            $0.columnOptions = column("flag") {
                $0.trueTexts = ["+"]
                $0.falseTexts = ["-"]
            }
        },
        Case("name\nr", "name", "red") { $0.columnOptions = column("name") { $0.enumeration = ["r": "red"] } },
    ]

    @Test("Options for all columns", arguments: forAllColumns.indices)
    func allColumns(index: Int) async throws { try await check(Self.forAllColumns[index]) }

    @Test("Options of one column", arguments: forOneColumn.indices)
    func oneColumn(index: Int) async throws { try await check(Self.forOneColumn[index]) }

    private func check(_ test: Case) async throws {
        var options = ImportOptions()
        test.change(&options)
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let source = ImportSource.text(test.csv + "\n", format: .csv)
        let importer = Importer(entity: "Item", from: source, options: options)
        if let rejection = test.rejection {
            let error = await #expect(throws: GranaryError.self) { try await importer.run(into: container) }
            #expect(error?.diagnostics.first?.code == rejection, "\(String(describing: error))")
            return
        }
        let report = try await importer.run(into: container)
        #expect(report.created == 1)
        let value = try await container.perform { context in
            try context.fetchAll("Item").first?.value(forKey: test.property)
        }
        #expect(value == test.expected, "\(test.csv)")
    }

    @Test("An exact decimal has a sign, digits and an exponent")
    func exactDecimals() throws {
        let thousandth = try #require(ExactDecimal(isNegative: true, mantissa: 25, exponent: -3))
        #expect(thousandth.isNegative && thousandth.mantissa == 25 && thousandth.exponent == -3)
        #expect(thousandth.description == "-0.025")
        let one = try #require(ExactDecimal(isNegative: false, mantissa: 1, exponent: 0))
        #expect(thousandth < one)
    }
}
