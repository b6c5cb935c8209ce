#if canImport(CoreData)
    import Granary
    import TestSupport
    import Testing

    /// A model that is an argument of the tests.
    struct TestedModel: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () throws -> ManagedObjectModel

        init(_ name: String, _ make: @escaping @Sendable () throws -> ManagedObjectModel) {
            self.name = name
            self.make = make
        }

        init(_ name: String, entities: [EntityDescription], composites: [CompositeDescription] = []) {
            var model = ManagedObjectModel(entities: entities)
            model.composites = composites
            let finished = model
            self.init(name) { finished }
        }

        var testDescription: String { name }

        /// All models. The first word of each name is the kind:
        /// - `sample`: a model in samples/;
        /// - `feature`: a model with one feature, in a form that real files show;
        /// - `guess`: a model with one feature, in a form that no real file shows (docs/core-data-compatibility.md);
        /// - `generated`: a model that ``ModelGenerator`` makes from the number in the name.
        static let all: [TestedModel] = samples + features + relationships + guesses + generated

        private static let samples: [TestedModel] = ["Triage", "Customers", "Company"].map { name in
            TestedModel("sample: \(name)") {
                try ManagedObjectModel(contentsOf: Samples.url("\(name)/\(name).xcdatamodeld"))
            }
        }

        private static let generated: [TestedModel] = (1...24).map { seed in
            TestedModel("generated: \(seed)") { ModelGenerator.model(seed: seed) }
        }
    }
#endif
