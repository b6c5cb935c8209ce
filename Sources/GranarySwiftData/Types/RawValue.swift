/// A case of an enum with raw values.
struct RawValue: Hashable {
    let name: String
    /// The raw value as text.
    let text: String
}
