/**
 * Weights the words of a request. Words outside of values count fully. Words inside of quoted text,
 * paths and addresses count less, since values seldom name a tool. Synonyms count less too, and so
 * do words for the kinds of value in the request (for example `file` for a path). Numbers written
 * as words are values and name no tool.
 */
import { type Finding, type FindingKind, findingsIn, numberWords } from './findings.ts';
import { meantBy, synonymShare, synonymsOf } from './synonyms.ts';
import { lightStems } from './word-lists.ts';
import { stemOf, stemsOf } from './words.ts';

export interface Vocabulary {
  readonly toolsWith: ReadonlyMap<string, number>;
  readonly nameStems: ReadonlySet<string>;
  /** The actions of the tools: the first words of their names and descriptions. */
  readonly actions: ReadonlySet<string>;
}

export interface WeightedWords {
  readonly shares: ReadonlyMap<string, number>;
  /** Each word of the request, with the other words it may mean. */
  readonly meanings: ReadonlyMap<string, readonly string[]>;
  /**
   * True if the request contains a value other than a name. A name may be mentioned in passing; any
   * other value is probably an argument for a tool.
   */
  readonly hasValues: boolean;
  /**
   * The requested action: the first word of the request that is an action of a tool, or a synonym
   * of such an action.
   */
  readonly asked: string | undefined;
  readonly meant: readonly string[];
  /**
   * True for a question about existing objects. A tool that changes data does not fit such a
   * question.
   */
  readonly isQuestion: boolean;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the rules of one meaning in the order in which they add to the same words.
export function meaningOf(known: Vocabulary, request: string): WeightedWords {
  const findings = findingsIn(request);
  const text = withPhrasesAsVerbs(withoutValues(request, findings));
  const stems = stemsOf(text, mostWords).map((stem) =>
    stem === insideStem && findings.some(isFolder) ? listStem : stem,
  );
  const own = [...new Set(stems)].filter(
    (stem) => !numberStems.has(stem) && !/^\p{L}$/u.test(stem),
  );
  const shares = new Map<string, number>(
    own.map((stem) => [stem, lightStems.has(stem) ? synonymShare : 1]),
  );
  const meanings = new Map<string, string[]>(own.map((stem) => [stem, [stem]]));
  const imply = (stem: string, share: number, by?: string) => {
    shares.set(stem, Math.max(shares.get(stem) ?? 0, share));
    if (by !== undefined) meanings.get(by)?.push(stem);
  };
  for (const stem of own.slice(0, mostUnknownWords)) {
    if (known.toolsWith.has(stem) || synonymsOf(stem).length > 0) continue;
    const near = nearWord(stem, known.nameStems);
    if (near !== undefined) imply(near, synonymShare, stem);
  }
  for (const stem of own) {
    // If a tool has exactly this word as its action, the synonyms of the word count less.
    const share = known.actions.has(stem) ? synonymShare / 2 : synonymShare;
    for (const other of meantBy(stem, known.actions)) imply(other, share, stem);
  }
  for (const finding of findings) {
    for (const [stem, share] of stemsOfValue(finding)) imply(stem, share);
  }
  if (findings.filter(({ kind }) => kind === 'path').length > 1) imply(severalStem, synonymShare);
  for (const stem of stemsOf(valuesOf(request, findings), mostWords)) imply(stem, valueShare);
  const asked = own.find((stem) =>
    [stem, ...meantBy(stem, known.actions)].some((one) => known.actions.has(one)),
  );
  const meant = asked === undefined ? [] : meantBy(asked, known.actions);
  const isQuestion = questionPattern.test(text);
  if (isQuestion && /\babout\b/i.test(text)) imply(searchStem, synonymShare);
  const hasValues = findings.some(({ kind }) => kind !== 'name');
  return { shares, meanings, hasValues, asked, meant, isQuestion };
}

const mostWords = 500;
const mostUnknownWords = 100;
/** The weight of a word inside a value. */
const valueShare = 0.3;
const numberStems = new Set(numberWords.map(stemOf));

/**
 * Matches a question word at the start of a sentence. `do you mind` and `is it possible` are
 * excluded, since they are polite requests for an action.
 */
const questionPattern =
  /(?:^|[.!?,;]\s{1,3})(?:what|which|who|whose|where|when|why|how|(?:is|are|was|were|do|does|did|has|have)(?! (?:you mind|it possible))|any|anything)\b/iu;

function isWrittenAsValue({ kind }: Finding): boolean {
  return kind !== 'name' && kind !== 'number' && kind !== 'identifier';
}

function withoutValues(request: string, findings: readonly Finding[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of findings.filter(isWrittenAsValue)) {
    rest += `${request.slice(from, start)} `;
    from = end;
  }
  return rest + request.slice(from);
}

function valuesOf(request: string, findings: readonly Finding[]): string {
  return findings
    .filter(isWrittenAsValue)
    .map(({ start, end }) => request.slice(start, end))
    .join(' ');
}

type Implied = readonly (readonly [stem: string, share: number])[];

const stemsOfKind: Readonly<Partial<Record<FindingKind, Implied>>> = {
  glob: implied('pattern'),
  url: implied('url'),
  email: implied('email'),
  date: implied('date'),
  time: implied('time'),
};

function stemsOfValue({ kind, value }: Finding): Implied {
  return kind === 'path' ? stemsOfPath(String(value)) : (stemsOfKind[kind] ?? []);
}

function isFolder({ kind, value }: Finding): boolean {
  return kind === 'path' && endingOf(String(value)) === undefined;
}

function endingOf(path: string): string | undefined {
  return /\.(\w{1,5})$/.exec(path)?.[1]?.toLowerCase();
}

/**
 * Returns words that a path implies. A file's extension shows its content; a path without an
 * extension may just as well be a folder.
 */
function stemsOfPath(path: string): Implied {
  const ending = endingOf(path);
  if (ending === undefined) return ofFolder;
  if (/^(png|jpe?g|gif|webp|svg|bmp)$/.test(ending)) return ofImage;
  return /^(mp3|wav|ogg|flac|m4a)$/.test(ending) ? ofAudio : ofText;
}

const severalStem = stemOf('multiple');
const insideStem = stemOf('inside');
const listStem = stemOf('list');
const searchStem = stemOf('search');
const ofFolder = [...implied('path directory'), ...implied('file', synonymShare / 2)];
const ofImage = implied('path file image media');
const ofAudio = implied('path file audio media');
const ofText = [...implied('path file'), ...implied('text', synonymShare / 2)];

function implied(words: string, share = synonymShare): Implied {
  return words.split(' ').map((word) => [stemOf(word), share]);
}

/**
 * Recognizes misspelled words: a letter too many, too few, changed or swapped with its neighbour,
 * or a word cut short.
 */

/**
 * Returns the first known word that is nearly the same; undefined for short words, since too many
 * of those resemble each other.
 */
function nearWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length < 4) return undefined;
  for (const other of known) {
    if (other.length >= 4 && other[0] === word[0] && isNear(word, other)) return other;
  }
  return undefined;
}

