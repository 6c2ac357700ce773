/**
 * Finds the values in a request: quoted text, addresses, paths, dates, identifiers, numbers and
 * names. Each stretch of text is at most one value, of the first kind that matches. Every pattern
 * runs in time linear in the length of the request.
 */
import { askingStems, changingStems } from './word-lists.ts';
import { stemOf, wordsOf } from './words.ts';

export type FindingKind =
  | 'quoted'
  | 'url'
  | 'email'
  | 'glob'
  | 'path'
  | 'date'
  | 'time'
  | 'identifier'
  | 'number'
  | 'name';

export interface Finding {
  readonly kind: FindingKind;
  readonly value: string | number;
  readonly start: number;
  readonly end: number;
}

export function findingsIn(request: string): Finding[] {
  const found: Finding[] = [];
  const taken = new Uint8Array(request.length);
  for (const [kind, pattern, read] of patterns) {
    for (const match of request.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (found.length >= mostFindings || taken.subarray(match.index, end).includes(1)) continue;
      const value = read(match, request);
      if (value === undefined) continue;
      const start = kind === 'name' ? end - String(value).length : match.index;
      taken.fill(1, start, end);
      found.push({ kind, value, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

export interface Pair {
  readonly key: string;
  readonly value: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/**
 * Returns the pairs `key: value` and `key=value`; a value ends at a comma, a semicolon or the end
 * of the line, unless it is quoted.
 */
export function pairsIn(request: string): Pair[] {
  const found: Pair[] = [];
  const pattern = new RegExp(pairPattern);
  for (let tries = 0; tries < mostFindings; tries += 1) {
    const match = pattern.exec(request);
    if (match === null) break;
    const [all, name = '', key = '', quoted = '', , plain = ''] = match;
    // The word may not be the name of a parameter, and the text after it may contain another pair.
    // So the search continues right after the word.
    pattern.lastIndex = match.index + name.length;
    const value = quoted === '' ? plain.trim().replace(/[.!?]$/, '') : quoted.slice(1, -1);
    if (value === '') continue;
    const end = match.index + all.length;
    found.push({ key, value, start: match.index, valueStart: pattern.lastIndex, end });
  }
  return found;
}

const mostFindings = 200;
const askingWords = new Set([...askingStems, ...changingStems]);
const pairPattern =
  /(?<![\p{L}\p{N}_-])((\p{L}[\p{L}\p{N}_-]{0,40})\s{0,2}[:=](?!\/\/))\s{0,2}(("|'|`)[^"'`\n]{1,500}\4|)([^,;\n"'`]{0,500})/gu;

type Read = (match: RegExpMatchArray, request: string) => string | number | undefined;

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const monthNames = months.join('|');
export const numberWords =
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const inner: Read = (match) => match[0].slice(1, -1).trim() || undefined;
const whole: Read = (match) => match[0];

const patterns: readonly (readonly [FindingKind, RegExp, Read])[] = [
  ['quoted', /"[^"\n]{1,2000}"|“[^“”\n]{1,2000}”|«[^«»\n]{1,2000}»|`[^`\n]{1,2000}`/gu, inner],
  ['quoted', /(?<![\p{L}\p{N}])'[^'\n]{1,2000}'(?![\p{L}\p{N}])/gu, inner],
  ['url', /https?:\/\/[^\s<>"]{1,2000}/gu, (match) => match[0].replace(/[.,;:!?)]$/, '')],
  ['email', /(?<![\p{L}\p{N}._+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gu, whole],
  ['glob', /(?<![^\s"'(])[\w./~-]{0,200}\*[\w./*{}?-]{0,200}/gu, unended],
  // Matches /a/b, ./a, ~/a, a/b, C:\a, and a name with an extension. It also matches `and/or`,
  // which does no harm since no parameter asks for such a path.
  ['path', /(?<![\w./~-])(?:~|\.{1,2})?\/[\w.@+-]{1,100}(?:\/[\w.@+-]{1,100}){0,30}\/?/gu, unended],
  ['path', /(?<![\w./~-])[\w@-][\w.@+-]{0,99}(?:\/[\w.@+-]{1,100}){1,30}\/?/gu, unended],
  ['path', /(?<![\w])[A-Za-z]:\\[\w.\\-]{1,400}/gu, unended],
  [
    'path',
    /(?<![\w./@-])[\w-]{1,100}(?:\.[\w-]{1,40}){0,3}\.[A-Za-z]\w{0,5}(?![\w/@-])/gu,
    fileName,
  ],
  [
    'date',
    /(?<!\d)\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?)?/gu,
    whole,
  ],
  [
    'date',
    new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)? (${monthNames}),? (\\d{4})`, 'giu'),
    (match) => isoDate(match[3], match[2], match[1]),
  ],
  [
    'date',
    new RegExp(`(?<!\\p{L})(${monthNames}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})`, 'giu'),
    (match) => isoDate(match[3], match[1], match[2]),
  ],
  ['time', /(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])/gu, whole],
  [
    'identifier',
    /(?<![\p{L}\p{N}_#-])(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[A-Za-z0-9]{1,40}(?:[-_][A-Za-z0-9]{1,40}){0,8}(?![\p{L}\p{N}_-])/gu,
    whole,
  ],
  [
    'identifier',
    /(?<![\p{L}\p{N}_])\p{L}[\p{L}\p{N}]{0,40}(?:_[\p{L}\p{N}]{1,40}){1,8}(?![\p{L}\p{N}_])/gu,
    whole,
  ],
  [
    'number',
    /(?<![\p{L}\p{N}_.,-])-?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,12})?(?![\p{L}\p{N}_])/gu,
    (match) => Number(match[0].replaceAll(',', '')),
  ],
  [
    'number',
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${numberWords.join('|')})(?![\\p{L}\\p{N}])`, 'giu'),
    (match) => numberWords.indexOf(match[0].toLowerCase()),
  ],
  [
    'name',
    /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]{0,40}(?: \p{Lu}[\p{L}\p{N}]{0,40}){0,5}/gu,
    properName,
  ],
];

/** Returns the match without the punctuation that ends a sentence. */
function unended(match: RegExpMatchArray): string {
  return match[0].replace(/[.,;:!?]+$/, '');
}

/** Rejects `e.g` and `3.5kg`, which look like file names. */
function fileName(match: RegExpMatchArray): string | undefined {
  return /^\d|^\w\.\w$/.test(match[0]) ? undefined : match[0];
}

/**
 * Returns the match if it is a proper name. At the start of a sentence, a capital letter proves
 * nothing. There the word must be all capitals or be followed by another capitalized word.
 */
function properName(match: RegExpMatchArray, request: string): string | undefined {
  const [name] = match;
  const before = request.slice(Math.max(0, (match.index ?? 0) - 3), match.index).trimEnd();
  const startsSentence = (match.index ?? 0) === 0 || /[.!?:\n]$/.test(before);
  if (!startsSentence || /^\p{Lu}{2,6}$/u.test(name)) return name === 'I' ? undefined : name;
  const space = name.indexOf(' ');
  if (space < 0)
    return isSubject(name, request.slice((match.index ?? 0) + name.length)) ? name : undefined;
  const isAsking = askingWords.has(stemOf(name.slice(0, space).toLowerCase()));
  return isAsking ? name.slice(space + 1) : undefined;
}

/** Returns whether a word is a subject, as in `Ada is here` and `Ada knows_of Grace`. */
function isSubject(name: string, behind: string): boolean {
  const [word] = wordsOf(name, 1);
  if (word === undefined || word.isCommon || askingWords.has(word.stem)) return false;
  return /^ (?:(?:is|was|has|had|no longer)\b|\p{Ll}{1,20}_\p{Ll})/u.test(behind.slice(0, 40));
}

function isoDate(year = '', month = '', day = ''): string | undefined {
  const number = months.indexOf(month.toLowerCase()) + 1;
  if (Number(day) < 1 || Number(day) > 31) return undefined;
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
