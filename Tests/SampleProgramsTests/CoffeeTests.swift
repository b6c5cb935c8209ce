import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: coffee, its model in code, archives of model and objects") struct CoffeeTests {
    @Test("The model that was archived is the model that is loaded")
    func modelArchive() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "AppDataModel.momd")
        try CoffeeModel.archive(to: url)
        let loaded = try CoffeeModel.load(from: url)
        #expect(loaded == CoffeeModel.model)
        #expect(try loaded.resolved().checksum == CoffeeModel.model.resolved().checksum)
        let coffee = try #require(loaded.entity(named: "Coffee"))
        #expect(coffee.attributes.map(\.name) == ["name", "brand", "rating"])
        #expect(coffee.attributes.map(\.type) == [.string, .string, .decimal])
        #expect(coffee.attributes.map(\.isOptional) == [false, false, true])
        #expect(coffee.attributes.map(\.isIndexed) == [true, true, false])
        // Archived again it is the same file.
        let bytes = try Data(contentsOf: url)
        try CoffeeModel.archive(to: url)
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test("Coffees in an archive come back with every digit")
    func objectArchive() async throws {
        let folder = try TemporaryFolder()
        let (model, archive) = (folder.url.appending(path: "A.momd"), folder.url.appending(path: "Coffee.archive"))
        try CoffeeModel.archive(to: model)
        let rating = try #require(Decimal(string: "4.2345678901234567890123456789"))
        let coffees = [
            Coffee(name: "Sumatra", brand: "Harbour Roasters", rating: rating),
            Coffee(name: "Crème", brand: "Fog & Sons", rating: nil),
        ]
        try await CoffeeShelf(model: CoffeeModel.load(from: model), archive: archive).add(coffees)
        #expect(try Data(contentsOf: archive).starts(with: Data("bplist00".utf8)))
        let shelf = try CoffeeShelf(model: CoffeeModel.model, archive: archive)
        #expect(try await shelf.coffees() == coffees)
    }
}
