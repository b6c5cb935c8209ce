import GranaryCoordination
import GranaryCoreDataStore

/// What `NSPersistenceFrameworkVersion` stands for, as far as real stores have told (sqlite-layout).
enum FrameworkVersion {
    static func system(_ version: Int64) -> String? {
        switch version {
        case 241: "Mac OS X 10.6"
        case 1414: "macOS 15 / iOS 18"
        default: nil
        }
    }
}
