/// A piece of work for ``OrderedWorkers``.
package protocol OrderedWork: AnyObject, Sendable {
    /// Does the work. One thread calls it at a time.
    func run()
    /// Whether ``run()`` has finished. Only ``OrderedWorkers`` sets it.
    var isDone: Bool { get set }
}
