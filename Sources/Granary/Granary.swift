// One import of Granary gives the whole public API.

@_exported public import GranaryBase
@_exported public import GranaryFormats
@_exported public import GranaryModel
@_exported public import GranaryModelFiles
@_exported public import GranaryContexts
@_exported public import GranaryCoordination
@_exported public import GranaryCoreDataStore
@_exported public import GranaryInspection
@_exported public import GranarySeeding
