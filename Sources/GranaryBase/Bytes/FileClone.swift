internal import GranaryCSystem
import Foundation

/// Copies files. The copy shares the blocks of the original where the file system supports it, such as Btrfs, XFS and
/// APFS.
package enum FileClone {
    /// Copies a file.
    ///
    /// - Parameter target: the path of the copy, which must not exist.
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package static func copyFile(_ source: String, to target: String) throws(GranaryError) {
        #if os(Linux)
            if shareBlocks(source, target) { return }
        #endif
        // On Apple's systems Foundation shares the blocks.
        do { try FileManager.default.copyItem(atPath: source, toPath: target) } catch {
            throw failure(source, target, error)
        }
    }

    /// Copies a folder with all its files and folders. Devices, pipes and sockets are omitted.
    ///
    /// - Parameter target: the path of the copy. It can exist, if it has no file of the same name.
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package static func copyFolder(_ source: String, to target: String) throws(GranaryError) {
        let files = FileManager.default
        do {
            try files.createDirectory(atPath: target, withIntermediateDirectories: true)
            // Sorted: a folder comes before its contents.
            for path in try files.subpathsOfDirectory(atPath: source).sorted() {
                let (from, to) = ("\(source)/\(path)", "\(target)/\(path)")
                switch FileKind(from) {
                case .folder: try files.createDirectory(atPath: to, withIntermediateDirectories: true)
                case .file: try copyFile(from, to: to)
                case .missing, .special: break
                }
            }
        } catch let error as GranaryError { throw error } catch { throw failure(source, target, error) }
    }

    private static func failure(_ source: String, _ target: String, _ error: any Error) -> GranaryError {
        GranaryError(
            .inputOutput, "\(source) cannot be copied to \(target): \(error.localizedDescription)", underlying: error)
    }

    #if os(Linux)
        /// Returns false if the blocks cannot be shared. There is then no copy.
        private static func shareBlocks(_ source: String, _ target: String) -> Bool {
            let input = open(source, O_RDONLY | O_CLOEXEC)
            guard input >= 0 else { return false }
            defer { close(input) }
            let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o644))
            guard output >= 0 else { return false }
            defer { close(output) }
            if granary_share_blocks(input, output) == 0 { return true }
            unlink(target)
            return false
        }
    #endif
}
