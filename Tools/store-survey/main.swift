import Foundation

// Reads stores and models with Granary and compares the result with plain SQL: see SurveyRun.
do {
    let isGood = try SurveyRun(arguments: Array(ProcessInfo.processInfo.arguments.dropFirst())).run()
    exit(isGood ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("store-survey: \(error)\n".utf8))
    exit(64)
}
