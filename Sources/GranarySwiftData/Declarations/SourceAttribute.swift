/// An attribute of a declaration, such as `@Attribute(.unique)` or `@Model`.
package struct SourceAttribute: Codable, Sendable {
    /// The name without `@`, with dots if it is qualified.
    package var name: String
    package var place: SourcePlace
    package var arguments: [SourceArgument] = []

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}
