import ArgumentParser
import Foundation

/// A command that a signal cancels. All its statements, searches and loops check ``Cancellation/current``.
protocol InterruptibleCommand: ParsableCommand {}