function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.startsWith(short)) return true;
  if (long.length - short.length > 1 || short.length < 5) return false;
  let at = 0;
  while (short[at] === long[at]) at += 1;
  const rest = (text: string, from: number) => text.slice(from);
  if (long.length > short.length) return rest(short, at) === rest(long, at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return rest(short, at + (isSwapped ? 2 : 1)) === rest(long, at + (isSwapped ? 2 : 1));
}

/**
 * Replaces phrases of several words by a verb, since a phrase means something else than its single
 * words: `get rid of` means neither `get` nor `of`.
 */
function withPhrasesAsVerbs(text: string): string {
  let replaced = text;
  for (const [pattern, verb] of phrases) replaced = replaced.replace(pattern, ` ${verb} `);
  return replaced;
}

const phrases: readonly (readonly [RegExp, string])[] = [
  ['get(?:ting)? rid of|(?:take|throw|cross) (?:it |that |this |them )?(?:off|out|away)', 'delete'],
  ['do away with|no longer (?:need|want)(?:ed)?', 'delete'],
  ['(?:do|did|does) (?:you|we) (?:remember|know|have)', 'search'],
  ['(?:can.?t|cannot|don.?t) remember', 'search'],
  ['(?:allowed|permitted) to \\p{L}{1,20}(?: at| into)?', 'allow'],
  ['look(?:ing)? at', 'view'],
  ['(?:look|go|comb) through|look(?:ing)? (?:up|for)', 'search'],
  ['(?:dig|look) (?:deep )?into|find out (?:about|all)|read up on', 'research'],
  ['(?:pull|bring|call) up', 'open'],
  ['set(?:ting)? up|i need an?|put together|come up with', 'create'],
  ['(?:write|jot|note) down|keep in mind|make a note', 'note'],
  ['what.?s (?:in|inside)|what (?:is|are|stands) (?:in|inside)', 'inside'],
  ['(?:unlink|disconnect|detach)', 'delete link'],
  ['(?<=^ ?|please |you )(?:link|connect|relate|tie)', 'create link'],
  ['kick off|set off', 'start'],
  ['(?:right|just) now|at (?:the|this) moment', 'moment'],
  ['how many', 'count'],
].map(([pattern, verb]) => [
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'giu'),
  verb as string,
]);
