import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryGeneration
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing
@testable import SeedingTestSupport

/// Generated values of SwiftData's enumerations.
@Suite struct SwiftDataGenerationTests {
    @Test func `Enumerations have the permitted values`() throws {
        let generated = try Generated.of(SwiftDataModel.model(), ["Cocktail": 200]) { $0.randomSeed = 7 }
        #expect(try Set(generated.texts("Cocktail", "glass")) == Set(SwiftDataModel.glasses))
        #expect(try Set(generated.texts("Cocktail", "spec")) == Set(SwiftDataModel.cases))
        #expect(try Set(generated.texts("Cocktail", "profile.origin")) == ["old", "new"])
        #expect(try generated.findings == [])
    }

    /// The rule of a list in a model of Core Data, on the element of a composite.
    @Test func `An element of a composite keeps to the list of its rule`() throws {
        let generated = try Generated.of(SwiftDataModel.model(version: ""), ["Cocktail": 50]) { $0.randomSeed = 7 }
        #expect(try Set(generated.texts("Cocktail", "glass.glass")) == Set(SwiftDataModel.glasses))
    }

    @Test func `A collection is an empty array, and other bytes are any`() throws {
        let generated = try Generated.of(SwiftDataModel.model(), ["Cocktail": 50]) { $0.randomSeed = 7 }
        let empty = AttributeValue.binary(Data("[]".utf8))
        #expect(try Set(generated.values("Cocktail", "tags").compactMap { $0 }) == [empty])
        #expect(try Set(generated.values("Cocktail", "photo").compactMap { $0 }).count > 10)
        let other = try Generated.of(SwiftDataModel.model(version: ""), ["Cocktail": 50]) { $0.randomSeed = 7 }
        #expect(try Set(other.values("Cocktail", "tags").compactMap { $0 }).count > 10)
    }
}
