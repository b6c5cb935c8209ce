import Foundation
import Measuring

/// A model of employees with 8 attributes and 2 relationships, each with a rule, and the commands that fill stores of it.
struct Employees {
    let binary: String
    let folder: URL
    /// The number of employees.
    let rows: Int

    /// The number of departments, and of offices.
    var groups: Int { max(10, rows / 1_000) }

    var objects: Int { rows + 2 * groups }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    var model: String { path("Employees.xcdatamodel") }

    /// What commands print.
    var log: String { path("log.txt") }

    // MARK: Stores

    /// A path for a new store, in a folder of its own, which is empty.
    func newStore(_ name: String) throws -> String {
        let own = folder.appending(path: name)
        if FileManager.default.fileExists(atPath: own.path) { try FileManager.default.removeItem(at: own) }
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        return own.appending(path: "Store.sqlite").path
    }

    func generate(_ store: String) throws -> Measured {
        try granary([
            "generate", "--model", model, "--store", store, "--count", "Employee=\(rows)", "--count",
            "Department=\(groups)", "--count", "Office=\(groups)", "--random-seed", "7", "--quiet",
        ])
    }

    /// Writes all objects of a store to `exported/`, a CSV file for each entity.
    func export(_ store: String) throws {
        _ = try granary([
            "export", "--store", store, "--format", "csv", "--output", path("exported") + "/",
        ])
    }

    /// Imports what ``export(_:)`` wrote.
    func importExported(_ store: String) throws -> Measured {
        let files = ["Department", "Office", "Employee"].map { path("exported/\($0).csv") }
        return try granary(["import"] + files + ["--model", model, "--store", store, "--quiet"])
    }

    func granary(_ arguments: [String], expecting expected: Int32 = 0) throws -> Measured {
        guard let measured = try Measured.run([binary] + arguments, output: log, expecting: expected) else {
            throw BenchmarkFailure("granary ended with status 69")
        }
        return measured
    }

    // MARK: The model

    func writeModel() throws { try writeModel(model, added: "") }

    /// - Parameter added: the elements of further attributes of employees.
    func writeModel(_ path: String, added: String) throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \(Self.group("Department", letter: "D", attribute: "title"))
            <entity name="Employee">
            <attribute name="code" optional="NO" attributeType="String" regularExpressionString="E[0-9]{8}"/>
            \(Self.text("name", longest: 64))\(Self.text("email", longest: 80))\(Self.text("phone", longest: 32))
            \(Self.text("city", longest: 40))
            <attribute name="level" optional="NO" attributeType="Integer 16" minValueString="1" maxValueString="20"/>
            <attribute name="salary" optional="NO" attributeType="Double" minValueString="20000" \
            maxValueString="200000"/>
            <attribute name="birthday" optional="YES" attributeType="Date"/>
            \(Self.toOne("department", "Department"))\(Self.toOne("office", "Office"))\(added)\(Self.unique)
            </entity>
            \(Self.group("Office", letter: "O", attribute: "city"))
            </model>
            """
        let folder = URL(filePath: path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "contents"))
    }

    private static let unique =
        "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint>"
        + "</uniquenessConstraints>"

    private static func text(_ name: String, longest: Int) -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\" minValueString=\"1\" "
            + "maxValueString=\"\(longest)\"/>"
    }

    private static func toOne(_ name: String, _ destination: String) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
            + "destinationEntity=\"\(destination)\" inverseName=\"employees\" inverseEntity=\"\(destination)\"/>"
    }

    private static func group(_ entity: String, letter: String, attribute: String) -> String {
        "<entity name=\"\(entity)\"><attribute name=\"code\" optional=\"NO\" attributeType=\"String\" "
            + "regularExpressionString=\"\(letter)[0-9]{6}\"/>\(text(attribute, longest: 40))"
            + "<relationship name=\"employees\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
            + "destinationEntity=\"Employee\" inverseName=\"\(entity.lowercased())\" inverseEntity=\"Employee\"/>"
            + "\(unique)</entity>"
    }
}
