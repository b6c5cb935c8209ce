// The umbrella: one import gives everything that a user of the library needs.

@_exported public import GranaryBase
@_exported public import GranaryFormats
@_exported public import GranaryModel
@_exported public import GranaryModelFiles
@_exported public import GranaryContexts
@_exported public import GranaryCoordination
@_exported public import GranaryCoreDataStore
@_exported public import GranaryInspection
@_exported public import GranarySeeding
