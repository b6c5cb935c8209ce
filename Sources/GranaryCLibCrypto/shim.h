/* OpenSSL 3 deprecates the incremental SHA-256 functions in favour of EVP. They are used here because their state is a
 * plain structure that Swift can copy, and because they cannot fail. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
