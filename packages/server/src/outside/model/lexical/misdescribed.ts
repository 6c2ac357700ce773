/**
 * Decides whether a tool's English description does not fit its name. It must share a word or
 * synonym with the tool's name, a parameter, or the other tools. Only the tool's own name counts if
 * another description fits this name but not its own: the two were then swapped.
 */
import type { ModelTool } from '../model-gateway.ts';
import { parametersOf } from './parameters.ts';
import { synonymsOf } from './synonyms.ts';
import { everydayStems, talkStems } from './word-lists.ts';
import { stemOf, stemsOf } from './words.ts';

export function misdescribedTools(tools: readonly ModelTool[]): ReadonlySet<ModelTool> {
  const judged = tools.slice(0, mostJudged).map(subjectOf);
  const strangers = judged.filter(
    ({ name, descriptionWords }) =>
      name.size > 0 && descriptionWords.size > 0 && !shares(name, descriptionWords),
  );
  const swapped = strangers.filter((one) =>
    strangers.some((other) => other !== one && shares(one.name, other.descriptionWords)),
  );
  const ofServer = new Set(
    judged.flatMap(({ name, parameters }) => [...name, ...telling(parameters)]),
  );
  const found = strangers.filter(
    ({ parameters, descriptionWords }) =>
      !shares(parameters, descriptionWords) && !shares(ofServer, descriptionWords),
  );
  return new Set([...found, ...swapped].map(({ tool }) => tool));
}

/** Drops words such as `day`, which descriptions of any subject share with some parameter. */
function telling(parameters: ReadonlySet<string>): string[] {
  return [...parameters].filter((stem) => !talkStems.has(stem));
}

interface Subject {
  readonly tool: ModelTool;
  /**
   * The word stems of the name without generic ones such as `get`. If the name has only generic
   * words, all of them.
   */
  readonly name: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /**
   * The words of an English description without their synonyms; empty if the description is not
   * judged.
   */
  readonly descriptionWords: ReadonlySet<string>;
}

const mostJudged = 500;
const longestRead = 8_000;

function subjectOf(tool: ModelTool): Subject {
  const named = stemsOf(tool.name, 40);
  const things = named.filter((stem) => !genericStems.has(stem));
  const description = (tool.description ?? '').slice(0, longestRead);
  const words = isEnglish(description) ? stemsOf(description, 600) : [];
  const isTelling = words.some((stem) => !everydayStems.has(stem) && !genericStems.has(stem));
  const descriptionWords = isTelling ? words : [];
  const parameters = parametersOf(tool.inputSchema, 60).flatMap(({ name, choices }) => [
    ...stemsOf(name, 20),
    ...choices.slice(0, 20).flatMap((choice) => stemsOf(String(choice), 5)),
  ]);
  return {
    tool,
    name: new Set(things.length > 0 ? things : named),
    parameters: new Set(parameters.filter((stem) => !genericStems.has(stem))),
    descriptionWords: new Set(descriptionWords),
  };
}

/**
 * Synonyms must be equal to a word. If they only had to be related to one, or to its synonyms, the
 * value `sun` of a parameter would fit a description of the weather.
 */
function shares(some: ReadonlySet<string>, descriptionWords: ReadonlySet<string>): boolean {
  return [...some].some(
    (stem) =>
      descriptionWords.has(stem) ||
      synonymsOf(stem).some((one) => descriptionWords.has(one)) ||
      [...descriptionWords].some((one) => isAkin(stem, one)),
  );
}

/**
 * Returns whether two words are related: one begins with or contains the other (`directory` and
 * `dir`, `screenshot` and `shot`), or their first five letters are equal.
 */
function isAkin(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 3) return false;
  if (long.startsWith(short) || (short.length > 3 && long.includes(short))) return true;
  // A common beginning of five letters is a common root: `calculate` and `calculator`.
  return short.length >= 5 && long.startsWith(short.slice(0, 5));
}

function isEnglish(description: string): boolean {
  const words = description.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length >= 3 && words.some((word) => englishWords.has(word));
}

const englishWords = new Set(
  'the of to for and with by from this an a all your two between into its'.split(' '),
);

/** Generic words, which do not show what a tool is about. */
const genericStems = new Set(
  (
    'result get list read show view fetch find search retrieve query describe count check lookup return api mcp tool data item ' +
    'items by all id ids name names limit offset page cursor size count type kind value values key input output query text ' +
    'options format number string first last info details'
  )
    .split(' ')
    .map(stemOf),
);
