import ArgumentParser
import Foundation

/// When progress is shown.
enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}
