/// The options of a ``Generator``.
public struct GenerationOptions: Sendable {
    /// The language of generated names, places and words.
    public enum Locale: String, Sendable, CaseIterable {
        /// English.
        case english = "en"
        /// German.
        case german = "de"
        /// French.
        case french = "fr"
        /// Spanish.
        case spanish = "es"
        /// Italian.
        case italian = "it"
        /// Portuguese.
        case portuguese = "pt"
        /// Dutch.
        case dutch = "nl"
        /// Swedish.
        case swedish = "sv"
        /// Polish.
        case polish = "pl"
        /// Greek.
        case greek = "el"
        /// Russian.
        case russian = "ru"
        /// Japanese.
        case japanese = "ja"
        /// Arabic.
        case arabic = "ar"
        /// Chinese, in simplified characters.
        case chinese = "zh"
    }

    /// The number from which all values are derived. The same model, counts, options and number give the same objects.
    public var randomSeed: UInt64 = 0
    /// The language of generated names, places and words.
    public var locale = Locale.english
    /// The percentage of NULL in optional attributes and to-one relationships, from 0 to 100. Optional attributes of a
    /// uniqueness constraint are NULL only if there are not enough different values.
    public var nullPercent = 10
    /// The kinds of values by attribute, such as `["Patient.name": "one of Ann, Bob"]`. They override the model's user
    /// info (`granary.generator`).
    public var generators: [String: String] = [:]
    /// Generators in code by attribute, such as `["Patient.code": CustomGenerator { .string("P\($0.number)") }]`.
    public var customGenerators: [String: CustomGenerator] = [:]
    /// The percentages of NULL by optional attribute or to-one relationship. They override ``nullPercent`` and the
    /// model's user info (`granary.null`).
    public var nullPercents: [String: Int] = [:]
    /// The distributions of values by attribute, such as `["Patient.age": "normal"]`. They override the model's user info
    /// (`granary.distribution`).
    public var distributions: [String: String] = [:]
    /// The numbers of linked objects by to-many relationship, such as `["Patient.visits": "0..5 zipf"]`. They override
    /// the model's user info (`granary.count`).
    public var linkCounts: [String: String] = [:]
    /// Whether values are at the edges of what the model's rules allow: empty and longest texts, texts from right to left,
    /// combining marks and emoji, the extremes of numbers, leap days and far dates. For previews, and for tests that
    /// look for values that the code cannot take.
    /// Attributes with a generator keep it.
    public var edgeCases = false
    /// Whether the counts include the stored objects, so that only the missing ones are generated. If false, the
    /// generated objects are added to the stored ones.
    public var fillsUp = false

    /// The seed number 0, English, one NULL in ten.
    public init() {}
}
