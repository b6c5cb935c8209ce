@_exported public import GranaryBase
@preconcurrency import Crypto  // hashes

/* A comment may say
import CZlib
*/
let text = """
    import CZlib
    """
