public import GranaryBase

extension ObjectPredicate {
    /// Creates a predicate from a text in the format language of `NSPredicate`.
    ///
    /// ```swift
    /// let predicate = try ObjectPredicate("age >= %d AND %K BEGINSWITH[c] %@", 18, "department.name", "sur")
    /// ```
    ///
    /// The language has all comparisons with their options, `AND`, `OR` and `NOT`, `ANY`, `ALL` and `NONE`, `SUBQUERY`,
    /// collection operators, indexes, arithmetic, bitwise signs, functions, casts, variables, and lists in braces. A
    /// property whose name is a reserved word is written with `#`: `#in == 1`. `CAST(value, "NSDate")`, with seconds
    /// since 2001 or ISO 8601 text, is a date constant; `NSUUID`, `NSURL`, `NSData` (Base64) and `NSDecimalNumber` have
    /// such constants too.
    ///
    /// The placeholder `%@` stands for a constant, a list or an expression, and `%K` for a key path given as text.
    /// `%d`, `%i`, `%u`, `%x`, `%o` and `%c` stand for integers, `%f`, `%e`, `%g` and `%a` for numbers, all with or
    /// without a length such as `l`, `ll`, `h`, `q` or `z`. An argument is never parsed, so text of a user cannot
    /// change the predicate. In quotes a placeholder is ordinary text.
    ///
    /// - Parameter arguments: the values of the placeholders in order; nil is NULL.
    /// - Throws: ``GranaryError`` with code `usage`, the column of the error, and the text with a mark under it.
    public init(_ format: String, _ arguments: (any PredicateArgument)?...) throws(GranaryError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Creates a predicate from a text and a list of arguments. (``init(_:_:)``)
    public init(format: String, arguments: [(any PredicateArgument)?] = []) throws(GranaryError) {
        do throws(PredicateSyntaxError) {
            var parser = try PredicateParser(format, arguments: arguments)
            self = try parser.wholePredicate()
        } catch {
            throw error.usageError(format)
        }
    }

    /// Reads the text of a predicate in a model, in which placeholders have no meaning.
    package static func parse(_ text: String) throws(PredicateSyntaxError) -> ObjectPredicate {
        var parser = try PredicateParser(text, arguments: nil)
        return try parser.wholePredicate()
    }
}

extension ObjectExpression {
    /// Creates an expression from a text in the format language of `NSPredicate`.
    ///
    /// ```swift
    /// let yearly = try ObjectExpression("salary * %d", 12)
    /// let isHigh = try ObjectExpression("salary > 3000")
    /// ```
    /// A condition is an expression too: true, or false. (``ObjectPredicate/init(_:_:)``)
    ///
    /// - Parameter arguments: the values of the placeholders in order; nil is NULL.
    /// - Throws: ``GranaryError`` with code `usage`, the column of the error, and the text with a mark under it.
    public init(_ format: String, _ arguments: (any PredicateArgument)?...) throws(GranaryError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Creates an expression from a text, such as `salary * 12` or `employees.@count`, and a list of arguments.
    /// (``init(_:_:)``)
    ///
    /// - Parameter arguments: the values of the placeholders in order; nil is NULL.
    /// - Throws: ``GranaryError`` with code `usage`, the column of the error, and the text with a mark under it.
    public init(format: String, arguments: [(any PredicateArgument)?] = []) throws(GranaryError) {
        do throws(PredicateSyntaxError) {
            var parser = try PredicateParser(format, arguments: arguments)
            self = try parser.wholeExpression()
        } catch {
            throw error.usageError(format)
        }
    }

    /// Reads the text of an expression in a model, in which placeholders have no meaning.
    package static func parse(_ text: String) throws(PredicateSyntaxError) -> ObjectExpression {
        var parser = try PredicateParser(text, arguments: nil)
        return try parser.wholeExpression()
    }

    /// Whether a text is keys joined by points, without `#` and not a word of the language such as `SELF` or `nil`.
    package static func isPlainKeyPath(_ text: String) -> Bool {
        guard PredicateLexer.isKeyPath(text), text != "SELF", !text.hasPrefix("SELF.") else { return false }
        return text.contains(".") || !reservedWords.contains(text.asciiUppercased)
    }
}
