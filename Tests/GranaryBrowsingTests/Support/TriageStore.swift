import Foundation
import GranaryCoordination
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

@testable import GranaryImport
@testable import SeedingTestSupport

/// The sample Triage in memory: 8 injuries, 40 responders, 300 patients.
enum TriageStore {
    static func make() throws -> any StoreBackend {
        let model = try ManagedObjectModel(contentsOf: Samples.url("Triage/Triage.xcdatamodeld"))
        let store = try ExportSamples.store(model)
        let names = try text("injuries.terms").split(separator: "%")
        let injuries = names.enumerated().map { "\($0.offset),\($0.element.replacing("\n", with: ""))\n" }.joined()
        _ = try TestImport.csv("key,name\n" + injuries, "Injury", into: store)
        _ = try TestImport.csv(try text("responders.csv"), "Responder", into: store)
        _ = try TestImport.csv(try text("patients.csv"), "Patient", into: store) { options in
            options.lookups = ["injury": .attribute("name"), "responder": .attribute("badge")]
        }
        return store
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: Samples.url("Triage/\(name)"), encoding: .utf8)
    }
}
