/// The text of a derivation expression as `NSExpression` prints it, which version hashes contain.
enum DerivationText {
    private static let collectionOperators = ["@count": "count", "@sum": "sum", "@min": "min", "@max": "max"]

    /// `pages.@count` is `count:(pages)`; a plain key path stays as it is. Other forms are unsettled by any known
    /// vector and stay as they are too.
    static func predicateFormat(_ expression: String) -> String {
        let path = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard path.count > 1, let last = path.last, let function = collectionOperators[String(last)],
            function == "count"
        else { return expression }
        return "count:(" + path.dropLast().joined(separator: ".") + ")"
    }
}
