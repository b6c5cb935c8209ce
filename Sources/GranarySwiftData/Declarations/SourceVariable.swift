/// A property: one binding of a `var` or `let`.
package struct SourceVariable: Codable, Sendable {
    package var name: String
    package var place: SourcePlace
    package var conditions: [SourceCondition] = []
    package var attributes: [SourceAttribute] = []
    /// The annotated type.
    package var type: SourceType?
    package var initialValue: SourceExpression?
    package var isLet = false
    /// Whether it is `static` or `class`.
    package var isStatic = false
    package var isLazy = false
    /// Whether it has a getter. Observers do not make a property computed.
    package var isComputed = false
    /// The value of a getter that is one expression, with or without `return`.
    package var getter: SourceExpression?

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}
