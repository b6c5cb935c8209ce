package import Foundation
import GranaryBase
package import GranaryContexts
package import GranaryCoordination
package import GranaryModel
import GranaryModelFiles

/// A description of a store for tests. It is built once in a process; each test gets a clone.
package struct Fixture: Sendable {
    /// A model, or a file that contains it.
    package enum Model: Sendable, Hashable {
        case file(URL)
        case value(ManagedObjectModel)
        /// A model among the resources, of a bundle or of the program.
        case named(String, Bundle?)

        /// - Throws: ``GranaryError`` as ``ManagedObjectModel/init(contentsOf:)`` or
        ///   ``ManagedObjectModel/init(named:in:)``.
        func read() throws(GranaryError) -> ManagedObjectModel {
            switch self {
            case .file(let url): try ManagedObjectModel(contentsOf: url)
            case .value(let model): model
            case .named(let name, let bundle): try ManagedObjectModel(named: name, in: bundle)
            }
        }
    }

    /// The origin of the objects.
    package enum Origin: Sendable {
        case seeds([Seed])
        /// An SQLite store, which is copied.
        case store(URL)
        /// Seeds of an older version of the model, which are migrated.
        case migrated(MigratedSeeds)
    }

    /// Equal for fixtures with equal stores.
    struct Key: Sendable, Hashable {
        let model: Model?
        let origin: [String]
        let classes: [String]
        let transformers: [String: String]
        let storage: FixtureStorage
    }

    /// Nil for the model in the store that is copied.
    let model: Model?
    let origin: Origin
    let classes: [String: ManagedObject.Type]
    let transformers: AttributeTransformers
    package let storage: FixtureStorage
    let key: Key

    /// - Parameter transformers: nil for the built-in ones. Others are equal only if they are copies of one value.
    package init(
        model: Model?, origin: Origin, classes: [String: ManagedObject.Type], transformers: AttributeTransformers?,
        storage: FixtureStorage
    ) {
        self.model = model
        self.origin = origin
        self.classes = classes
        let transformers = transformers ?? AttributeTransformers()
        self.transformers = transformers
        self.storage = storage
        let contents =
            switch origin {
            case .seeds(let seeds): seeds.map(\.key)
            case .store(let url): ["store", url.absoluteString]
            case .migrated(let seeds): seeds.key
            }
        key = Key(
            model: model, origin: contents,
            classes: classes.map { "\($0.key)=\(ObjectIdentifier($0.value))" }.sorted(),
            transformers: transformers.identities, storage: storage)
    }

    /// A fixture whose tests open the store's file themselves.
    package static func file(_ model: Model?, _ origin: Origin, _ transformers: AttributeTransformers?) -> Fixture {
        Fixture(model: model, origin: origin, classes: [:], transformers: transformers, storage: .temporaryFile)
    }

    /// The fixtures with each of the random seeds, in their order; only this one without such a seed.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the ranges of random seeds differ or are too long.
    package func runs() throws -> [Fixture] {
        guard case .seeds(let seeds) = origin else { return [self] }
        let ranges = Set(seeds.compactMap(\.randomSeeds))
        guard let range = ranges.first else { return [self] }
        guard ranges.count == 1 else {
            throw GranaryError(.usage, "the random seeds of \(description) must be equal ranges")
        }
        guard range.lowerBound >= 0 else {
            throw GranaryError(.usage, "random seeds are numbers from 0, not \(range)")
        }
        guard range.upperBound - range.lowerBound < 10_000 else {
            throw GranaryError(.usage, "a test runs with at most 10000 random seeds, not \(range)")
        }
        return range.map { number in
            Fixture(
                model: model, origin: .seeds(seeds.map { $0.with(randomSeed: UInt64(number)) }), classes: classes,
                transformers: transformers, storage: storage)
        }
    }

    /// Returns a new clone of the store, which is built if this is the first one.
    ///
    /// - Throws: ``GranaryError``, which names the fixture, if the model or a seed is refused; `inputOutput` if a file
    ///   cannot be copied.
    package func makeClone() async throws -> FixtureClone {
        try await made { try FixtureClone(of: self, $0) }
    }

    /// Returns a new copy of the store's file, which is not open. The fixture's storage must be `temporaryFile`.
    ///
    /// - Throws: as ``makeClone()``.
    package func makeFile() async throws -> FixtureFile {
        try await made { template in
            guard case .file(let file) = template else {
                throw GranaryError(.usage, "a store in memory has no file")
            }
            return try FixtureFile(of: self, file)
        }
    }

    private func made<Result: Sendable>(_ body: (FixtureTemplate) throws -> Result) async throws -> Result {
        do {
            return try body(try await FixtureCache.template(of: self))
        } catch var error as GranaryError {
            error.message = "the fixture with \(description) cannot be made: \(error.message)"
            throw error
        }
    }
}

extension Fixture: CustomStringConvertible {
    /// `the model Triage.xcdatamodeld and the seeds file patients.csv, plan seed.yaml`
    package var description: String {
        let named =
            switch model {
            case .file(let url)?: "the model \(url.lastPathComponent)"
            case .value(let model)?:
                "the model of " + model.entities.prefix(3).map(\.name).joined(separator: ", ")
                    + (model.entities.count > 3 ? ", …" : "")
            case .named(let name, _)?: "the model \(name)"
            case nil: "the model of the store"
            }
        switch origin {
        case .migrated(let seeds):
            return "\(named), migrated from \"\(seeds.from)\" with the seeds "
                + seeds.seeds.map(\.description).joined(separator: "; ")
        case .store(let url): return "\(named) and a copy of \(url.lastPathComponent)"
        case .seeds(let seeds) where seeds.isEmpty: return "\(named) and no seeds"
        case .seeds(let seeds):
            return "\(named) and the seed\(seeds.count == 1 ? "" : "s") "
                + seeds.map(\.description).joined(separator: "; ")
        }
    }
}
