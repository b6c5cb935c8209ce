import Foundation
import Granary
import GranaryTesting
import TestSupport
import Testing

private let clinic = ManagedObjectModel(entities: [
    EntityDescription(
        "Patient",
        [
            .attribute("code", .string, .required), .attribute("birthYear", .integer16, .required),
            .toMany("visits", "Visit", inverse: "patient"),
        ], unique: [["code"]]),
    EntityDescription("Visit", [.attribute("date", .date), .toOne("patient", "Patient", inverse: "visits")]),
])

private let codes = CustomGenerator(from: ["birthYear"]) { context in
    guard case .integer(let year)? = try context.value(of: "birthYear") else { return nil }
    return .string("\(year)-\(context.number)-\(Int.random(in: 10...99, using: &context.random))")
}

private var coded: GenerationOptions {
    var options = GenerationOptions()
    options.customGenerators["Patient.code"] = codes
    options.linkCounts["Patient.visits"] = "0..5 zipf"
    return options
}

/// The example of generators in docs/testing.md, word for word.
@Suite struct CustomGeneratorDocumentTests {
    @Test(.seeded(model: clinic, .generated(["Patient": 100, "Visit": 400], randomSeed: 7, options: coded)))
    func codesBeginWithTheYear() async throws {
        try await SeededContainer.current.perform { context in
            for patient in try context.fetchAll("Patient") {
                let (code, year) = (try patient.string(forKey: "code"), try patient.integer(forKey: "birthYear"))
                #expect(code?.hasPrefix("\(year ?? 0)-") == true)
            }
        }
    }

    @Test("The documents show this code")
    func documents() throws {
        let root = Samples.root.deletingLastPathComponent()
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let manual = try String(contentsOf: root.appending(path: "docs/testing.md"), encoding: .utf8)
        let blocks = manual.components(separatedBy: "```swift\n").filter { $0.hasPrefix("private let codes") }
        let block = try #require(blocks.first?.components(separatedBy: "\n```").first)
        let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let known = Set(own.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        #expect(lines.count > 15)
        for line in lines { #expect(known.contains(line), "\(line)") }
    }
}
