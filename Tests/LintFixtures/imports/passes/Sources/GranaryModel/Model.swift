@_exported public import GranaryBase
@preconcurrency import Crypto  // hashes

/* A comment may say
import GranaryCZlib
*/
let text = """
    import GranaryCZlib
    """
