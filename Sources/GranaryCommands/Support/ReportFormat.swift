import ArgumentParser
import Foundation

/// The format of a command's result.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
