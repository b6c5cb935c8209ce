import ArgumentParser

/// How a command that tells something tells it.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
