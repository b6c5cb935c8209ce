import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryComparison
@testable import GranaryExport
@testable import SeedingTestSupport

/// The comparison of a store with exports of a part of it.
@Suite struct StoreDiffPartsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func export(
        _ store: String, to name: String, _ format: DataFormat, _ options: ExportOptions
    ) throws -> String {
        let source = try SQLiteStore.open(path: store, schema: try ExportSamples.company.resolved(), readOnly: true)
        let slash = name.contains(".") ? "" : "/"
        _ = try Exporter(options: options).run(
            source, to: .path(path(name) + slash, format: format, replacing: false))
        return path(name)
    }

    private func nested(_ entity: String, _ relationships: [String]) -> ExportOptions {
        var options = ExportSamples.options(entity)
        options.nested = relationships
        return options
    }

    /// A company that a change makes different.
    private func changed(_ change: (SQLiteStore) throws -> Void) throws -> String {
        let path = try DiffRun.companyFile(in: folder, "Changed.sqlite")
        let store = try SQLiteStore.openForWriting(
            path: path, schema: try ExportSamples.company.resolved(), busyTimeout: .seconds(5))
        try change(store)
        return path
    }

    // MARK: - Nested objects

    private static let nestings: [(String, [String])] = [
        ("Employee", ["department"]), ("Department", ["staff"]), ("Employee", ["tags"]),
        ("Department", ["staff", "head", "staff.tags"]),
    ]

    @Test(arguments: nestings.indices)
    func `A store equals an export of one entity with nested objects, whose $ids name the entity`(_ index: Int) throws {
        let (entity, relationships) = Self.nestings[index]
        let store = try DiffRun.companyFile(in: folder)
        for (name, format) in [("other.json", DataFormat.json), ("other.ndjson", .ndjson)] {
            let file = try export(store, to: name, format, nested(entity, relationships))
            for (a, b) in [(store, file), (file, store)] {
                let run = try DiffRun.of(paths: a, b)
                #expect(run.summary.isEqual && run.counts == ["\(entity) 2 0 0 0"], "\(run.lines) \(run.counts)")
                #expect(try DiffRun.of(paths: a, b, entities: [entity]).summary.isEqual)
            }
        }
    }

    @Test func `Nested objects have the primary keys of the export, whatever the other store has`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let path = path("Rebuilt.sqlite")
        let other = try SQLiteStore.create(path: path, schema: try ExportSamples.company.resolved())
        try ExportSamples.insert("Department", 2, ["name": "Sales"], into: other)
        try ExportSamples.insert("Department", 7, ["name": "R&D"], into: other)
        try ExportSamples.insert(
            "Employee", 1, ["name": "Ann", "salary": .decimal(12.5)], to: ["department": ("Department", 7)], into: other
        )
        try ExportSamples.insert("Employee", 3, ["name": "Cy"], to: ["department": ("Department", 2)], into: other)
        try other.publish()
        let file = try export(path, to: "Employee.json", .json, nested("Employee", ["department"]))
        let run = try DiffRun.of(paths: store, file)
        #expect(run.lines == ["changed Employee/p1: friends tags"], "\(run.lines)")
    }

    @Test func `A member that moves is a difference of the list around it`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let other = try changed {
            try ExportSamples.link("Department", 2, "staff", to: [("Employee", 1), ("Employee", 3)], in: $0)
        }
        let file = try export(other, to: "Department.json", .json, nested("Department", ["staff"]))
        let run = try DiffRun.of(paths: store, file)
        #expect(run.lines == ["changed Department/p1: staff", "changed Department/p2: staff"], "\(run.lines)")
    }

    // MARK: - Folders

    @Test func `Only the entities of a folder's files are compared`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let other = try changed {
            try ExportSamples.insert("Department", 9, ["name": "Law"], into: $0)
            try ExportSamples.insert("Tag", 9, ["word": "late"], into: $0)
        }
        let exported = try export(other, to: "part", .csv, ExportSamples.options("Employee", "Tag"))
        for (a, b, kind) in [(store, exported, "onlyInB"), (exported, store, "onlyInA")] {
            let run = try DiffRun.of(paths: a, b)
            #expect(run.lines == ["\(kind) Tag/p3"], "\(run.lines)")
            #expect(run.counts.map { $0.prefix(7) } == ["Employe", "Tag 2 0"], "\(run.counts)")
            #expect(
                run.summary.warnings.map(\.message).contains {
                    $0.hasSuffix("part has no files of Department, Customer; they are not compared")
                }, "\(run.summary.warnings)")
        }
        let asked = try DiffRun.of(paths: store, exported, entities: ["Tag"])
        #expect(asked.counts == ["Tag 2 0 0 1"] && asked.summary.warnings.isEmpty, "\(asked.counts)")
        let error = try #require(throws: GranaryError.self) {
            try DiffRun.of(paths: store, exported, entities: ["Department"])
        }
        #expect(error.code == .usage && error.message.contains("no entity to compare in common"), "\(error.message)")
    }

    @Test(arguments: [("part.json", DataFormat.json), ("part.plist", .plist)])
    func `Only the entities of a document are compared`(_ name: String, _ format: DataFormat) throws {
        let store = try DiffRun.companyFile(in: folder)
        let other = try changed {
            try ExportSamples.insert("Department", 9, ["name": "Law"], into: $0)
            try ExportSamples.insert("Customer", 9, ["name": "Eve"], into: $0)
        }
        var options = ExportSamples.options("Person")
        options.nested = ["department"]
        let exported = try export(other, to: name, format, options)
        for (a, b, kind) in [(store, exported, "onlyInB"), (exported, store, "onlyInA")] {
            let run = try DiffRun.of(paths: a, b)
            #expect(run.lines == ["\(kind) Customer/p9"], "\(run.lines)")
            #expect(run.counts.map { $0.prefix(7) } == ["Custome", "Employe"], "\(run.counts)")
            #expect(
                run.summary.warnings.map(\.message).contains {
                    $0.hasSuffix("\(name) does not contain Department, Tag; they are not compared")
                }, "\(run.summary.warnings)")
        }
    }

    @Test func `A document of a whole store is compared with another model as a whole`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let document = try export(store, to: "all.json", .json, ExportOptions())
        var model = ExportSamples.company
        model.entities.append(EntityDescription("Room", [.attribute("number", .integer16)]))
        let other = try SQLiteStore.create(path: path("Other.sqlite"), schema: try model.resolved())
        try DiffRun.addCompany(to: other)
        try ExportSamples.insert("Room", 1, into: other)
        try other.publish()
        let run = try DiffRun.of(paths: document, path("Other.sqlite"))
        #expect(run.summary.schema.map(\.description) == ["only in B: Room"] && run.counts.last == "Room 0 0 0 1")
    }

    @Test func `Only the columns of a folder's files are compared`() throws {
        let store = try DiffRun.companyFile(in: folder)
        try FileManager.default.createDirectory(atPath: path("part"), withIntermediateDirectories: false)
        _ = try folder.write("$id,name\nEmployee/p1,Ann\nEmployee/p3,Cyn\n", to: "part/Employee.csv")
        let run = try DiffRun.of(paths: store, path("part"))
        #expect(run.lines == ["changed Employee/p3: name"], "\(run.lines)")
        #expect(run.summary.warnings.contains { $0.message.contains("Employee.csv has no columns for salary") })
    }

    // MARK: - Columns

    @Test func `Columns that the sidecar marks as expressions are not compared`() throws {
        let store = try DiffRun.companyFile(in: folder)
        var options = ExportSamples.options("Employee")
        options.columns = ["$id", "name", "department.name"]
        options.isForSpreadsheets = true
        let file = try export(store, to: "sheet.csv", .csv, options)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("Cy,", with: "Cyn,").write(toFile: file, atomically: true, encoding: .utf8)
        let run = try DiffRun.of(paths: store, file)
        #expect(run.lines == ["changed Employee/p3: name"], "\(run.lines)")
        #expect(
            run.summary.warnings.contains {
                $0.message.hasSuffix("sheet.csv: columns with expressions are not compared: department.name")
            }, "\(run.summary.warnings)")
    }

    @Test func `Columns without a property can be ignored`() throws {
        let store = try DiffRun.companyFile(in: folder)
        let file = try folder.write("$id,name,tags.@count\nEmployee/p1,Ann,2\nEmployee/p3,Cyn,0\n", to: "Employee.csv")
            .path
        #expect(throws: GranaryError.self) { try DiffRun.of(paths: store, file) }
        var lines: [String] = []
        for ignored in [["tags.@count"], ["tags.@count", "name"], ["tags.@cuont"]] {
            var options = StoreDiffOptions()
            options.ignored = ignored
            do {
                _ = try StoreDiff(options: options).run(paths: store, file) { lines.append($0.object.id) }
            } catch let error as GranaryError { lines.append(error.message) }
            lines.append("")
        }
        #expect(lines.prefix(3) == ["Employee/p3", "", ""] && lines.count == 5, "\(lines)")
    }

    private static let rows: [(title: String, text: String, lines: [String])] = [
        ("with the first free key", "Employee/p1,Ann\n,Eve\n", ["onlyInA Employee/p3", "onlyInB Employee/p4"]),
        ("equal to a stored one", ",Ann\nEmployee/p3,Cy\n", ["onlyInA Employee/p1", "onlyInB Employee/p4"]),
        ("several", ",Eve\nEmployee/p1,Ann\n,Eve\nEmployee/p3,Cy\n", ["onlyInB Employee/p4", "onlyInB Employee/p5"]),
    ]

    @Test(arguments: rows.indices)
    func `Rows without $id among others are new objects`(_ index: Int) throws {
        let store = try DiffRun.companyFile(in: folder)
        let file = try folder.write("$id,name\n" + Self.rows[index].text, to: "Employee.csv")
        let run = try DiffRun.of(paths: store, file.path)
        #expect(run.lines == Self.rows[index].lines, "\(Self.rows[index].title): \(run.lines)")
        let records = Self.rows[index].text.split(separator: "\n").map { row in
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            return (fields[0].isEmpty ? "{" : "{\"$id\":\"\(fields[0])\",") + "\"name\":\"\(fields[1])\"}"
        }
        let text = "{\"entities\":{\"Employee\":[\(records.joined(separator: ","))]}}"
        let document = try folder.write(text, to: "whole.json")
        let other = try DiffRun.of(paths: store, document.path)
        // A document says of all properties what they are.
        let lines = other.lines.filter { !$0.hasPrefix("changed") }
        #expect(lines == Self.rows[index].lines, "\(Self.rows[index].title): \(other.lines)")
    }

    @Test func `A file whose $ids name several entities, or none, needs the entity`() throws {
        let store = try DiffRun.companyFile(in: folder)
        for text in ["$id,name\nEmployee/p1,Ann\nTag/p1,x\n", "$id,name\nOther/p1,Ann\n", "name\nAnn\n"] {
            let file = try folder.write(text, to: "other.csv").path
            let error = try #require(throws: GranaryError.self, "\(text)") { try DiffRun.of(paths: store, file) }
            #expect(error.code == .usage && error.help == "--entity ENTITY", "\(error.message)")
        }
        // The column $entity names the entity of each record, below a common one.
        let both = try folder.write(
            "$id,$entity,name\nEmployee/p1,Employee,Ann\nCustomer/p2,Customer,Bo\n", to: "other.csv")
        let run = try DiffRun.of(paths: store, both.path)
        #expect(run.lines == ["changed Customer/p2: name", "onlyInA Employee/p3"], "\(run.lines)")
    }
}
