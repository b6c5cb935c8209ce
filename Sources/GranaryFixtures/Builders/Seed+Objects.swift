import GranaryBase
public import GranaryContexts

extension Seed {
    /// Objects with the values and links that a test names. Everything else is generated so that the model is satisfied.
    ///
    /// ```swift
    /// .objects("Patient", 3, ["age": 70, "badge": .sequence("P%03d")], with: ["injury": .existing(name: "Burn")])
    /// ```
    ///
    /// Attributes that are not named have generated values (``Generator``), also optional ones. Required relationships
    /// lead to objects that there are, or else to generated ones; optional relationships that are not named are empty.
    /// The objects are built after the import, in the order of the seeds. They are validated as a context validates.
    ///
    /// - Parameters:
    ///   - entity: the name of the entity.
    ///   - count: the number of objects.
    ///   - values: the values of attributes by name.
    ///   - variants: further values and links. Those of later variants win, and `values` and `links` win over all.
    ///   - links: the objects of relationships by name.
    ///   - randomSeed: the number from which generated values are derived.
    public static func objects(
        _ entity: String, _ count: Int = 1, _ values: [String: SeedValue] = [:], as variants: [SeedVariant] = [],
        with links: [String: SeedLink] = [:], randomSeed: UInt64 = 0
    ) -> Seed {
        Seed(
            content: .objects(
                ObjectGroup(
                    target: .entity(entity), count: count, values: values, variants: variants, links: links,
                    randomSeed: randomSeed)))
    }

    /// An object with the values and links that a test names: `.objects("Patient", ["age": 70])`.
    ///
    /// - Parameters: as for the function with a count.
    public static func objects(
        _ entity: String, _ values: [String: SeedValue], as variants: [SeedVariant] = [],
        with links: [String: SeedLink] = [:], randomSeed: UInt64 = 0
    ) -> Seed { objects(entity, 1, values, as: variants, with: links, randomSeed: randomSeed) }

    /// Objects of a class, which code in the test changes.
    ///
    /// ```swift
    /// .objects(Patient.self, 3) { $0.age = 70 }
    /// ```
    ///
    /// The class must be registered with the test's container. `body` sees the objects with their generated values,
    /// variants and links, and may use their context; it must not save. Tests share a fixture with such a seed only if
    /// they use the same `Seed` value.
    ///
    /// - Parameters: as for the function with the name of an entity.
    public static func objects<Object: ManagedObject>(
        _ type: Object.Type, _ count: Int = 1, as variants: [SeedVariant] = [], with links: [String: SeedLink] = [:],
        randomSeed: UInt64 = 0, _ body: @escaping @Sendable (Object) throws -> Void = { _ in }
    ) -> Seed {
        objects(type, count, as: variants, with: links, randomSeed: randomSeed) { object, _ in try body(object) }
    }

    /// Objects of a class, which code in the test changes, given the place of each among them, from 0.
    ///
    /// ```swift
    /// .objects(Patient.self, 3) { patient, index in patient.badge = "P\(index)" }
    /// ```
    ///
    /// - Parameters: as for the function with the name of an entity.
    public static func objects<Object: ManagedObject>(
        _ type: Object.Type, _ count: Int = 1, as variants: [SeedVariant] = [], with links: [String: SeedLink] = [:],
        randomSeed: UInt64 = 0, _ body: @escaping @Sendable (Object, Int) throws -> Void
    ) -> Seed {
        let configuration = ObjectGroup.Configuration { object, index in
            guard let object = object as? Object else {
                throw GranaryError(.usage, "\(object) is not of the class \(Object.self)")
            }
            try body(object, index)
        }
        return Seed(
            content: .objects(
                ObjectGroup(
                    target: .objectClass(type), count: count, variants: variants, links: links,
                    configuration: configuration, randomSeed: randomSeed)))
    }
}
