/// Text. Without options it is compared by its UTF-8 bytes. `[.caseInsensitive, .diacriticInsensitive]` is `[cd]` in the
/// format language. NULL never fulfils these conditions.
extension ObjectField where Value == String {
    /// Whether the text begins with another. (`BEGINSWITH`)
    public func beginsWith(_ text: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.beginsWith, text.predicateExpression, options: options)
    }

    /// Whether the text ends with another. (`ENDSWITH`)
    public func endsWith(_ text: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.endsWith, text.predicateExpression, options: options)
    }

    /// Whether another text is in the text. (`CONTAINS`)
    public func contains(_ text: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.contains, text.predicateExpression, options: options)
    }

    /// Whether the whole text has a pattern, in which `*` is any text and `?` one character. (`LIKE`)
    public func like(_ pattern: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.like, pattern.predicateExpression, options: options)
    }

    /// Whether an ICU regular expression matches the whole text. (`MATCHES`)
    public func matches(_ pattern: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.matches, pattern.predicateExpression, options: options)
    }

    /// Whether the text equals another with options, as `==[cd]` in the format language.
    public func isEqual(to text: String, options: ObjectPredicate.Options) -> ObjectPredicate {
        compared(.equal, text.predicateExpression, options: options)
    }

    /// The text in lower case. (`lowercase:`)
    public func lowercased() -> Self { Self(.function(PredicateFunction.lowercase.rawValue, [expression])) }

    /// The text in upper case. (`uppercase:`)
    public func uppercased() -> Self { Self(.function(PredicateFunction.uppercase.rawValue, [expression])) }

    /// The length of the text. (`length:`)
    public var length: ObjectField<Int> {
        ObjectField<Int>(.function(PredicateFunction.length.rawValue, [expression]))
    }
}
