import GranaryBase

/// Options of an import that a sidecar can set.
package struct SidecarOptions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let nullTexts = SidecarOptions(rawValue: 1)
    package static let dateFormats = SidecarOptions(rawValue: 2)
    package static let binaryFormat = SidecarOptions(rawValue: 4)
}
