/// A store whose rows other programs can write, so that its references and unique values have to be checked.
package protocol ContentChecking: AnyObject {
    /// Calls `body` for each problem.
    func checkContent(_ body: (ContentProblem) throws -> Void) throws
}
