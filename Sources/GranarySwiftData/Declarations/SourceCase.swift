/// A case of an enum.
package struct SourceCase: Codable, Sendable {
    package var name: String
    package var place: SourcePlace
    package var conditions: [SourceCondition] = []
    package var hasPayload = false
    package var rawValue: SourceExpression?

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}
