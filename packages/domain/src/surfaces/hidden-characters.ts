/**
 * Finds characters that a model sees but a reader does not: invisible ones, marks that change the
 * direction of text, tags, and control characters. Characters that a writing system or an emoji
 * needs are not hidden: joiners in Arabic or Indic scripts or between emoji, one variation
 * selector, and the tags of a flag.
 */

/** Returns each code point once, in the order of the text, in the form `U+200B`. */
export function hiddenCharacters(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: character } of text.replace(needed, '').matchAll(hidden)) {
    const point = character.codePointAt(0) ?? 0;
    found.add(`U+${point.toString(16).toUpperCase().padStart(4, '0')}`);
  }
  return [...found];
}

const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];

const hidden = new RegExp(
  `[${hiddenRanges.map((range) => range.map((point) => `\\u{${point.toString(16)}}`).join('-')).join('')}]`,
  'gu',
);

const needed = new RegExp(
  [
    // A flag of a region: the black flag, at most six tags, and the end of the tags.
    '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{1,6}\\u{e007f}',
    // At most one variation selector: the text or emoji style of a symbol, or a glyph form of a Han
    // character.
    '(?<=[\\p{Emoji}\\p{S}\\p{P}])[\\ufe0e\\ufe0f]',
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=[\\p{L}\\p{M}])(?<![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}])[\\u200c\\u200d](?=[\\p{L}\\p{M}])(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}])',
  ].join('|'),
  'gu',
);
