/* OpenSSL 3 deprecates the running SHA-256 in favour of EVP. It is used all the same: its state is a plain
 * structure that Swift copies as a value, and no call of it can fail. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
