import Foundation
import GranaryModel
import Testing

@Suite("The versions of a model") struct ModelVersionChainTests {
    private static func model(_ properties: PropertyDescription..., pet: [PropertyDescription]? = nil)
        -> ManagedObjectModel
    {
        var model = ManagedObjectModel(entities: [
            EntityDescription("Person", [.attribute("name", .string)] + properties)
        ])
        if let pet { model.entities.append(EntityDescription("Pet", [.attribute("name", .string)] + pet)) }
        return model
    }

    /// `Shop`, `Shop 2`, …
    private static func chain(_ models: ManagedObjectModel...) -> ModelVersionChain {
        ModelVersionChain(
            models.enumerated().map { index, model in
                .init(name: index == 0 ? "Shop" : "Shop \(index + 1)", model: model)
            })
    }

    /// The type of an attribute changes, with a version between that lacks the attribute.
    private static let detour = chain(
        model(.attribute("note", .string)), model(), model(.attribute("note", .integer32)),
        model(.attribute("note", .integer32), .attribute("age", .integer16)))

    private static let pets = chain(
        model(), model(.attribute("age", .integer16), pet: []),
        model(.attribute("age", .integer16), pet: [.attribute("kind", .string)]))

    @Test("Numbers in names count as numbers")
    func order() {
        let names = [
            "Shop", "Shop 002", "Shop 2", "Shop 10", "Shop 99999999999999999999999", "Shop v1.9", "Shop V1.10",
            "shop v2",
        ]
        for other in [names.reversed(), names.sorted()] {
            let chain = ModelVersionChain(other.map { .init(name: $0, model: Self.model()) })
            #expect(chain.versions.map(\.name) == names)
        }
    }

    @Test("A version has the hashes of its model")
    func hashes() throws {
        let schema = try Self.model().resolved()
        #expect(Self.detour.versions[1].checksum == schema.checksum)
        #expect(Self.detour.versions[1].versionHashes == schema.versionHashes)
        let broken = Self.chain(Self.model(.toOne("friend", "Nobody", inverse: nil)))
        #expect(broken.versions[0].checksum == nil && broken.versions[0].versionHashes == nil)
        #expect(broken.equalChecksums.isEmpty && broken.uniqueEntities(of: 0).isEmpty && broken.nearest(to: [:]) == nil)
    }

    @Test("A step is that of a comparison of both models")
    func steps() {
        for chain in [Self.detour, Self.pets] {
            for (from, old) in chain.versions.enumerated() {
                for (to, new) in chain.versions.enumerated() {
                    let differences = old.model.differences(to: new.model)
                    #expect(chain.differences(from: from, to: to) == differences)
                    #expect(chain.step(from: from, to: to) == differences.migration)
                    #expect(chain.step(from: from, to: to) == differences.migration)
                }
            }
        }
        #expect(Self.detour.step(from: 0, to: 2).name == "needsMapping")
        let reasons = Self.detour.reasons(from: 0, to: 2)
        #expect(reasons.count == 1 && reasons[0].hasPrefix("Person.note: "))
        #expect(Self.detour.reasons(from: 0, to: 1).isEmpty)
    }

    @Test("A path goes around steps that need a mapping model")
    func paths() {
        #expect(Self.detour.shortestPath(from: 0, to: 1) == [0, 1])
        #expect(Self.detour.shortestPath(from: 0, to: 2) == [0, 1, 2])
        #expect(Self.detour.shortestPath(from: 0, to: 3) == [0, 1, 3])
        #expect(Self.detour.shortestPath(from: 3, to: 0) == [3, 1, 0])
        #expect(Self.detour.shortestPath(from: 2, to: 2) == [2])
        #expect(Self.detour.shortestPath(from: 0, to: 4) == nil)
        let blocked = Self.chain(Self.model(.attribute("note", .string)), Self.model(.attribute("note", .integer32)))
        #expect(blocked.shortestPath(from: 0, to: 1) == nil)
    }

    @Test("Of two paths, the one that does not depend on data is taken")
    func certainPaths() {
        let chain = Self.chain(
            Self.model(.attribute("note", .string)), Self.model(.attribute("code", .string, .required)), Self.model(),
            Self.model(.attribute("note", .integer32)))
        #expect(chain.step(from: 0, to: 1).name == "inferredIfDataFits")
        #expect(chain.shortestPath(from: 0, to: 3) == [0, 2, 3])
    }

    @Test("Equal checksums")
    func equalChecksums() {
        var noted = Self.model()
        noted.entities[0].userInfo = ["a": "b"]
        let chain = Self.chain(Self.model(), Self.model(.attribute("age", .integer16)), noted)
        #expect(chain.equalChecksums == [[0, 2]])
        #expect(chain.step(from: 0, to: 2) == .none)
        #expect(Self.pets.equalChecksums.isEmpty)
    }

    @Test("Entities of one version only")
    func uniqueEntities() {
        #expect((0...2).map(Self.pets.uniqueEntities) == [["Person"], ["Pet"], ["Pet"]])
    }

    @Test("The version of a store, or the nearest one")
    func nearest() throws {
        let hashes = try Self.pets.versions.map { try #require($0.versionHashes) }
        for (index, own) in hashes.enumerated() {
            let found = try #require(Self.pets.nearest(to: own))
            #expect(found.index == index && found.isExact)
        }

        // The first and the second version differ in two entities; the newer one is taken.
        var mixed = hashes[1]
        mixed["Person"] = hashes[0]["Person"]
        mixed["Old"] = Data(count: 32)
        var found = try #require(Self.pets.nearest(to: mixed))
        #expect(found.index == 1 && !found.isExact)
        #expect(Self.lines(found) == ["Old only in store []", "Person hash differs [0]"])

        mixed = hashes[2]
        mixed["Pet"] = nil
        found = try #require(Self.pets.nearest(to: mixed))
        #expect(found.index == 2 && Self.lines(found) == ["Pet only in model []"])
    }

    private static func lines(_ nearest: ModelVersionChain.Nearest) -> [String] {
        nearest.differences.map { "\($0.entity) \($0.what.rawValue) \($0.versions)" }
    }
}
