// One import of Granary gives the whole public API.

@_exported public import GranaryBase
@_exported public import GranaryFormats
@_exported public import GranaryMigration
@_exported public import GranaryModel
@_exported public import GranaryPredicates
@_exported public import GranaryModelFiles
@_exported public import GranaryContexts
@_exported public import GranaryCoordination
@_exported public import GranaryCoreDataStore
@_exported public import GranaryPostgreSQL
@_exported public import GranaryInspection
@_exported public import GranaryComparison
@_exported public import GranaryExport
@_exported public import GranaryGeneration
@_exported public import GranaryImport
@_exported public import GranaryRecords
@_exported public import GranarySeedPlans
@_exported public import GranarySubset
@_exported public import GranarySwiftData
