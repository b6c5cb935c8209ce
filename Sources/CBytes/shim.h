// Vector instructions that Swift cannot express.
#ifndef GRANARY_BYTES_H
#define GRANARY_BYTES_H

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Portable version of granary_matches, for processors without SSE2.
static inline uint64_t granary_matches_by_words(const uint8_t *bytes, uint8_t byte) {
    const uint64_t lows = 0x7F7F7F7F7F7F7F7Full;
    uint64_t result = 0;
    for (int part = 0; part < 8; part++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * part, 8);
        word ^= 0x0101010101010101ull * byte;
        // Sets the highest bit of each zero byte. The multiplication collects these bits in the highest byte.
        const uint64_t zeros = ~(((word & lows) + lows) | word | lows);
        result |= (zeros * 0x0002040810204081ull) >> 56 << (8 * part);
    }
    return result;
}

/// Compares 64 bytes with `byte`. Bit n of the result is 1 if bytes[n] is equal. (Swift has no equivalent of `pmovmskb`.)
static inline uint64_t granary_matches(const uint8_t *bytes, uint8_t byte) {
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi8((char)byte);
    uint64_t result = 0;
    for (int part = 0; part < 4; part++) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(bytes + 16 * part));
        const uint32_t bits = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, wanted));
        result |= (uint64_t)bits << (16 * part);
    }
    return result;
#else
    return granary_matches_by_words(bytes, byte);
#endif
}

#endif
