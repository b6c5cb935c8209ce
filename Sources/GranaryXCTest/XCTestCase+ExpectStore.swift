public import Granary
import GranaryFixtures
public import XCTest

extension XCTestCase {
    /// Compares the stored objects of a container with a snapshot: the file `__Snapshots__/TESTFILE/NAME.txt` beside
    /// the file of the test.
    ///
    /// A difference is a failure with the changed lines. If the environment variable `GRANARY_UPDATE` is set, a missing
    /// or different snapshot is written instead. The text has a block for each object, and is the same for the same
    /// objects; unsaved changes of contexts are not part of it.
    ///
    /// - Parameters:
    ///   - name: the name of the snapshot, without extension.
    ///   - properties: properties that differ from run to run, such as `["Patient.admitted"]`. They are omitted.
    ///   - file: the file of the test.
    ///   - line: the line of the failure.
    nonisolated(nonsending) public func expectStore(
        _ container: PersistentContainer, equals name: String, ignoring properties: [String] = [],
        file: StaticString = #filePath, line: UInt = #line
    ) async {
        do {
            let snapshot = try SnapshotFile(name, besides: "\(file)")
            switch try await snapshot.compare(with: container, ignoring: properties) {
            case .equal: break
            case .written(let path): KeptStores.note("wrote the snapshot \(path)")
            case .different(let message): XCTFail(message, file: file, line: line)
            }
        } catch {
            XCTFail("\(error)", file: file, line: line)
        }
    }
}
