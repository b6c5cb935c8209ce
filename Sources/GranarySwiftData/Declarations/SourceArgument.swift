/// An argument of a call, an attribute or a macro.
package struct SourceArgument: Codable, Sendable, Hashable {
    package var label: String?
    package var value: SourceExpression

    package init(label: String? = nil, value: SourceExpression) {
        self.label = label
        self.value = value
    }
}
