import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// Objects of an entity and its subentities in one table.
struct CombinedExportTests {
    private var combined: ExportOptions {
        var options = ExportOptions()
        options.combinesSubentities = true
        return options
    }

    /// Siblings that have one name for different properties.
    private static let clashing = ManagedObjectModel(entities: [
        EntityDescription("Base", [.attribute("name", .string)], isAbstract: true),
        EntityDescription("Left", [.attribute("code", .integer16), .attribute("left", .string)], superentity: "Base"),
        EntityDescription(
            "Right", [.attribute("code", .string), .toOne("left", "Base", inverse: nil)], superentity: "Base"),
    ])

    @Test func rowsAreInTheOrderOfTheirKeys() throws {
        var options = combined
        options.entities = ["Person"]
        options.identifiers = .whereNeeded
        #expect(
            try ExportSamples.csv(ExportSamples.companyStore(), options) == #"""
                $id,$entity,name,salary,vip,department,friends,tags
                Employee/p1,Employee,Ann,12.5,,R;D,Employee/p3;Customer/p2,"new;""a;b"""
                Customer/p2,Customer,Bob,,true,,,
                Employee/p3,Employee,Cy,,,Sales,,

                """#)
        // A member that the entity does not have is absent.
        let json = try ExportSamples.json(ExportSamples.companyStore(), options)
        #expect(
            json.contains(
                #"{"$id":"Customer/p2","$entity":"Customer","name":"Bob","vip":true,"department":null,"friends":[],"tags":[]}"#
            ), "\(json)")
    }

    @Test func withoutNamesEachRootIsATable() throws {
        let schema = try ExportSamples.company.resolved()
        #expect(try Exporter(options: combined).tables(of: schema) == ["Department", "Person", "Tag"])
        var inner = combined
        inner.entities = ["Employee", "Person"]
        #expect(try Exporter(options: inner).tables(of: schema) == ["Person"])
        // An entity without subentities needs no column for its name.
        var tag = combined
        tag.entities = ["Tag"]
        #expect(try ExportSamples.csv(ExportSamples.companyStore(), tag) == "word\nnew\na;b\n")
    }

    @Test func aSelectionCanSortThem() throws {
        var options = combined
        options.entities = ["Person"]
        options.columns = ["name", "$entity", "salary"]
        options.sortDescriptors = [ObjectSortDescriptor("name", ascending: false)]
        options.limit = 2
        #expect(
            try ExportSamples.csv(ExportSamples.companyStore(), options)
                == "name,$entity,salary\nCy,Employee,\nBob,Customer,\n")
    }

    @Test(arguments: [DataFormat.csv, .tsv, .json, .ndjson, .plist])
    func theyImportAgain(_ format: DataFormat) throws {
        let folder = try TemporaryFolder()
        let store = try ExportSamples.companyStore()
        let path = folder.url.appending(path: "out").path
        _ = try Exporter(options: combined).run(store, to: .path(path + "/", format: format, replacing: false))
        let sources = ["Department", "Person", "Tag"].map {
            ImportSource.file(path: "\(path)/\($0).\(format.rawValue)", options: SourceOptions())
        }
        let again = try ExportSamples.store(ExportSamples.company)
        let job = ImportJob(entity: nil, sources: sources)
        let report = try Importer(jobs: [job]).run(into: again)
        #expect(report.created == 7, "\(report.diagnostics.map(\.message))")
        #expect(try ExportSamples.json(again, shape: .document) == ExportSamples.json(store, shape: .document))
    }

    @Test func oneNameCanBeSeveralProperties() throws {
        let store = try ExportSamples.store(Self.clashing)
        try ExportSamples.insert("Left", 1, ["name": "a", "code": .integer(7), "left": "x"], into: store)
        try ExportSamples.insert("Right", 2, ["name": "b", "code": "seven"], to: ["left": ("Left", 1)], into: store)
        var options = combined
        options.entities = ["Base"]
        let text = try ExportSamples.csv(store, options)
        #expect(
            text == "$id,$entity,code,left,name\nLeft/p1,Left,7,x,a\nRight/p2,Right,seven,Left/p1,b\n")
        let run = try TestImport.csv(text, "Base", Self.clashing)
        #expect(run.problems == [] && run.report.created == 2, "\(run.messages)")
        #expect(try ExportSamples.csv(run.store, options) == text)
    }

    @Test(arguments: [
        ("$entity,name\nEmployee,a\n", "Person", []), ("$entity,name\n,a\n", "Person", ["entity.abstract"]),
        ("name\na\n", "Person", ["entity.abstract"]), ("$entity,name\nTag,a\n", "Person", ["entity.unknown"]),
        ("$entity,name\nEmploye,a\n", "Person", ["entity.unknown"]),
        ("$entity,vip\nEmployee,true\n", "Person", ["header.unknown"]), ("$entity,vip\nEmployee,\n", "Person", []),
        ("$entity,salry\nEmployee,1\n", "Person", ["header.unknown"]),
        ("$entity,word\nEmployee,a\n", "Tag", ["entity.unknown"]),
    ])
    func namesOfEntities(_ text: String, _ entity: String, _ codes: [String]) throws {
        let run = try TestImport.csv(text, entity, ExportSamples.company)
        #expect(run.report.diagnostics.map(\.code.rawValue) == codes, "\(run.messages)")
        #expect(run.report.isRefused == !codes.isEmpty)
    }

    /// An import that ignores or maps the column does not use it.
    @Test func theColumnCanBeIgnored() throws {
        let run = try TestImport.csv("$entity,name\nTag,a\n", "Employee", ExportSamples.company) {
            $0.ignoredColumns = ["$entity"]
        }
        #expect(run.report.created == 1, "\(run.messages)")
    }

    @Test func nestedObjectsNameTheirEntities() throws {
        let text = #"[{"name": "Ops", "staff": [{"$entity": "Employee", "name": "Di", "salary": 2}]}]"#
        let run = try TestImport.json(text, "Department", ExportSamples.company)
        #expect(run.problems == [], "\(run.messages)")
        #expect(
            try run.csv("Employee", columns: ["name", "salary", "department"]) == "name,salary,department\nDi,2,Ops\n")
        let wrong = try TestImport.json(
            #"[{"name": "Ops", "staff": [{"$entity": "Tag", "name": "Di"}]}]"#, "Department", ExportSamples.company)
        #expect(wrong.report.diagnostics.map(\.code) == [.entityUnknown], "\(wrong.messages)")
    }
}
