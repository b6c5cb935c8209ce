/// The text of a derivation expression as `NSExpression` prints it, which version hashes contain.
enum DerivationText {
    /// `pages.@count` is `count:(pages)`; a plain key path stays as it is. Other forms are unsettled by any known
    /// vector and stay as they are too.
    static func predicateFormat(_ expression: String) -> String {
        let path = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard path.count > 1, path.last == "@count" else { return expression }
        return "count:(" + path.dropLast().joined(separator: ".") + ")"
    }
}
