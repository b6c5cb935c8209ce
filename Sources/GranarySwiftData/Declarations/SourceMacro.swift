/// A macro that is used as a member, such as `#Unique<Trip>([\.name])`.
package struct SourceMacro: Codable, Sendable {
    /// The name without `#`.
    package var name: String
    package var place: SourcePlace
    package var conditions: [SourceCondition] = []
    package var arguments: [SourceArgument] = []

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}
