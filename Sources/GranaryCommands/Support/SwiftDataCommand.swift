import ArgumentParser

/// A command whose MODEL can be Swift sources with `@Model` classes.
protocol SwiftDataCommand: ParsableCommand {
    var swiftData: SwiftDataArguments { get }
}
