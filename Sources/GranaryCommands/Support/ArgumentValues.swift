public import ArgumentParser
public import GranaryBase
public import GranaryFormats
public import GranarySeeding

// Choices of the library as choices of the command line, under the same names.

extension ExportOptions.ReferenceStyle: ExpressibleByArgument {}
extension ValueText.DateStyle: ExpressibleByArgument {}
extension ValueText.BinaryStyle: ExpressibleByArgument {}
extension PropertyListWriter.Encoding: ExpressibleByArgument {}
extension DataFormat: ExpressibleByArgument {}
extension ImportOptions.BinaryFormat: ExpressibleByArgument {}
extension ImportOptions.ConflictPolicy: ExpressibleByArgument {}
extension ImportRunOptions.Mode: ExpressibleByArgument {}
extension ImportRunOptions.Loader: ExpressibleByArgument {}
extension CSVReader.BlankLines: ExpressibleByArgument {}

extension CSVSplitting: ExpressibleByArgument {}
extension DaylightSavingPolicy: ExpressibleByArgument {}
