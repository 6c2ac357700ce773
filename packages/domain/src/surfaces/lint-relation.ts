/**
 * Reports a description that shares no word with the tool's name and parameters. Words count as
 * equal if one contains the other or both begin with the same four letters, as `issue` and
 * `issues`. A description mostly in another script than Latin is not compared.
 */
import type { Json } from '../kernel/json.ts';
import { type ToolFault, toolFault } from './lint-rules.ts';
import type { ToolParameter } from './tool-parameters.ts';
import { wordsOfName, wordsOfText } from './word-overlap.ts';

const fewestWords = 4;
/**
 * The maximum number of words from parameters to compare. Each is compared with each word of the
 * description.
 */
const mostWords = 2_000;
const mostDescribed = 200;

export function lintRelation(
  tool: Json,
  parameters: readonly ToolParameter[],
  otherTools: ReadonlySet<string>,
): ToolFault[] {
  const { name, title, description } = tool;
  if (typeof description !== 'string') return [];
  const words = longWords(wordsOfText(description));
  const latin = words.filter((word) => /^[a-z]+$/.test(word));
  if (latin.length < fewestWords || latin.length < words.length / 2) return [];
  const texts = parameters.slice(0, mostDescribed).map(({ schema }) => schema['description']);
  const own = longWords([
    ...namedWords([name, title, ...parameters.map((one) => one.name)]),
    ...texts.flatMap((text) => [...wordsOfText(text)]),
  ]).slice(0, mostWords);
  const isUnrelated =
    own.length < fewestWords
      ? isOfOtherSubject({ name, own, words }, otherTools)
      : !areAkin(own, words);
  if (!isUnrelated) return [];
  const message = 'The description shares no word with the name or the parameters.';
  return [toolFault('description-unrelated', '/description', message)];
}

const fewestTelling = 3;
const mostNames = 500;

interface FewWords {
  readonly name: unknown;
  readonly own: readonly string[];
  readonly words: readonly string[];
}

/**
 * Judges a tool with few words. A name of one or two words is often paraphrased in the description.
 * So two conditions must hold: the server has another tool with a word of this name, and an English
 * description shares no significant word with any name.
 */
function isOfOtherSubject(
  { name, own, words }: FewWords,
  otherTools: ReadonlySet<string>,
): boolean {
  const telling = words.filter(isTelling);
  const isEnglish = words.some((word) => englishWords.has(word));
  if (!isEnglish || telling.length < fewestTelling) return false;
  const names = [...otherTools].filter((other) => other !== name).slice(0, mostNames);
  const ofServer = longWords(namedWords(names)).filter(isTelling);
  const subject = longWords(namedWords([name])).filter(isTelling);
  return areAkin(subject, ofServer) && !areAkin([...own.filter(isTelling), ...ofServer], telling);
}

const englishWords = new Set('the for and with from this that into its all two between'.split(' '));
const genericWords = new Set(
  (
    'get gets list lists show shows read reads view find finds search fetch query retrieve return returns create make add ' +
    'new update delete remove send run use check count describe lookup tool data item items api mcp name names value type ' +
    'kind info details result results input output limit page are can will given which what when where how one used using ' +
    'not has have been more most other each per via your any these those'
  ).split(' '),
);

function isTelling(word: string): boolean {
  return !genericWords.has(word) && !englishWords.has(word);
}

function namedWords(names: readonly unknown[]): string[] {
  return names.flatMap((one) => (typeof one === 'string' ? wordsOfName(one) : []));
}

function longWords(words: Iterable<string>): string[] {
  return [...words].filter((word) => word.length > 2);
}

function areAkin(some: readonly string[], others: readonly string[]): boolean {
  return others.some((other) => some.some((one) => isAkin(one, other)));
}

function isAkin(one: string, other: string): boolean {
  if (one === other || one.slice(0, 4) === other.slice(0, 4)) return true;
  return one.length > 3 && other.length > 3 && (one.includes(other) || other.includes(one));
}
