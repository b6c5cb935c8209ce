import Foundation

/// Questions about the paths that a user gives.
enum FilePath {
    /// Whether both lead to one file, be it by links or by the same inode.
    static func isSame(_ left: String, _ right: String) -> Bool {
        let urls = [left, right].map { URL(filePath: $0).standardizedFileURL.resolvingSymlinksInPath() }
        if urls[0] == urls[1] { return true }
        let numbers = urls.map { url -> [UInt64]? in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
            guard let device = attributes?[.systemNumber] as? NSNumber,
                let file = attributes?[.systemFileNumber] as? NSNumber
            else { return nil }
            return [device.uint64Value, file.uint64Value]
        }
        return numbers[0] != nil && numbers[0] == numbers[1]
    }
}
