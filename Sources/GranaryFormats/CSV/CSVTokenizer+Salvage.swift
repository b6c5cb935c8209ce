import GranaryBase

/// The search for the line to continue at after a malformed record that an open quote extended over several lines.
extension CSVTokenizer {
    /// The number of bytes that may always be read again; one record with an unclosed quote takes at most the limit of
    /// a field.
    private static let freeRereadBytes = 32 << 20

    /// The number of bytes read again after which salvaging stops, so that time is linear in the size of any file.
    private func rereadLimit(at offset: Int) -> Int { Self.freeRereadBytes + 4 * (baseOffset + offset) }

    /// Returns to the second line of the current record, which is malformed at `offset`, and finds the next line that
    /// is a record by itself. The lines before it are one malformed record.
    ///
    /// If the position of the mistake is known, lines after it are not tried, because reading continues there anyway.
    func salvage(_ problem: CSVBatch.Problem, at offset: Int) throws(GranaryError) {
        let isPlaceKnown = problem == .quoteInField || problem == .textAfterQuote
        let last = isPlaceKnown ? offset : batch.pointee.rawCount - 1
        let limit = rereadLimit(at: offset)
        isExhausted = isSalvaging && rereadBytes > limit
        guard isSalvaging, !isExhausted else { return giveUp(problem, at: offset) }
        var probe = CSVLineProbe(options: options, width: width, judge: judge)
        var search = batch.pointee.recordStart
        while let line = batch.pointee.lineBreak(from: search), line.next <= last, !isExhausted {
            search = line.next
            var finding = probe.look(at: bytesAtHand, from: line.next, isAtEnd: isAtEnd)
            while finding == .needsMore, isPlaceKnown, try readOn(from: line.next) {
                finding = probe.look(at: bytesAtHand, from: line.next, isAtEnd: isAtEnd)
            }
            rereadBytes += probe.takeWork()
            if finding == .fits { return goOn(problem, at: offset, end: line.end, next: line.next) }
            isExhausted = rereadBytes > limit
        }
        giveUp(problem, at: offset)
    }

    private var bytesAtHand: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: batch.pointee.raw, count: batch.pointee.rawCount)
    }

    /// Doubles the number of bytes after `start`, so that repeated searches stay linear.
    ///
    /// - Returns: false if nothing is left, or the limit of a record is reached.
    private func readOn(from start: Int) throws(GranaryError) -> Bool {
        let count = batch.pointee.rawCount
        let room = batch.pointee.recordStart + options.maximumRecordBytes + 1
        guard !isAtEnd, count < room else { return false }
        let goal = min(room, count + max(1, count - start))
        while !isAtEnd, batch.pointee.rawCount < goal { isAtEnd = try readChunk() == 0 }
        return true
    }

    private func goOn(_ problem: CSVBatch.Problem, at offset: Int, end: Int, next: Int) {
        let limit: Int? =
            switch problem {
            case .fieldTooLong: options.maximumFieldBytes
            case .recordTooLong: options.maximumRecordBytes
            default: nil
            }
        batch.pointee.cutRecord(problem, at: offset, limit: limit, end: end, next: next)
        splitter.reset()
        rereadBytes += max(0, fed - next)
        fed = next
        mode = .parsing
    }

    /// Continues as after a malformed record of one line.
    private func giveUp(_ problem: CSVBatch.Problem, at offset: Int) {
        splitter.reset()
        switch problem {
        case .quoteInField, .textAfterQuote: mode = .broken(problem, at: offset)
        case .unclosedQuote:
            batch.pointee.endBroken(problem, at: offset, end: batch.pointee.endWithoutLineEnd)
            batch.pointee.skipAll()
            fed = batch.pointee.rawCount
            mode = .parsing
            isFinished = true
        default:
            mode = .parsing
            batch.pointee.stop(problem, at: offset)
        }
    }
}

// MARK: - Limits

extension CSVTokenizer {
    /// Checks the limits of a record that is unfinished at the end of a chunk.
    func checkLimits() {
        let start = batch.pointee.recordStart
        // One more byte can be the closing quote.
        if case .parsing = mode, splitter.openFieldBytes(batch, to: fed) > batch.pointee.maximumFieldBytes + 1 {
            passLimit(.fieldTooLong, at: batch.pointee.openFieldStart)
        } else if fed - start > batch.pointee.maximumRecordBytes {
            passLimit(.recordTooLong, at: start)
        }
    }

    private func passLimit(_ problem: CSVBatch.Problem, at offset: Int) {
        if case .parsing = mode, splitter.isQuoted, batch.pointee.isOverLines(to: fed) {
            mode = .salvaging(problem, at: offset)
        } else {
            batch.pointee.stop(problem, at: offset)
        }
    }
}
