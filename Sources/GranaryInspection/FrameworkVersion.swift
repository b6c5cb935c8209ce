/// The meaning of `NSPersistenceFrameworkVersion`, as far as real stores show it
/// (docs/core-data/sqlite-layout.md#evidence).
enum FrameworkVersion {
    static func system(_ version: Int64) -> String? {
        switch version {
        case 241: "Mac OS X 10.6"
        case 1414: "macOS 15 / iOS 18"
        default: nil
        }
    }
}
