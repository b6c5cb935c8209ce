import GranaryBase

/// Writes the rejected records of the sources of one kind into one file.
protocol RejectsWriter: AnyObject {
    /// Writes the end of the file and syncs it. The file keeps its temporary name.
    func prepare() throws(GranaryError)
}
