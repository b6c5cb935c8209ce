package import GranaryBase
package import GranaryModel

/// The objects that a run generates.
package struct GenerationRequest: Sendable {
    /// The maximum number of objects of one run.
    package static let maximumCount = 1_000_000_000

    package var counts: [String: Int]
    package var options: GenerationOptions
    /// Whether optional relationships get links.
    package var linksOptionalRelationships = true

    package init(counts: [String: Int] = [:], options: GenerationOptions = GenerationOptions()) {
        self.counts = counts
        self.options = options
    }

    /// Checks that the model has the entities and attributes.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    package func check(against schema: Schema) throws(GranaryError) {
        try GeneratedObjects.check(counts, schema)
        try OptionNames(schema: schema, options: options).check()
        guard (0...100).contains(options.nullPercent) else {
            throw GranaryError(.usage, "the percentage of NULL must be from 0 to 100")
        }
    }
}
