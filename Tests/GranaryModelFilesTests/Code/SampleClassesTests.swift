import Foundation
import GranaryModel
import TestSupport
import Testing

@testable import GranaryModelFiles

/// The generated files in samples/Programs are what `granary model code` writes for the samples' models.
@Suite("Generated classes of the samples") struct SampleClassesTests {
    @Test(arguments: ["Customers", "Company", "Drawings"])
    func areCurrent(_ name: String) throws {
        let model = try ManagedObjectModel(contentsOf: Samples.url("\(name)/\(name).xcdatamodeld"))
        // The program Drawings shows values without change tracking.
        let generator = ClassGenerator(
            try model.resolved(), modelName: name, hasPrimitives: name == "Drawings")
        for file in generator.files() {
            let text = try String(contentsOf: Samples.url("Programs/\(name)/\(file.name)"), encoding: .utf8)
            // The program's author has completed the others.
            if file.isHuman {
                #expect(!text.hasPrefix(GeneratedFile.mark), "\(file.name)")
            } else {
                #expect(text == file.text, "\(file.name)")
            }
        }
    }
}
