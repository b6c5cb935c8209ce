import Foundation

/// The names and numbers of `NSCocoaErrorDomain` that Foundation on Linux does not declare (`CoreDataErrors.h`,
/// `FoundationErrors.h`).
enum CocoaErrorKeys {
    static let domain = "NSCocoaErrorDomain"
    static let validationObject = "NSValidationErrorObject"
    static let validationKey = "NSValidationErrorKey"
    static let validationValue = "NSValidationErrorValue"
    static let validationPredicate = "NSValidationErrorPredicate"
    static let detailedErrors = "NSDetailedErrors"
    static let affectedObjects = "NSAffectedObjectsErrorKey"

    static let noSuchFileCode = 260
    static let corruptFileCode = 259
    static let writeCode = 512
    static let cancelledCode = 3072
    /// NSValidationMultipleErrorsError
    static let severalErrorsCode = 1560
    /// NSCoreDataError
    static let generalCode = 134_060
    /// NSPersistentStoreOperationError
    static let operationCode = 134_070
    /// NSPersistentStoreTimeoutError
    static let timeoutCode = 134_090

    /// The range of validation errors.
    static let validationCodes = 1550...1690
}
