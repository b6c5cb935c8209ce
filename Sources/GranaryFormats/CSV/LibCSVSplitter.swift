// Package.swift depends on libcsv on these systems only.
#if os(Linux) || os(macOS)
    import GranaryCLibCSV
    import GranaryBase

    /// Splits with libcsv, which calls ``CSVBatch`` for each field and each record.
    final class LibCSVSplitter: RecordSplitter {
        private let parser: UnsafeMutablePointer<csv_parser>
        private(set) var isAtRecordStart = true

        init(delimiter: UInt8, quote: UInt8) throws(GranaryError) {
            parser = .allocate(capacity: 1)
            parser.initialize(to: csv_parser())
            // Strict: a quote inside a bare field, text after a closing quote and an unclosed quote stop libcsv.
            // REPALL_NL: libcsv also reports the line ends of blank lines.
            let flags = CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL
            guard csv_init(parser, UInt8(flags)) == 0 else {
                throw GranaryError(.internalDefect, "libcsv cannot be started")
            }
            csv_set_delim(parser, delimiter)
            csv_set_quote(parser, quote)
            // libcsv trims blanks around fields, so no byte is declared a blank.
            csv_set_space_func(parser, csvIsBlank)
            // The growth of a field's buffer; the default of 128 bytes makes long fields slow.
            csv_set_blk_size(parser, 1 << 14)
        }

        deinit {
            csv_free(parser)
            parser.deallocate()
        }

        func split(
            _ batch: UnsafeMutablePointer<CSVBatch>, _ range: Range<Int>, pausingBehind place: Int
        ) throws(GranaryError) -> SplitOutcome {
            let start = batch.pointee.raw + range.lowerBound
            let taken = csv_parse(parser, start, range.count, csvFieldEnded, csvRowEnded, batch)
            switch csv_error(parser) {
            case CSV_SUCCESS:
                isAtRecordStart = batch.pointee.cursor == range.upperBound && batch.pointee.fieldCount == 0
                return .taken(to: range.upperBound)
            case CSV_EPARSE:
                reset()
                return .broken(at: range.lowerBound + taken)
            default:
                throw GranaryError(.inputOutput, "libcsv has no memory for a field")
            }
        }

        func finish(_ batch: UnsafeMutablePointer<CSVBatch>) -> Bool {
            // A failing csv_fini makes no callbacks.
            let isAllowed = csv_fini(parser, csvFieldEnded, csvRowEnded, batch) == 0
            if isAllowed { isAtRecordStart = true }
            return isAllowed
        }

        /// Without callbacks csv_fini only resets libcsv to the start of a record.
        func reset() {
            let flags = UInt8(truncatingIfNeeded: csv_get_opts(parser))
            // Inside an open quote csv_fini refuses with this flag.
            csv_set_opts(parser, flags & ~UInt8(CSV_STRICT_FINI))
            csv_fini(parser, nil, nil, nil)
            csv_set_opts(parser, flags)
            isAtRecordStart = true
        }

        func openFieldBytes(_ batch: UnsafeMutablePointer<CSVBatch>, to end: Int) -> Int { parser.pointee.entry_pos }

        var isQuoted: Bool { parser.pointee.quoted != 0 }
    }

    // Functions, not closures: a closure formed in code of an actor checks its executor at every call.

    private func csvIsBlank(_ byte: UInt8) -> Int32 { 0 }

    private func csvFieldEnded(_ text: UnsafeMutableRawPointer?, _ count: Int, _ context: UnsafeMutableRawPointer?) {
        // The context is the batch given to csv_parse or csv_fini, which is alive during that call.
        context?.assumingMemoryBound(to: CSVBatch.self).pointee.endField(text, count: count)
    }

    private func csvRowEnded(_ terminator: Int32, _ context: UnsafeMutableRawPointer?) {
        context?.assumingMemoryBound(to: CSVBatch.self).pointee.endRow(terminator)
    }
#endif
