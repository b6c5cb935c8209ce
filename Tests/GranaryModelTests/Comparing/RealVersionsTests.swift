import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

@Suite("The versions of real apps' models", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct RealVersionsTests {
    struct Step: Sendable, CustomTestStringConvertible {
        let from: String
        let to: String
        /// All lines, as `ModelDifferenceTests` writes them, but for version identifiers.
        let lines: [String]

        var testDescription: String { "\(from) to \(to)" }
    }

    private static let moody = "objcio__core-data/Moody"
    private static let example = "wibosco__CoreDataMigrationRevised-Example/CoreDataMigration_Example"
    private static let sample = "alemar11__CoreDataPlus/SampleModel"

    static let steps = [
        // MIG-01 (docs/core-data/behaviours.md#mig-migration): this one is migrated with an inferred mapping model.
        Step(
            from: moody, to: moody + "_2",
            lines: [
                "Mood.rating added inferred", "Mood.remoteID renamed remoteIdentifier>remoteID inferred",
            ]),
        Step(
            from: moody + "_2", to: moody + "_3",
            lines: ["Continent.moods added inferred", "Mood.continent added inferred"]),
        Step(
            from: moody + "_4", to: moody + "_5",
            lines: [
                "Country.isoContinent added inferred", "Country.continent removed inferred",
                "Mood.continent removed inferred", "Continent removed inferred",
            ]),
        Step(
            from: example, to: example + "_2", lines: ["Post.hexColor renamed color>hexColor inferred"]),
        Step(
            from: example + "_2", to: example + "_3",
            lines: [
                "Post.sections added inferred", "Post.content removed inferred", "Section added inferred",
            ]),
        // MIG-03: an entity renamed deep in a hierarchy.
        Step(
            from: sample, to: sample + "2",
            lines: [
                "Car.color removed inferred", "Car.currentDrivingSpeed removed none",
                "Car.byMakerAndNumberPlate added ->maker, numberPlate none",
                "LuxuryCar renamed ExpensiveSportCar>LuxuryCar inferred",
                "LuxuryCar managedObjectClassName ExpensiveSportCar>LuxuryCar none", "Person.id removed inferred",
                "Person.isDriving removed none",
            ]),
        Step(
            from: sample + "3_v2", to: sample + "3_v3", lines: ["User.petName removed inferred"]),
    ]

    @Test("Each step of the chains", arguments: steps)
    func step(_ step: Step) throws {
        let (from, to) = (try model(step.from), try model(step.to))
        let differences = from.differences(to: to)
        #expect(ModelDifferenceTests.lines(differences).filter { !$0.hasPrefix("versionIdentifiers ") } == step.lines)
        #expect(differences.isLightweight)
        #expect(differences.hashesAreEqual == false)
    }

    @Test("Entities that leave their hierarchy keep what they had inherited")
    func leavingHierarchy() throws {
        let differences = try model(Self.moody + "_3").differences(to: model(Self.moody + "_4"))
        let lines = ModelDifferenceTests.lines(differences)
        #expect(lines.contains("Continent superentity GeographicRegion>- inferred"))
        #expect(lines.contains("Country superentity GeographicRegion>- inferred"))
        #expect(lines.contains("Country.numericISO3166Code moved GeographicRegion>Country inferred"))
        #expect(lines.contains("Country.updatedAt moved GeographicRegion>Country inferred"))
        #expect(lines.contains("GeographicRegion removed inferred"))
        #expect(!lines.contains { $0.contains("numericISO3166Code added") })
        #expect(differences.isLightweight)
    }

    private func model(_ name: String) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            contentsOf: try SharedFiles.url("coredata/models/\(name).xcdatamodel"))
    }
}
