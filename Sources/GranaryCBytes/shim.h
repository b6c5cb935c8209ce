// Vector instructions that Swift cannot express.
#ifndef GRANARY_BYTES_H
#define GRANARY_BYTES_H

#include <stddef.h>
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

/// The index of the first byte from `start` on that is not ASCII; `count` if there is none.
static inline ptrdiff_t granary_end_of_ascii(const uint8_t *bytes, ptrdiff_t start, ptrdiff_t count) {
    ptrdiff_t index = start;
#if defined(__SSE2__)
    while (count - index >= 16) {
        const uint32_t bits = (uint32_t)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(bytes + index)));
        if (bits) return index + __builtin_ctz(bits);
        index += 16;
    }
#endif
    while (count - index >= 8) {
        uint64_t word;
        memcpy(&word, bytes + index, 8);
        if (word & 0x8080808080808080ull) break;
        index += 8;
    }
    while (index < count && bytes[index] < 0x80) index++;
    return index;
}

/// The bytes that granary_copy_field stops at, besides the two given ones.
enum granary_special {
    /// The line ends LF and CR.
    granary_line_ends,
    /// All bytes below 0x20.
    granary_controls,
};

static inline int granary_is_special(uint8_t byte, uint8_t first, uint8_t second, enum granary_special others) {
    if (byte == first || byte == second) return 1;
    return others == granary_controls ? byte < 0x20 : byte == '\n' || byte == '\r';
}

/// Copies bytes up to the first special one, and returns the number of bytes before it: `count` if there is none. Up to
/// `count` bytes of `to` may be overwritten.
static inline ptrdiff_t granary_copy_field(
    uint8_t *to, const uint8_t *from, ptrdiff_t count, uint8_t first, uint8_t second, enum granary_special others) {
    ptrdiff_t index = 0;
#if defined(__SSE2__)
    const __m128i firsts = _mm_set1_epi8((char)first), seconds = _mm_set1_epi8((char)second);
    const __m128i feeds = _mm_set1_epi8('\n'), returns = _mm_set1_epi8('\r');
    const __m128i lastControl = _mm_set1_epi8(0x1F);
    while (count - index >= 16) {
        const __m128i block = _mm_loadu_si128((const __m128i *)(from + index));
        _mm_storeu_si128((__m128i *)(to + index), block);
        const __m128i rest = others == granary_controls
            ? _mm_cmpeq_epi8(_mm_min_epu8(block, lastControl), block)
            : _mm_or_si128(_mm_cmpeq_epi8(block, feeds), _mm_cmpeq_epi8(block, returns));
        const __m128i found =
            _mm_or_si128(rest, _mm_or_si128(_mm_cmpeq_epi8(block, firsts), _mm_cmpeq_epi8(block, seconds)));
        const uint32_t bits = (uint32_t)_mm_movemask_epi8(found);
        if (bits) return index + __builtin_ctz(bits);
        index += 16;
    }
#endif
    for (; index < count; index++) {
        if (granary_is_special(from[index], first, second, others)) return index;
        to[index] = from[index];
    }
    return count;
}

#endif
