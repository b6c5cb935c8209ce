public import GranaryPredicates

/// Conditions on text. They are false for NULL.
///
/// Text is compared by its UTF-8 bytes, unless the options say otherwise: `[.caseInsensitive, .diacriticInsensitive]` is
/// `[cd]` of the format language.
extension AttributeField where Value == String {
    /// Whether the texts are equal with the options. (`==[cd]`)
    public func equals(_ text: String, options: ObjectPredicate.Options) -> ObjectPredicate {
        compared(.equal, text, options)
    }

    /// Whether the value begins with the text. (`BEGINSWITH`)
    public func beginsWith(_ text: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.beginsWith, text, options)
    }

    /// Whether the value ends with the text. (`ENDSWITH`)
    public func endsWith(_ text: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.endsWith, text, options)
    }

    /// Whether the value contains the text. (`CONTAINS`)
    public func contains(_ text: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.contains, text, options)
    }

    /// Whether the pattern describes the whole value; `*` is any text and `?` one character. (`LIKE`)
    public func like(_ pattern: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.like, pattern, options)
    }

    /// Whether the ICU regular expression matches the whole value. (`MATCHES`)
    public func matches(_ pattern: String, options: ObjectPredicate.Options = []) -> ObjectPredicate {
        compared(.matches, pattern, options)
    }

    /// The number of UTF-16 units, as `NSString` counts. (`length`)
    public func length() -> AttributeField<Int> { AttributeField<Int>(.function("length:", [expression])) }

    /// The text in lower case. (`lowercase`)
    public func lowercased() -> Self { Self(.function("lowercase:", [expression])) }

    /// The text in upper case. (`uppercase`)
    public func uppercased() -> Self { Self(.function("uppercase:", [expression])) }

    private func compared(
        _ operation: ObjectPredicate.Operator, _ text: String, _ options: ObjectPredicate.Options
    ) -> ObjectPredicate {
        .compare(expression, operation, .constant(.string(text)), options: options)
    }
}
