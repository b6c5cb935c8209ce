package import GranaryBase
package import GranaryCoordination
public import GranaryPredicates
public import GranaryRecords

/// The options of a ``StoreMigration``: what it may lose, and what it does with objects that do not fit.
public struct StoreMigrationOptions: Sendable {
    /// What happens to objects that break a rule of the newer version.
    public enum InvalidObjects: String, Sendable, CaseIterable {
        /// The migration is refused.
        case refuse
        /// They are kept as they are, as far as a store can hold them: NULL in a required attribute, a rounded number,
        /// too few or too many related objects.
        case keep
    }

    /// Which of several objects with the same unique values is kept.
    public enum DuplicateRule: Sendable, Hashable {
        /// That with the lowest primary key.
        case first
        /// That with the highest primary key.
        case last
        /// That with the largest value of this attribute; of several, that with the lowest primary key.
        case largest(String)
    }

    /// Whether objects, values and links that the newer version cannot hold are dropped. Otherwise the migration is
    /// refused if there are any.
    public var allowsDrop = false
    /// What happens to objects that break a rule of the newer version.
    public var invalidObjects = InvalidObjects.refuse
    /// The values that replace NULL, by `Entity.attribute` of the newer version, or of another one after the store's; also
    /// in subentities.
    public var fills: [String: AttributeValue] = [:]
    /// As ``fills``, with values as text.
    package var fillTexts: [String: String] = [:]
    /// Which objects are kept of those with the same unique values, by entity of the newer version; also in
    /// subentities. Links to and from the other objects lead to the one that is kept.
    public var duplicateRules: [String: DuplicateRule] = [:]
    /// How to treat a missing file with external data.
    public var missingFiles = MissingFilePolicy.error
    /// Whether the migration only checks: everything is done, and the result is discarded.
    public var isDryRun = false
    /// Whether the replaced store is kept, as `STORE.before-VERSION`.
    public var keepsBackup = true
    /// Whether an existing file is replaced by an output.
    public var replacesOutput = false
    /// The number of seconds to wait for a store that is in use; nil for 5.
    public var busyTimeout: Double?
    package var cancellation: Cancellation?
    /// Called while each step runs.
    package var progress: (@Sendable (MigrationProgress) -> Void)?

    /// Options that lose nothing.
    public init() {}

    var timeout: Duration { .seconds(busyTimeout ?? 5) }
}
