import Granary

/// The model: nothing optional but the relationships, and rules on every value that can have some.
enum PeopleModel {
    static var model: ManagedObjectModel {
        ManagedObjectModel(entities: [
            EntityDescription(
                "Person",
                [
                    .attribute("name", .string, .required, .length(1...80)),
                    .attribute("mail", .string, .required, .length(3...120)),
                    .attribute("city", .string, .required, .length(1...80)),
                    .attribute("number", .integer64, .required, .minimum(0)),
                    .attribute("level", .integer32, .required, .minimum(1), .maximum(1000)),
                    .attribute("salary", .double, .required, .minimum(0), .maximum(1_000_000)),
                    .attribute("hired", .date, .required),
                    .attribute("active", .boolean, .required),
                    .toOne("department", "Department", inverse: "members"),
                    .toOne("address", "Address", inverse: "residents"),
                ]),
            EntityDescription(
                "Department",
                [
                    .attribute("name", .string, .required, .length(1...80)),
                    .toMany("members", "Person", inverse: "department"),
                ]),
            EntityDescription(
                "Address",
                [
                    .attribute("street", .string, .required, .length(1...80)),
                    .attribute("postcode", .integer32, .required, .minimum(0), .maximum(99_999)),
                    .toMany("residents", "Person", inverse: "address"),
                ]),
        ])
    }
}
