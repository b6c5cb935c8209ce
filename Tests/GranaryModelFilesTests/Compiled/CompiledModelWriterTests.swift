import Foundation
import GranaryBase
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

@testable import GranaryModelFiles

/// What is written for models that are there as XML and as Core Data compiled them.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct CompiledModelWriterTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let model: String
        let compiled: String
        /// All that is not the same, each for a reason.
        var differences: [String] = []

        var testDescription: String { compiled }
    }

    private static let coreDataPlus = "alemar11__CoreDataPlus"
    private static let xmpp = "robbiehanson__XMPPFramework"
    private static let quickBlox = "QuickBlox__quickblox-ios-sdk"

    /// Compilers before Xcode 15 did not say who they are.
    private static let toolsAbsent = [
        ".CDMCompilerToolVersion: inline real(23507.0), really absent",
        ".CDMCompilerXcodeVersion: inline integer(160100), really absent",
    ]
    /// Xcode 15.4 compiled these, we write what 16.1 does.
    private static let toolsOlder = [
        ".CDMCompilerToolVersion: inline real(23507.0), really inline real(22758.0)",
        ".CDMCompilerXcodeVersion: inline integer(160100), really inline integer(150400)",
    ]

    /// The XML was given a class for `color` after the model had been compiled.
    private static func colorClass(_ entities: [String]) -> [String] {
        entities.map {
            ".NSEntities\($0).NSProperties/color.NSAttributeValueClassName: object string(\"Color\"), really nil"
        }
    }

    static let compiled = [
        Sample(
            model: "\(coreDataPlus)/SampleModel", compiled: "\(coreDataPlus)/SampleModel.momd/SampleModel.mom",
            differences: toolsAbsent + colorClass(["/Car"])),
        Sample(
            model: "\(coreDataPlus)/SampleModel2", compiled: "\(coreDataPlus)/SampleModel.momd/SampleModel2.mom",
            differences: toolsAbsent),
        Sample(
            model: "\(coreDataPlus)/SampleModel3", compiled: "\(coreDataPlus)/SampleModel.momd/SampleModel3.mom",
            differences: toolsAbsent),
        Sample(
            model: "\(coreDataPlus)/SampleModel3~2", compiled: "\(coreDataPlus)/SampleModel3.momd/SampleModel3.mom",
            differences: toolsOlder),
        Sample(
            model: "\(coreDataPlus)/SampleModel3_v2", compiled: "\(coreDataPlus)/SampleModel3.momd/SampleModel3_v2.mom",
            differences: toolsOlder),
        Sample(
            model: "\(coreDataPlus)/SampleModel3_v3", compiled: "\(coreDataPlus)/SampleModel3.momd/SampleModel3_v3.mom",
            differences: toolsOlder),
        Sample(
            model: "\(xmpp)/XMPPMessageArchiving",
            compiled: "\(quickBlox)/XMPPMessageArchiving.momd/XMPPMessageArchiving.mom"),
        Sample(model: "\(xmpp)/XMPPRoom", compiled: "\(quickBlox)/XMPPRoom.momd/XMPPRoom.mom"),
        Sample(model: "\(xmpp)/XMPPRoomHybrid", compiled: "\(quickBlox)/XMPPRoomHybrid.momd/XMPPRoomHybrid.mom"),
    ]

    @Test(arguments: compiled) func isWhatCoreDataCompiles(_ sample: Sample) throws {
        let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(sample.model + ".xcdatamodel"))
        let ours = try ArchiveOutline(try CompiledModelWriter.bytes(of: model))
        let url = try SharedFiles.url("coredata/compiled/" + sample.compiled)
        let real = try ArchiveOutline(Array(try Data(contentsOf: url)))
        #expect(real.lines.count > 20)
        #expect(ArchiveOutline.differences(ours, real) == sample.differences.sorted())
    }

    /// Written while the classes of the entities were not loaded.
    private static let noClasses = ["Car", "LuxuryCar", "Person", "SportCar"].enumerated().map { index, name in
        ".NSEntities.values[\(index)].NSClassNameForEntity: object string(\"\(name)\"), really nil"
    }

    static let caches = [
        Sample(
            model: "contentful__contentful-persistence.swift/Test",
            compiled: "contentful__contentful-persistence.swift/Test.sqlite"),
        Sample(model: "\(coreDataPlus)/SampleModel3~2", compiled: "\(coreDataPlus)/SampleModel3_V1.sqlite"),
        Sample(
            model: "\(coreDataPlus)/SampleModel", compiled: "\(coreDataPlus)/SampleModel_V1.sqlite",
            differences: colorClass([".values[0]", ".values[1]", ".values[3]"])),
        Sample(
            model: "\(coreDataPlus)/SampleModel2", compiled: "\(coreDataPlus)/SampleModel_V2.sqlite",
            differences: noClasses),
    ]

    @Test(arguments: caches) func isWhatStoresCarry(_ sample: Sample) throws {
        let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(sample.model + ".xcdatamodel"))
        let folder = try TemporaryFolder()
        let copy = folder.url.appending(path: "Store.sqlite")
        try FileManager.default.copyItem(
            at: try SharedFiles.url("coredata/stores/" + sample.compiled), to: copy)
        let connection = try Connection(path: copy.path, mode: .readOnly)
        let statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
        #expect(try statement.step())
        let real = try ArchiveOutline(try Deflate.decompress(Array(try statement.blob(at: 0)), limit: 1 << 20))
        let ours = try ArchiveOutline(try Deflate.decompress(try ModelCache.write(model), limit: 1 << 20))
        #expect(ArchiveOutline.differences(ours, real) == sample.differences.sorted())
    }
}
