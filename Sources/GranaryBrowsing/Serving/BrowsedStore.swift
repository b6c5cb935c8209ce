package import GranaryCoordination

/// A store that one thread reads.
package protocol BrowsedStore {
    var backend: any StoreBackend { get }
    /// Whether the file is still the one that was opened: another process can replace it.
    var isCurrent: Bool { get }
}
