import Foundation

// A program that saves a context once, for the tests that kill it meanwhile: see CrashProgram.
do {
    try CrashProgram(arguments: ProcessInfo.processInfo.arguments).run()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
