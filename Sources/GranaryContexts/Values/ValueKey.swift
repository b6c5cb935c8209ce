/// The name of a property as a coding key.
struct ValueKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    /// The object itself.
    static let objectID = ValueKey("$id")

    init(_ name: String) { stringValue = name }

    init(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { nil }
}
