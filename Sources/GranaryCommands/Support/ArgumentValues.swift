public import ArgumentParser
public import GranaryBase
public import GranaryFormats
public import GranarySeeding

// Choices of the library as choices of the command line, under the same names.

extension ExportOptions.ReferenceStyle: ExpressibleByArgument {}
extension DateStyle: ExpressibleByArgument {}
extension BinaryStyle: ExpressibleByArgument {}
extension PropertyListEncoding: ExpressibleByArgument {}
extension DataFormat: ExpressibleByArgument {}
extension ImportOptions.ConflictPolicy: ExpressibleByArgument {}
extension ImportRunOptions.Mode: ExpressibleByArgument {}
extension ImportRunOptions.Loader: ExpressibleByArgument {}
extension BlankLines: ExpressibleByArgument {}

extension CSVSplitting: ExpressibleByArgument {}
extension DaylightSavingPolicy: ExpressibleByArgument {}
