/// How a transaction ends, and its result.
package enum TransactionEnd<Result> {
    case commit(Result)
    case rollBack(Result)
}
