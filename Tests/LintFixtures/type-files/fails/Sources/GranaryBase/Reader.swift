/// A type in the file of its name.
package struct Reader {}

/// A class.
package final class ReaderPart {}

@frozen public indirect enum Step<Value> {}

package protocol Stepping: Sendable {}

package typealias Steps = [Step<Int>]

enum Tested {}

enum BetweenTexts {}

enum AfterText {}

package enum Kind {}

#if os(Linux)
    struct Platform {}
#else
    struct Platform {}
#endif
