/**
 * Counts words, which are runs of letters and digits, for the usage figures. It creates no
 * substrings, since lists of tools may be long.
 */
export function countWords(text: string): number {
  let count = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index += 1) {
    let unit = text.charCodeAt(index);
    if (unit >= 0x80) {
      unit = text.codePointAt(index) ?? unit;
      if (unit > 0xffff) index += 1;
    }
    const isWord = unit < 0x80 ? isPlainWord(unit) : wordCharacter.test(String.fromCodePoint(unit));
    if (isWord && !isInWord) count += 1;
    isInWord = isWord;
  }
  return count;
}

/** Returns the number of words in a value's JSON; 0 for a value that JSON cannot express. */
export function countOf(value: unknown): number {
  try {
    return countWords(JSON.stringify(value) ?? '');
  } catch {
    return 0;
  }
}

const wordCharacter = /[\p{L}\p{N}]/u;

function isPlainWord(unit: number): boolean {
  const small = unit | 0x20;
  return (unit >= 48 && unit <= 57) || (small >= 97 && small <= 122);
}
