/**
 * Splits a text into words: lower-case runs of letters and digits, also split where a small letter
 * meets a capital one. The most common words are marked, and stems drop English endings, so that
 * `listing orders` finds `list_order`.
 */
export interface Word {
  /** The word in lower case, including its ending. */
  readonly plain: string;
  readonly stem: string;
  readonly isCommon: boolean;
  readonly start: number;
  readonly end: number;
}

export function wordsOf(text: string, most = mostWords): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(wordPattern)) {
    if (found.length >= most) break;
    const plain = match[0].toLowerCase();
    const start = match.index;
    const end = start + match[0].length;
    found.push({ plain, stem: stemOf(plain), isCommon: commonWords.has(plain), start, end });
  }
  return found;
}

/** Returns the stems of a text without its common words. */
export function stemsOf(text: string, most?: number): string[] {
  return wordsOf(text, most).flatMap(({ stem, isCommon }) => (isCommon ? [] : [stem]));
}

export function stemOf(word: string): string {
  if (word.length > 40) return word.slice(0, 40);
  const singular = withoutPlural(word);
  if (singular.length > 5 && singular.endsWith('ied')) return `${singular.slice(0, -3)}y`;
  if (singular.length > 6 && /[st]ion$/.test(singular) && !ownWords.has(singular)) {
    return bare(singular.slice(0, -3));
  }
  if (singular.length > 6 && singular.endsWith('ly')) return bare(singular.slice(0, -2));
  if (singular.length > 5 && singular.endsWith('ing')) return bare(singular.slice(0, -3));
  if (singular.length > 4 && singular.endsWith('ed')) return bare(singular.slice(0, -2));
  return bare(singular);
}

const mostWords = 4_000;
/** Nouns that keep their ending: without it, `location` would have the same stem as `locate`. */
const ownWords = new Set(['location', 'station', 'mention', 'section', 'position', 'question']);
const wordPattern = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+|\p{N}+/gu;

function withoutPlural(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  const isPlural = word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word);
  return isPlural ? word.slice(0, -1) : word;
}

/** Removes a final e, or reduces a doubled final consonant to a single one. */
function bare(word: string): string {
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1);
  const last = word.at(-1);
  const isDoubled = word.length > 3 && last === word.at(-2) && /[bdgmnprt]/.test(last ?? '');
  return isDoubled ? word.slice(0, -1) : word;
}

const commonWords: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from get give had has have ' +
    'hello hey hi how i if in into is it its just kindly like may me more must my need no not now of on one or our out ' +
    'please s should so some t tell thank thanks that the their them then there these they this those to up us use ' +
    'using want was we were what when where which who why will with would you your ' +
    'aren couldn d didn doesn don hadn hasn haven isn ll m re shouldn ve wasn weren won wouldn'
  ).split(' '),
);
