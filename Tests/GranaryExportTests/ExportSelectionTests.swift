import Foundation
import GranaryBase
import GranaryCoordination
import GranaryExport
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import SeedingTestSupport

/// Predicates, orders, limits and key paths of an export.
struct ExportSelectionTests {
    private func options(
        _ entity: String, _ columns: [String] = ["name"], where condition: String? = nil,
        sort: [ObjectSortDescriptor] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> ExportOptions {
        var options = ExportSamples.options(entity)
        options.columns = columns
        options.predicate = try condition.map { try ObjectPredicate($0) }
        options.sortDescriptors = sort
        options.limit = limit
        options.offset = offset
        return options
    }

    @Test func chosenObjects() throws {
        let store = try ExportSamples.companyStore()
        let descending = [ObjectSortDescriptor("name", ascending: false)]
        let cases: [(ExportOptions, String)] = [
            (try options("Employee", where: "salary > 10"), "Ann\n"),
            (try options("Employee", where: "department.name == 'Sales'"), "Cy\n"),
            (try options("Employee", where: "ANY tags.word == 'new'"), "Ann\n"),
            (try options("Employee", where: "salary == nil"), "Cy\n"),
            (try options("Employee", where: "FALSEPREDICATE"), ""),
            (try options("Employee", sort: descending), "Cy\nAnn\n"),
            (try options("Employee", sort: [ObjectSortDescriptor("department.name")]), "Ann\nCy\n"),
            (try options("Employee", sort: [ObjectSortDescriptor("salary")]), "Cy\nAnn\n"),
            (try options("Employee", limit: 1), "Ann\n"), (try options("Employee", limit: 0), ""),
            (try options("Employee", offset: 1), "Cy\n"), (try options("Employee", offset: 9), ""),
            (try options("Employee", where: "name != nil", sort: descending, limit: 1, offset: 1), "Ann\n"),
        ]
        for (options, rows) in cases {
            #expect(try ExportSamples.csv(store, options) == "name\n" + rows)
        }
    }

    /// A store reads links in the order of the owners' keys, whatever the order of the rows.
    @Test func sortedOwnersKeepTheirLinks() throws {
        let store = try ExportSamples.companyStore()
        try ExportSamples.link("Employee", 3, "tags", to: [("Tag", 1)], in: store)
        let options = try options(
            "Employee", ["name", "tags"], sort: [ObjectSortDescriptor("name", ascending: false)])
        #expect(
            try ExportSamples.json(store, options) == """
                [
                {"name":"Cy","tags":["new"]},
                {"name":"Ann","tags":["new","a;b"]}
                ]

                """)
    }

    @Test func keyPaths() throws {
        let options = try options(
            "Employee", ["name", "department.name", "tags.@count", "tags.word", "department.head", "$entity"])
        #expect(
            try ExportSamples.json(ExportSamples.companyStore(), options) == """
                [
                {"name":"Ann","department.name":"R;D","tags.@count":2,"tags.word":["new","a;b"],"department.head":"Employee/p3","$entity":"Employee"},
                {"name":"Cy","department.name":"Sales","tags.@count":0,"tags.word":[],"department.head":null,"$entity":"Employee"}
                ]

                """)
    }

    @Test func aPredicateAppliesToSubentities() throws {
        let store = try ExportSamples.companyStore()
        var options = try options("Person", [], where: "name BEGINSWITH 'B' OR name == 'Cy'")
        options.identifiers = .always
        let text = try ExportSamples.json(store, options, shape: .document)
        #expect(text.contains("\"Customer/p2\"") && text.contains("\"Employee/p3\""))
        #expect(!text.contains("\"Ann\""))
    }

    @Test func mistakes() throws {
        let store = try ExportSamples.companyStore()
        let order = [ObjectSortDescriptor("name")]
        var everything = try options("Employee", where: "name == 'x'")
        everything.entities = []
        var two = everything
        two.entities = ["Employee", "Tag"]
        let cases: [(ExportOptions, String)] = [
            (everything, "needs exactly one entity"), (two, "needs exactly one entity"),
            (try options("Person", sort: order), "exported as 2 tables"),
            (try options("Person", limit: 1), "exported as 2 tables"), (try options("Employee", limit: -1), "negative"),
            (try options("Employee", offset: -1), "negative"),
            (try options("Employee", where: "nme == 'x'"), "has no property \"nme\""),
            (try options("Employee", sort: [ObjectSortDescriptor("tags")]), "has several values"),
            (try options("Employee", ["departmnt.name"]), "did you mean \"department\"?"),
            (try options("Employee", ["department.nme"]), "has no property \"nme\""),
            (try options("Employe"), "did you mean \"Employee\"?"),
        ]
        for (options, message) in cases {
            let error = #expect(throws: GranaryError.self) { try ExportSamples.json(store, options, shape: .document) }
            #expect(error?.code == .usage)
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }

    @Test func transientPropertiesAreRefused() throws {
        let store = try ExportSamples.store(ExportSamples.everyType)
        let cases = [
            try options("Thing", where: "scratch == 'x'"), try options("Thing", where: "NOT scratch BEGINSWITH 'x'"),
            try options("Thing", sort: [ObjectSortDescriptor("scratch")]), try options("Thing", ["scratch"]),
            try options("Thing", ["scratch.length"]),
        ]
        for (number, options) in cases.enumerated() {
            let export = #expect(throws: GranaryError.self) { try ExportSamples.csv(store, options) }
            let query = #expect(throws: GranaryError.self) {
                try Exporter(options: options).count(store, entity: "Thing")
            }
            for error in [export, query] {
                #expect(error?.code == .usage)
                #expect(error?.message == "Thing.scratch is transient, so it is not in the store", "\(number)")
            }
        }
    }

    @Test func queriesHaveOneTable() throws {
        let store = try ExportSamples.companyStore()
        func query(_ options: ExportOptions) throws -> String {
            try ExportSamples.text { output in
                let exporter = Exporter(options: options)
                let written = try exporter.runQuery(store, entity: "Person", into: CSVWriter(output))
                let count = try exporter.count(store, entity: "Person")
                #expect(written == count)
            }
        }
        let descending = [ObjectSortDescriptor("name", ascending: false)]
        #expect(
            try query(options("Person", ["name", "$entity"], sort: descending))
                == "name,$entity\nCy,Employee\nBob,Customer\nAnn,Employee\n")
        #expect(
            try query(options("Person", ["$id"], sort: descending, limit: 1, offset: 1)) == "$id\nCustomer/p2\n")
        #expect(try query(options("Person", [])).hasPrefix("$id,$entity,"))
        #expect(
            try query(options("Person", ["name", "department.name"], where: "department != nil"))
                == "name,department.name\nAnn,R;D\nCy,Sales\n")
    }
}
