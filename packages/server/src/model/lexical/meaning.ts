/**
 * What a request speaks of, and by how much each word counts: its own words in full; words inside of quoted text, paths
 * and addresses, which are values and seldom name a tool, by less; and so do words that mean the same, and the kinds of
 * value that stand in it. Numbers written as words are values and name no tool.
 */
import { type Finding, type FindingKind, findingsIn, numberWords } from './findings.ts';
import { nearWord } from './near-words.ts';
import { withPhrasesAsVerbs } from './phrases.ts';
import { meantBy, synonymShare, synonymsOf } from './synonyms.ts';
import { stemOf, stemsOf } from './words.ts';

export interface Vocabulary {
  readonly toolsWith: ReadonlyMap<string, number>;
  readonly nameStems: ReadonlySet<string>;
  /** What the tools do, by the first words of their names and descriptions. */
  readonly actions: ReadonlySet<string>;
}

export interface Meaning {
  readonly shares: ReadonlyMap<string, number>;
  /** What shall be done: the first word that some tool does, or that means the same. */
  readonly asked: string | undefined;
  /** Words that mean the same as that. */
  readonly meant: readonly string[];
  /** Asks for something that is there already, so nothing shall be changed. */
  readonly isQuestion: boolean;
}

export function meaningOf(known: Vocabulary, request: string): Meaning {
  const findings = findingsIn(request);
  const said = withPhrasesAsVerbs(withoutValues(request, findings));
  const own = [...new Set(stemsOf(said, mostWords))].filter(
    (stem) => !numberStems.has(stem) && !/^\p{L}$/u.test(stem),
  );
  const shares = new Map<string, number>(own.map((stem) => [stem, 1]));
  const imply = (stem: string, share: number) => {
    shares.set(stem, Math.max(shares.get(stem) ?? 0, share));
  };
  for (const stem of own.slice(0, mostUnknownWords)) {
    if (known.toolsWith.has(stem) || synonymsOf(stem).length > 0) continue;
    const near = nearWord(stem, known.nameStems);
    if (near !== undefined) imply(near, synonymShare);
  }
  for (const stem of own) {
    // Where a tool uses the very word, others are meant less by it.
    const share = known.actions.has(stem) ? synonymShare / 2 : synonymShare;
    for (const other of meantBy(stem, known.actions)) imply(other, share);
  }
  for (const finding of findings) {
    for (const stem of stemsOfValue(finding)) imply(stem, synonymShare);
  }
  if (findings.filter(({ kind }) => kind === 'path').length > 1) imply(severalStem, synonymShare);
  for (const stem of stemsOf(valuesOf(request, findings), mostWords)) imply(stem, valueShare);
  const asked = own.find((stem) =>
    [stem, ...meantBy(stem, known.actions)].some((one) => known.actions.has(one)),
  );
  const meant = asked === undefined ? [] : meantBy(asked, known.actions);
  return { shares, asked, meant, isQuestion: questionPattern.test(said) };
}

const mostWords = 500;
const mostUnknownWords = 100;
/** How much a word counts that is a part of a value. */
const valueShare = 0.3;
const numberStems = new Set(numberWords.map(stemOf));

/** At the start of a sentence; `could you` and `is it possible` ask politely for an action. */
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

const stemsOfKind: Readonly<Partial<Record<FindingKind, readonly string[]>>> = {
  path: ['path', 'file'].map(stemOf),
  glob: ['pattern'].map(stemOf),
  url: ['url'].map(stemOf),
  email: ['email'].map(stemOf),
  date: ['date'].map(stemOf),
  time: ['time'].map(stemOf),
};

function stemsOfValue({ kind, value }: Finding): readonly string[] {
  return [...(stemsOfKind[kind] ?? []), ...(kind === 'path' ? stemsOfPath(String(value)) : [])];
}

/** The ending of a file tells what is in it; what has none may be a folder. */
function stemsOfPath(path: string): readonly string[] {
  const ending = /\.(\w{1,5})$/.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) return folderStems;
  if (/^(png|jpe?g|gif|webp|svg|bmp)$/.test(ending)) return imageStems;
  return /^(mp3|wav|ogg|flac|m4a)$/.test(ending) ? audioStems : textStems;
}

const severalStem = stemOf('multiple');
const folderStems = ['directory'].map(stemOf);
const imageStems = ['image', 'media'].map(stemOf);
const audioStems = ['audio', 'media'].map(stemOf);
const textStems = ['text'].map(stemOf);
