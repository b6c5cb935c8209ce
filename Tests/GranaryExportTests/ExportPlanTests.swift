import Foundation
import GranaryBase
import GranaryExport
import GranaryFormats
import GranaryModel
import TestSupport
import Testing
@testable import SeedingTestSupport

/// Entities, columns, folders and constant tables.
struct ExportPlanTests {
    @Test func everyConcreteEntityHasATable() throws {
        let exporter = Exporter()
        let schema = try ExportSamples.company.resolved()
        #expect(try exporter.tables(of: schema) == ["Department", "Customer", "Employee", "Tag"])
        #expect(try Exporter(options: ExportSamples.options("Person")).tables(of: schema) == ["Customer", "Employee"])
        #expect(try Exporter(options: ExportSamples.options("Tag", "Tag")).tables(of: schema) == ["Tag"])
        #expect(throws: GranaryError.self) { try Exporter(options: ExportSamples.options("Nobody")).tables(of: schema) }
    }

    @Test func columnsInTheOrderAskedFor() throws {
        var options = ExportSamples.options("Customer")
        options.columns = ["vip", "$id", "name"]
        #expect(try ExportSamples.csv(ExportSamples.companyStore(), options) == "vip,$id,name\ntrue,Customer/p2,Bob\n")
    }

    @Test(arguments: [
        (["vip"], "Employee has none of the listed columns"), (["nix"], "there is no property \"nix\" in"),
        (["name", "name"], "the column \"name\" is listed twice"),
    ])
    func columnsThatAreNotThere(columns: [String], message: String) throws {
        var options = ExportSamples.options("Person")
        options.columns = columns
        let error = try #require(throws: GranaryError.self) {
            try ExportSamples.json(ExportSamples.companyStore(), options, shape: .document)
        }
        #expect(error.code == .usage)
        #expect(error.message.hasPrefix(message))
    }

    @Test func derivedAttributesOnlyByName() throws {
        let store = try ExportSamples.store(ExportSamples.everyType)
        var options = ExportOptions()
        options.columns = ["now"]
        #expect(try ExportSamples.csv(store, options) == "now\n")
        options.columns = ["scratch"]
        #expect(throws: GranaryError.self) { try ExportSamples.csv(store, options) }
    }

    @Test func documentCarriesTheModel() throws {
        let text = try ExportSamples.json(ExportSamples.companyStore(), shape: .document)
        #expect(text.hasPrefix("{\n\"entities\": {\n\"Department\": [\n"))
        #expect(text.contains("\n\"model\": {\"entities\":[{"))
    }

    @Test func folderOfFiles() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "out").path
        let store = try ExportSamples.companyStore()
        func write(replacing: Bool) throws -> ExportReport {
            let writer = try FolderWriter(path: path, fileExtension: "csv", replacing: replacing) {
                (output) throws(GranaryError) in try CSVWriter(output)
            }
            var options = ExportOptions()
            options.identifiers = .whereNeeded
            return try Exporter(options: options).run(store, into: writer)
        }
        let report = try write(replacing: false)
        #expect(report.objects == 7)
        #expect(report.tables.map(\.objects) == [2, 1, 2, 2])
        #expect(try names(path) == ["Customer.csv", "Department.csv", "Employee.csv", "Tag.csv"])
        #expect(try String(contentsOfFile: path + "/Tag.csv", encoding: .utf8) == "word\nnew\na;b\n")

        #expect(throws: GranaryError.self) { try write(replacing: false) }
        _ = try write(replacing: true)
        _ = try folder.write("precious", to: "out/notes.txt")
        let error = try #require(throws: GranaryError.self) { try write(replacing: true) }
        #expect(error.code == .uncreatable)
        #expect(error.message.contains("contains notes.txt"))
        #expect(try names(folder.url.path) == ["out"])
    }

    /// An export that fails leaves nothing behind.
    @Test func unfinishedFolder() throws {
        let folder = try TemporaryFolder()
        do {
            let writer = try FolderWriter(
                path: folder.url.appending(path: "out").path, fileExtension: "csv", replacing: false
            ) { (output) throws(GranaryError) in try CSVWriter(output) }
            try writer.beginTable(entity: "A", columns: ["a"])
            #expect(try !names(folder.url.path).isEmpty)
        }
        #expect(try names(folder.url.path) == [])
    }

    @Test(arguments: ["", "../A", "a/b", ".hidden"]) func entityThatIsNoFileName(entity: String) throws {
        let folder = try TemporaryFolder()
        let writer = try FolderWriter(
            path: folder.url.appending(path: "out").path, fileExtension: "csv", replacing: false
        ) { (output) throws(GranaryError) in try CSVWriter(output) }
        #expect(throws: GranaryError.self) { try writer.beginTable(entity: entity, columns: ["a"]) }
    }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
