package import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryRecords

/// The store file of one test, alone in a folder with its external files. It is not open.
package final class FixtureFile: FixtureOfTest {
    package let fixture: Fixture
    /// The folder with the file.
    let folder: String
    package let keeping: KeptStores
    package let keptFolder: String

    /// The file, which is not open when the test begins.
    package var url: URL { URL(filePath: "\(folder)/\(TemplateFile.name)") }

    /// - Parameter keptFolder: the folder of the store if it is kept. It must not exist.
    init(
        of fixture: Fixture, _ template: TemplateFile, keeping: KeptStores = .requested,
        in keptFolder: String = KeptStores.nextFolder()
    ) throws(GranaryError) {
        self.fixture = fixture
        self.keeping = keeping
        self.keptFolder = keptFolder
        folder = try FixtureFolder.make()
        do throws(GranaryError) { try FileClone.copyFolder(template.folder, to: folder) } catch {
            remove()
            throw error
        }
    }

    package func end(hasFailed: Bool) -> String? {
        let result = isKept(hasFailed: hasFailed) ? keep() : nil
        remove()
        return result
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Moves the folder with all files, whoever has them open.
    func keep() -> String? {
        let files = FileManager.default
        do {
            let parent = URL(filePath: keptFolder).deletingLastPathComponent().path(percentEncoded: false)
            try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try files.moveItem(atPath: folder, toPath: keptFolder)
            return keptFolder
        } catch {
            KeptStores.note("the store of a test could not be kept in \(keptFolder): \(error)")
            return nil
        }
    }
}
