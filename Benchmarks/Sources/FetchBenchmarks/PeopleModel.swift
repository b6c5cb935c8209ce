import Granary

/// The model of the store: eight attributes with rules, and a fetch index over one of them.
enum PeopleModel {
    /// The attribute with an index: numbers from 0 to 99.
    static let indexed = "age"
    /// An attribute with the same values, in other rows and without an index.
    static let unindexed = "score"
    static let attributes = ["name", "age", "salary", "email", "city", "hired", "active", "score"]

    static var model: ManagedObjectModel {
        var person = EntityDescription(
            "Person",
            [
                .attribute("name", .string, .required, .length(1...80)),
                .attribute("age", .integer32, .required, .minimum(0), .maximum(99)),
                .attribute("salary", .double, .required, .minimum(0), .maximum(1_000_000)),
                .attribute("email", .string, .required, .length(3...120)),
                .attribute("city", .string, .required, .length(1...80)),
                .attribute("hired", .date, .required),
                .attribute("active", .boolean, .required),
                .attribute("score", .integer32, .required, .minimum(0), .maximum(99)),
            ])
        person.fetchIndexes = [FetchIndexDescription(name: "byAge", elements: [.init(propertyName: indexed)])]
        return ManagedObjectModel(entities: [person])
    }
}
