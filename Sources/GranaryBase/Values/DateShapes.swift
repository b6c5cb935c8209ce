/// The date formats that files usually have, without `iso8601`.
package enum DateShapes {
    private static let dates = [
        "dd.MM.yyyy", "d.M.yyyy", "dd/MM/yyyy", "MM/dd/yyyy", "d/M/yyyy", "M/d/yyyy", "yyyy/MM/dd", "yyyy/M/d",
        "dd-MM-yyyy", "MM-dd-yyyy", "d-M-yyyy", "M-d-yyyy", "yyyy-MM-dd", "yyyy-M-d", "yyyy.MM.dd", "yyyyMMdd",
        "dd.MM.yy", "d.M.yy", "dd/MM/yy", "MM/dd/yy", "d/M/yy", "M/d/yy", "dd MMM yyyy", "d MMM yyyy", "d MMMM yyyy",
        "MMM d, yyyy", "MMMM d, yyyy", "dd-MMM-yyyy", "d-MMM-yyyy", "dd-MMM-yy", "d-MMM-yy", "EEE, dd MMM yyyy",
        "EEE, d MMM yyyy", "yyyy年M月d日",
    ]
    private static let times = [
        "", " HH:mm:ss", " HH:mm", "'T'HH:mm:ss", "'T'HH:mm", " H:mm:ss", " H:mm", " hh:mm:ss a", " hh:mm a",
        " h:mm:ss a", " h:mm a", ", HH:mm", ", HH:mm:ss", " HH:mm:ss.SSS", " HH:mm:ss.SSSSSS", "'T'HHmmss",
    ]
    /// The times of an export with `--for`.
    private static let fractions = [" HH:mm:ss,SSS", " HH:mm:ss,SSSSSSSSS", " HH:mm:ss.SSSSSSSSS"]
    private static let zones = ["", " Z", " XXX", "XXX", " VV"]

    /// All of them, with their texts.
    package static let patterns: [(text: String, pattern: DatePattern)] = dates.flatMap { date in
        (times + fractions).flatMap { time in
            (time.isEmpty || fractions.contains(time) ? [""] : zones).compactMap { zone in
                let text = date + time + zone
                return (try? DatePattern(text)).map { (text, $0) }
            }
        }
    }
}
