/// What the values of a property are.
package struct PropertyProfile: Sendable, Encodable {
    /// A value and how often it was found.
    package struct Frequent: Sendable, Hashable, Encodable {
        /// The text of the value, as in exports; at most 80 characters.
        package var value: String
        package var count: Int
    }

    package var name: String
    /// The attribute's type, or `to-one Injury`, `to-many Patient`.
    package var type: String
    package var isRelationship: Bool
    package var isOptional: Bool
    /// The number of objects without a value, or of owners without a destination.
    package var nulls = 0
    /// The number of objects with one.
    package var values = 0
    /// The number of different values. Of a to-many, of different counts.
    package var distinct = 0
    /// Whether ``distinct`` and ``mostFrequent`` are exact. If not, `distinct` has a standard error of 0.8 %, and the counts
    /// of frequent values are the least that is certain.
    package var isExact = true
    /// The smallest and the largest value as text; nil for binary data, Booleans and to-ones. Of a to-many, the counts.
    package var minimum: String?
    package var maximum: String?
    /// Of numbers and of the counts of a to-many.
    package var mean: Double?
    /// In characters (UTF-16 code units, as the model's rules count them), or in bytes of binary data.
    package var minimumLength: Int?
    package var maximumLength: Int?
    /// The most frequent values, most frequent first; empty if all values differ.
    package var mostFrequent: [Frequent] = []
    /// Of numbers, dates, lengths of texts and binary data, and counts of a to-many.
    package var histogram: Histogram?
    /// What ``histogram`` counts: `values`, `dates`, `lengths` or `links`.
    package var histogramOf: String?
    /// Rules that are broken or nearly broken, and what the model could require.
    package var notes: [String] = []

    package init(name: String, type: String, isRelationship: Bool, isOptional: Bool) {
        self.name = name
        self.type = type
        self.isRelationship = isRelationship
        self.isOptional = isOptional
    }
}
