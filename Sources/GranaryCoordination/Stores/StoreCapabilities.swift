import GranaryBase
import GranaryPropertyLists

/// What a kind of store can do. The conformance suite tests that each store has exactly the capabilities that it
/// states; the calls of a missing capability do nothing or throw, as their descriptions say.
///
/// Every store has transactions and answers searches (``StoreBackend/search(_:batchSize:_:)``).
package struct StoreCapabilities: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A Decimal is stored with all its 38 digits, not as a double.
    package static let exactDecimals = Self(rawValue: 1 << 0)
    /// The store can record its transactions in a persistent history.
    package static let history = Self(rawValue: 1 << 1)
    /// A transaction can be recorded as a run and reverted.
    package static let revertibleRuns = Self(rawValue: 1 << 2)
    /// A new store can be loaded page by page (``RowLoader/pages``).
    package static let pageLoading = Self(rawValue: 1 << 3)
    /// The app's own metadata can be replaced.
    package static let userMetadata = Self(rawValue: 1 << 4)
    /// A row can name a file whose content is the value (``StoredCell/file``). The store copies it piece by piece into
    /// a column with external storage.
    package static let fileCells = Self(rawValue: 1 << 5)
    /// Texts can contain the character U+0000. A store without this refuses such a text.
    package static let nullCharacters = Self(rawValue: 1 << 6)
}
