import GranaryCoordination

/// The results of a request, first as they are, then their changes after each save to the container's stores.
///
/// ```swift
/// var request = FetchRequest("Coffee")
/// request.sortDescriptors = [ObjectSortDescriptor("name")]
/// let names = container.updates(of: request) { try $0.string(forKey: "name") ?? "" }
/// var list: [ResultsSection<String>] = []
/// for try await update in names {
///     try update.apply(to: &list)
///     show(list[0].objects)
/// }
/// ```
/// Saves of all contexts count, and imports and batch requests. A slow loop receives the changes of several saves as
/// one; nothing is computed while nobody waits for an element, and at most one ID for each changed object is kept.
///
/// If an object is deleted while its value is made, the next element has all results again.
///
/// Each loop has its own context, and begins with the results as they are then. The loop ends when its task is cancelled
/// or the container is released; it does not retain the container.
public struct ResultsUpdates<Value: Sendable>: AsyncSequence, Sendable {
    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        private let start: @Sendable () async throws -> ResultsFeed<Value>?
        private var feed: ResultsFeed<Value>?
        private var isEnded = false

        init(_ start: @escaping @Sendable () async throws -> ResultsFeed<Value>?) { self.start = start }

        /// The results, then the next changes; nil if the task is cancelled or the container was released.
        ///
        /// - Throws: as ``ManagedObjectContext/results(of:sectionedBy:)``; any error of the closure that makes the
        ///   values, and any error from reading. The sequence ends then.
        public mutating func next() async throws -> ResultsUpdate<Value>? {
            guard !isEnded, !Task.isCancelled else { return nil }
            do {
                if let feed {
                    if let update = try await feed.next() { return update }
                } else if let feed = try await start() {
                    self.feed = feed
                    return .results(try await feed.current())
                }
                end()
                return nil
            } catch {
                end()
                throw error
            }
        }

        private mutating func end() {
            isEnded = true
            feed = nil
        }
    }

    private let start: @Sendable () async throws -> ResultsFeed<Value>?

    init(_ start: @escaping @Sendable () async throws -> ResultsFeed<Value>?) { self.start = start }

    /// Makes an iterator; each loop has one.
    public func makeAsyncIterator() -> Iterator { Iterator(start) }
}

extension PersistentContainer {
    /// The results of a request and their changes, with values made from the objects.
    ///
    /// - Parameters:
    ///   - sectionNameKeyPath: the key path to the attribute whose values are the names of the sections, as in
    ///     ``ManagedObjectContext/results(of:sectionedBy:)``; nil for one section.
    ///   - value: makes the value of an object. It is called on a queue of the sequence for the first results, and for
    ///     each inserted, moved and updated object; it must not keep the object. The values of objects that have not
    ///     changed are not made again, so read only the object's own properties.
    public func updates<Object: ManagedObject, Value: Sendable>(
        of request: FetchRequest<Object>, sectionedBy sectionNameKeyPath: String? = nil,
        _ value: @escaping @Sendable (Object) throws -> Value
    ) -> ResultsUpdates<Value> {
        ResultsUpdates { [weak self] in
            guard let self else { return nil }
            let source = ResultsSource(
                request, sectionedBy: sectionNameKeyPath, coordinator: persistentStoreCoordinator, value)
            streams.add(source.mailbox)
            return ResultsFeed(source)
        }
    }
}
