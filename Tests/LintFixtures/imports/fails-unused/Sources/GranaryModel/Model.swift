import Foundation
// import GranaryBase
import Crypto
