import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// A row of a file and an object of a context meet the same rules with the same numbers.
@Suite struct ValidationTwinTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("name", .string, .required, .length(2...4)),
                .attribute("code", .string, .pattern("[A-Z]+")),
                .attribute("age", .integer16, .minimum(0), .maximum(130)),
                .attribute("weight", .double, .minimum(.double(0.5)), .maximum(.double(9.5))),
                .attribute("price", .decimal, .minimum(.decimal(0)), .maximum(.decimal(10))),
                .toOne("owner", "Thing", inverse: nil, .required),
            ])
    ])

    @Test(arguments: [
        ["name": "a"], ["name": "abcde"], ["name": "abc", "code": "a1"], ["name": "😀😀😀"], ["age": "-1"],
        ["name": "ab", "age": "131", "weight": "0.25"], ["name": "ab", "price": "10.01"], ["name": "", "price": "-1"],
        ["name": "ab", "code": "ABC", "age": "130", "weight": "9.5", "price": "10"],
    ])
    func `Rows and objects agree`(_ fields: [String: String]) async throws {
        let names = ["name", "code", "age", "weight", "price"].filter { fields[$0] != nil || $0 == "name" }
        let text =
            (names + ["owner"]).joined(separator: ",") + "\n"
            + names.map { fields[$0].map { "\"\($0)\"" } ?? "" }.joined(separator: ",") + ",\n"
        let run = try TestImport.csv(text, "Thing", Self.model)

        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let error = await #expect(throws: GranaryError.self) {
            try await container.perform { context in
                let object = try context.insert(into: "Thing")
                for (name, text) in fields {
                    switch name {
                    case "age": try object.setValue(.integer(try #require(Int64(text))), forKey: name)
                    case "weight": try object.setValue(.double(try #require(Double(text))), forKey: name)
                    case "price": try object.setValue(.decimal(try #require(Decimal(string: text))), forKey: name)
                    default: try object.setValue(.string(text), forKey: name)
                    }
                }
                try context.save()
            }
        }
        func facts(_ diagnostics: [Diagnostic]) -> [String] {
            diagnostics.map { diagnostic in
                // An object of a context has no place but itself, which the message names at its end.
                let message = diagnostic.message.components(separatedBy: " (x-coredata:")[0]
                return
                    "\(diagnostic.property ?? "-") \(diagnostic.code.rawValue) \(diagnostic.coreDataCode ?? 0) \(message)"
            }.sorted()
        }
        #expect(facts(run.report.diagnostics).count > 0)
        #expect(facts(run.report.diagnostics) == facts(error?.diagnostics ?? []))
    }
}
