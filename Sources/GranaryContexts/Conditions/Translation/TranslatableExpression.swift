import GranaryBase

/// An expression of Foundation's `#Predicate` that has a translation.
protocol TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression
}
