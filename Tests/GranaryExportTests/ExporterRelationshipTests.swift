import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryInspection
import GranaryPredicates
import Testing
@testable import SeedingTestSupport

/// Which side writes a relationship, and how its objects are named.
struct ExporterRelationshipTests {
    @Test func keysAreTheDefaultWhereThereIsOne() throws {
        let store = try ExportSamples.companyStore()
        // The destination Person has no key: its rows say their ids.
        #expect(
            try ExportSamples.csv(store, ExportSamples.options("Employee")) == #"""
                $id,name,salary,department,friends,tags
                Employee/p1,Ann,12.5,R;D,Employee/p3;Customer/p2,"new;""a;b"""
                Employee/p3,Cy,,Sales,,

                """#)
        // Department has a key, and nothing refers to it by id.
        #expect(
            try ExportSamples.csv(store, ExportSamples.options("Department")) == "name,head\nSales,\nR;D,Employee/p3\n")
        // The other side of the tags says the same.
        #expect(try ExportSamples.csv(store, ExportSamples.options("Tag")) == "word\nnew\na;b\n")
    }

    @Test func idsWhenAskedFor() throws {
        var options = ExportSamples.options("Employee")
        options.reference = .id
        #expect(
            try ExportSamples.csv(ExportSamples.companyStore(), options).contains(
                "Employee/p1,Ann,12.5,Department/p2,Employee/p3;Customer/p2,Tag/p1;Tag/p2\n"))
    }

    @Test func keysWhenThereAreNone() throws {
        var options = ExportSamples.options("Employee")
        options.reference = .key
        let error = try #require(throws: GranaryError.self) {
            try ExportSamples.csv(ExportSamples.companyStore(), options)
        }
        #expect(error.code == .usage)
        #expect(error.message.contains("Employee.friends: Person has no uniqueness constraint"))
    }

    @Test func entityReferredToByIDSaysItsID() throws {
        var options = ExportSamples.options("Department", "Employee")
        options.reference = .id
        let text = try ExportSamples.json(ExportSamples.companyStore(), options, shape: .document)
        #expect(text.contains(#"{"$id":"Department/p2","name":"R;D","head":"Employee/p3"}"#))
        #expect(
            text.contains(
                #"{"$id":"Employee/p3","name":"Cy","salary":null,"department":"Department/p1","friends":[],"tags":[]}"#)
        )
    }

    @Test func compositeKeysAreJSONArrays() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("A", [.toOne("b", "B", inverse: nil)]),
            EntityDescription("B", [.attribute("x", .string), .attribute("y", .integer16)], unique: [["x", "y"]]),
        ])
        let store = try ExportSamples.store(model)
        try ExportSamples.insert("B", 1, ["x": "q\"", "y": .integer(2)], into: store)
        try ExportSamples.insert("A", 1, to: ["b": ("B", 1)], into: store)
        var options = ExportSamples.options("A")
        #expect(try ExportSamples.json(store, options) == "[\n{\"$id\":\"A/p1\",\"b\":\"B/p1\"}\n]\n")
        options.reference = .key
        #expect(
            try ExportSamples.json(store, options) == "[\n{\"$id\":\"A/p1\",\"b\":\"[\\\"q\\\\\\\"\\\",2]\"}\n]\n")
    }

    @Test func nullKeyCannotNameAnObject() throws {
        let store = try ExportSamples.store(ExportSamples.company)
        try ExportSamples.insert("Department", 5, into: store)
        try ExportSamples.insert("Employee", 1, to: ["department": ("Department", 5)], into: store)
        let error = try #require(throws: GranaryError.self) {
            try ExportSamples.csv(store, ExportSamples.options("Employee"))
        }
        #expect(error.message.hasPrefix("Employee/p1: refers to Department/p5, whose key is NULL"))
        #expect(error.diagnostics.first?.property == "department")
    }

    @Test func referenceToNothing() throws {
        let store = try ExportSamples.store(ExportSamples.company)
        try ExportSamples.insert("Employee", 1, to: ["department": ("Department", 9)], into: store)
        let error = try #require(throws: GranaryError.self) {
            try ExportSamples.csv(store, ExportSamples.options("Employee"))
        }
        #expect(error.diagnostics.first?.code == .relationshipNotFound)
    }

    /// More rows than a batch, so that links and keys are looked up several times.
    @Test(arguments: [1, 7, 512]) func batches(size: Int) throws {
        let store = try ExportSamples.store(ExportSamples.company)
        var expected = "word,persons\n"
        for key in 1...40 {
            try ExportSamples.insert("Employee", Int64(key), ["name": .string("n\(key)")], into: store)
        }
        for key in 1...20 {
            try ExportSamples.insert("Tag", Int64(key), ["word": .string("t\(key)")], into: store)
            let linked = [key, key + 20].filter { $0 % 3 > 0 }
            try ExportSamples.link("Tag", Int64(key), "persons", to: linked.map { ("Employee", Int64($0)) }, in: store)
            expected += "t\(key)," + linked.map { "Employee/p\($0)" }.joined(separator: ";") + "\n"
        }
        var options = ExportSamples.options("Tag")
        options.columns = ["word", "persons"]
        options.batchSize = size
        #expect(try ExportSamples.csv(store, options) == expected)
    }
}
