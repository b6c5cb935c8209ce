import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// References whose keys are in several columns, and go through a to-one relationship.
@Suite struct KeyPartsTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Line", [.attribute("code", .string), .toMany("stops", "Stop", inverse: "line")], unique: [["code"]]),
        EntityDescription(
            "Stop",
            [
                .attribute("number", .integer16), .attribute("name", .string), .toOne("line", "Line", inverse: "stops"),
                .toMany("times", "Time", inverse: "stop"),
            ], unique: [["line", "number"]]),
        EntityDescription(
            "Time",
            [.attribute("at", .string), .attribute("note", .string), .toOne("stop", "Stop", inverse: "times")],
            unique: [["stop", "at"]]),
    ])

    private static let stops = "line,number,name\nU1,1,a\nU1,2,b\nU2,1,c\n"

    /// A bench with lines and stops.
    private static func bench(_ kind: EngineBench.Kind = .memory) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "code\nU1\nU2\n", "Line")
        #expect(try bench.load(csv: stops, "Stop").counts == RecordCounts(created: 3))
        return bench
    }

    private static let parts: @Sendable (inout ImportOptions) -> Void = {
        $0.columnMap = ["line": "stop.line.code", "number": "stop.number"]
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `The key of a reference is in several columns`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.bench(kind)
        defer { bench.keep() }
        let text = "line,number,at,note\nU1,2,08:00,x\nU2,1,08:00,y\nU1,2,09:00,z\n"
        let run = try bench.load(csv: text, "Time", Self.parts)
        #expect(run.problems == [], "\(run.messages)")
        let table = "at,note,stop.name\n08:00,x,b\n08:00,y,c\n09:00,z,b\n"
        #expect(try bench.table("Time", "at", "note", "stop.name") == table)
        // The natural key has the reference.
        let again = try bench.load(csv: text.replacing(",z", with: ",new"), "Time") {
            Self.parts(&$0)
            $0.onConflict = .update
        }
        #expect(again.counts == RecordCounts(updated: 1, unchanged: 2), "\(again.messages)")
        #expect(try bench.table("Time", "at", "note", "stop.name") == table.replacing(",z,", with: ",new,"))
        let twice = try bench.load(csv: text, "Time", Self.parts)
        #expect(twice.counts == RecordCounts(rejected: 3))
        #expect(try bench.faults() == [])
    }

    @Test func `JSON has the key in members, or as a list`() throws {
        let bench = try Self.bench()
        let run = try bench.load(
            json:
                #"[{"at":"1","where":{"line":"U1","number":2}},{"at":"2","where":{"number":1,"line":"U2"}},{"at":"3","where":null},{"at":"4"}]"#,
            "Time"
        ) { $0.columnMap = ["where.line": "stop.line.code", "where.number": "stop.number"] }
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Time", "at", "stop.name") == "at,stop.name\n1,b\n2,c\n3,\n4,\n")
        for byRecord in [true, false] {
            var options = ImportRunOptions()
            options.readsRecordByRecord = byRecord
            let list = try bench.load(
                json: #"[{"at":"5","stop":["U1",1]},{"at":"6","stop":["U2",1]}]"#, "Time", run: options
            ) {
                $0.lookups = ["stop": .attributes(["line.code", "number"])]
                $0.onConflict = .update
                $0.key = ["at"]
            }
            #expect(list.problems == [], "\(list.messages)")
        }
        #expect(try bench.table("Time", "at", "stop.name") == "at,stop.name\n1,b\n2,c\n3,\n4,\n5,a\n6,c\n")
        #expect(try bench.faults() == [])
    }

    @Test func `Jobs of one run`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let run = try bench.load([
            EngineBench.job(csv: "code\nU1\nU2\n", "Line"), EngineBench.job(csv: Self.stops, "Stop"),
            EngineBench.job(csv: "line,number,at\nU1,2,8\nU2,1,9\n", "Time", Self.parts),
        ])
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Time", "at", "stop.name") == "at,stop.name\n8,b\n9,c\n")
        #expect(try bench.faults() == [])
    }

    private static let problems: [(String, [String])] = [
        (
            "line,number,at\nU9,1,8\n",
            ["there is no Line with the code \"U9\" when the row is read; it must be stored or in an earlier import"]
        ),
        ("line,number,at\nU1,7,8\n", ["there is no Stop with the key [Line/p1, 7]"]),
        ("line,number,at\nU1,,8\n", ["number is NULL, and the other values of the key are not"]),
        ("line,number,at\n,1,8\n", ["line.code is NULL, and the other values of the key are not"]),
        ("line,number,at\n,,8\n", []), ("line,number,at\nU1,x,8\n", ["\"x\" is not an Integer 16"]),
    ]

    @Test(arguments: problems.indices)
    func `What is wrong with a key is said`(_ index: Int) throws {
        let (text, messages) = Self.problems[index]
        let run = try Self.bench().load(csv: text, "Time", Self.parts)
        #expect(run.messages.count == messages.count, "\(run.messages)")
        for (found, expected) in zip(run.messages, messages) { #expect(found.hasPrefix(expected), "\(found)") }
    }

    private static let mistakes: [(@Sendable (inout ImportOptions) -> Void, String)] = [
        ({ $0.columnMap = ["line": "stop.line.cod"] }, "Line has no attribute \"cod\""),
        ({ $0.columnMap = ["line": "stp.number"] }, "Time has no property \"stp.number\""),
        ({ $0.columnMap = ["line": "stop.nr"] }, "Stop has no attribute \"nr\""),
        ({ $0.columnMap = ["line": "stop.times.at"] }, "is a to-many relationship"),
        ({ $0.columnMap = ["line": "stop.line.code", "number": "stop.line.code"] }, "both for stop.line.code"),
        ({ $0.columnMap = ["line": "stop.line.code", "number": "stop"] }, "both for stop"),
        (
            {
                Self.parts(&$0); $0.onMissing = .create
            }, "cannot be left out or created"
        ),
        (
            {
                Self.parts(&$0); $0.lookups = ["stop": .attribute("name")]
            }, "has another one"
        ),
    ]

    @Test(arguments: mistakes.indices)
    func `Wrong parts are refused`(_ index: Int) throws {
        let (change, message) = Self.mistakes[index]
        do {
            let run = try Self.bench().load(csv: "line,number,at\nU1,1,8\n", "Time", change)
            #expect(run.messages.contains { $0.contains(message) }, "\(run.messages)")
        } catch let error as GranaryError {
            #expect(error.code == .usage && error.message.contains(message), "\(error.message)")
        }
    }
}
