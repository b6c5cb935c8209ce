public import ArgumentParser
public import GranaryBase
public import GranaryExport
public import GranaryFormats
public import GranaryGeneration
public import GranaryImport
public import GranaryMigration
import GranaryRecords
public import GranarySubset

// Enumerations of the library that are values of options, under the same names.

extension ExportOptions.ReferenceStyle: ExpressibleByArgument {}
extension SubsetOptions.ConflictPolicy: ExpressibleByArgument {}
extension NamedTextForm: ExpressibleByArgument {}
extension DateStyle: ExpressibleByArgument {}
extension BinaryStyle: ExpressibleByArgument {}
extension NonFiniteStyle: ExpressibleByArgument {}
extension MissingFilePolicy: ExpressibleByArgument {}
extension ExportOptions.BlobPlace: ExpressibleByArgument {}
extension PropertyListEncoding: ExpressibleByArgument {}
extension DataFormat: ExpressibleByArgument {}
extension ImportOptions.ConflictPolicy: ExpressibleByArgument {}
extension ImportRunOptions.RejectsFormat: ExpressibleByArgument {}
extension ImportRunOptions.Mode: ExpressibleByArgument {}
extension ImportRunOptions.Loader: ExpressibleByArgument {}
extension GenerationOptions.Locale: ExpressibleByArgument {}
extension StoreMigrationOptions.InvalidObjects: ExpressibleByArgument {}
extension BlankLines: ExpressibleByArgument {}
extension CSVSplitting: ExpressibleByArgument {}
extension DaylightSavingPolicy: ExpressibleByArgument {}
