public import Granary
import GranaryFixtures
public import Testing

/// Compares the stored objects of a container with a snapshot: the file `__Snapshots__/TESTFILE/NAME.txt` beside the
/// file of the test.
///
/// ```swift
/// try await SeededContainer.current.perform { context in … }
/// await expectStore(try SeededContainer.current, equals: "after the round")
/// ```
///
/// A difference is a failure with the changed lines. If the environment variable `GRANARY_UPDATE` is set, a missing or
/// different snapshot is written instead. The text has a block for each object, and is the same for the same objects;
/// unsaved changes of contexts are not part of it.
///
/// - Parameters:
///   - name: the name of the snapshot, without extension.
///   - properties: properties that differ from run to run, such as `["Patient.admitted"]`. They are omitted.
///   - filePath: the file of the test.
///   - sourceLocation: the place of the failure.
public func expectStore(
    _ container: PersistentContainer, equals name: String, ignoring properties: [String] = [],
    filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) async {
    do {
        let file = try SnapshotFile(name, besides: filePath)
        switch try await file.compare(with: container, ignoring: properties) {
        case .equal: break
        case .written(let path): KeptStores.note("wrote the snapshot \(path)")
        case .different(let message): Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
        }
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
