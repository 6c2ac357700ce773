/**
 * Ranks the tools for a request by BM25 over the words of each tool. The name counts three times,
 * the description and the parameter names once, and the parameter descriptions half.
 * - The rarity of a word is calculated as if ten more tools were listed, so that the same score
 *   threshold suits short lists too.
 * - Tools with equal scores are sorted by name.
 * - After the word limit of a list is reached, further tools count only by their names.
 * - A tool that only everyday words support does not fit.
 * - A tool whose description does not fit its name is marked.
 */
import type { ModelTool } from '../model-gateway.ts';
import { misdescribedTools } from './misdescribed.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { synonymShare, synonymsOf } from './synonyms.ts';
import { meaningOf, type Vocabulary, type WeightedWords } from './weighted-words.ts';
import { changingStems, everydayStems, lightStems, talkStems } from './word-lists.ts';
import { stemOf, stemsOf, wordsOf } from './words.ts';

/**
 * The lowest score at which a tool fits a request: about one meaningful word of its description.
 */
export const fitThreshold = 2;

export interface ToolIndex extends Vocabulary {
  readonly documents: readonly ToolDocument[];
  readonly averageLength: number;
}

export interface ToolDocument {
  readonly tool: ModelTool;
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
  /**
   * The first distinguishing word of the name, and that of the description: usually the tool's
   * action.
   */
  readonly actions: readonly string[];
  readonly isDeprecated: boolean;
  /** Whether the description is about something else than the name. */
  readonly isMisdescribed: boolean;
}

export interface RankedTool {
  readonly tool: ModelTool;
  /** Whether the description is about something else than the name. */
  readonly isMisdescribed: boolean;
  readonly score: number;
}

export function indexTools(tools: readonly ModelTool[]): ToolIndex {
  const sorted = [...tools].sort((a, b) => compare(a.name, b.name)).slice(0, mostTools);
  const budget = { parameters: mostParameters, words: mostIndexedWords };
  const things = wordsOfThings(sorted);
  const misdescribed = misdescribedTools(sorted);
  const documents = sorted.map((tool) => ({
    ...documentOf(tool, things, budget),
    isMisdescribed: misdescribed.has(tool),
  }));
  const toolsWith = new Map<string, number>();
  let length = 0;
  for (const document of documents) {
    length += document.length;
    for (const stem of document.weights.keys()) toolsWith.set(stem, (toolsWith.get(stem) ?? 0) + 1);
  }
  const actions = new Set(documents.flatMap((document) => document.actions));
  const nameStems = new Set(
    sorted.slice(0, mostNames).flatMap(({ name }) => stemsOf(name, mostNameWords)),
  );
  const averageLength = Math.max(1, length / documents.length || 0);
  return { documents, toolsWith, nameStems, actions, averageLength };
}

export function rankTools(index: ToolIndex, request: string): RankedTool[] {
  const meaning = meaningOf(index, request);
  const spelled = new Set(wordsOf(request, mostRequestWords).map(({ plain }) => plain));
  const ranked = index.documents.map((document) => {
    const score =
      (scoreOf(index, document, meaning.shares) +
        bonusOf(document, meaning, { request, spelled })) *
      doubtOf(document, meaning);
    const isTalk = score >= fitThreshold && isEverydayTalk(document, meaning, request);
    const { tool, isMisdescribed } = document;
    return { tool, isMisdescribed, score: isTalk ? score * talkShare : score };
  });
  return ranked.sort((a, b) => b.score - a.score || compare(a.tool.name, b.tool.name));
}

const mostTools = 5_000;
/** Unknown words of a request are compared with at most this many tool names. */
const mostNames = 500;
/** The maximum number of parameters, over all tools together. */
const mostParameters = 10_000;
const mostIndexedWords = 100_000;
const mostParametersOfTool = 60;
const mostNameWords = 40;
const mostDescriptionWords = 300;
const mostParameterWords = 40;
const longestText = 8_000;
const saturation = 1.2;
const lengthShare = 0.5;
const unseenTools = 10;

function scoreOf(
  index: ToolIndex,
  document: ToolDocument,
  stems: ReadonlyMap<string, number>,
): number {
  const count = index.documents.length + unseenTools;
  const relativeLength = 1 - lengthShare + (lengthShare * document.length) / index.averageLength;
  let score = 0;
  for (const [stem, share] of stems) {
    const weight = document.weights.get(stem);
    if (weight === undefined) continue;
    const having = index.toolsWith.get(stem) ?? 0;
    const rarity = Math.log(1 + (count - having + 0.5) / (having + 0.5));
    score += (share * rarity * weight * (saturation + 1)) / (weight + saturation * relativeLength);
  }
  return score;
}

/**
 * Returns the bonus of a tool: a large one if the request has its exact name, small ones if it
 * has the words of the name and if its action is requested.
 */
function bonusOf(
  document: ToolDocument,
  meaning: WeightedWords,
  { request, spelled }: { request: string; spelled: ReadonlySet<string> },
): number {
  const { name } = document.tool;
  if (isNamedIn(request, name)) return nameBonus;
  return (isSpelledIn(spelled, name) ? spellingBonus : 0) + actionBonusOf(document, meaning);
}

function actionBonusOf(document: ToolDocument, meaning: WeightedWords): number {
  const { actions } = document;
  const { asked, meant } = meaning;
  if (asked === undefined || isUnasked(document, meaning)) return 0;
  if (actions.includes(asked)) return actionBonus;
  return actions.some((action) => meant.includes(action)) ? actionBonus * synonymShare : 0;
}

function doubtOf(document: ToolDocument, meaning: WeightedWords): number {
  const isDoubtful = isUnasked(document, meaning);
  return (isDoubtful ? unaskedShare : 1) * (document.isDeprecated ? deprecatedShare : 1);
}

/**
 * Returns whether the tool would do something unrequested: change something although the request is
 * a question, or delete something although the request does not mention it.
 */
function isUnasked(
  { actions: [action = ''] }: ToolDocument,
  { isQuestion, shares }: WeightedWords,
) {
  return (
    (isQuestion && changingStems.has(action)) || (deletingStems.has(action) && !shares.has(action))
  );
}

/**
 * Returns whether only words of everyday talk support the tool. An everyday word in the tool's name
 * counts as real support, unless the word is in `talkStems`.
 */
function isEverydayTalk({ tool, weights }: ToolDocument, meaning: WeightedWords, request: string) {
  if (meaning.hasValues || isNamedIn(request, tool.name)) return false;
  const ofName = new Set(stemsOf(tool.name, mostNameWords));
  for (const [stem, meant] of meaning.meanings) {
    if (!meant.some((one) => weights.has(one)) || talkStems.has(stem)) continue;
    if (!everydayStems.has(stem) || ofName.has(stem)) return false;
  }
  return true;
}

/**
 * Returns whether the request contains each word of the name in the same spelling. `monitor check`
 * matches `monitor_check` but not `monitor_checks`, although their stems are equal.
 */
function isSpelledIn(spelled: ReadonlySet<string>, name: string): boolean {
  return wordsOf(name, mostNameWords).every(({ plain }) => spelled.has(plain));
}

/**
 * Returns whether the request contains the tool's name as a separate word. Only names with `_` or
 * `-` count, since any other name may be an ordinary word of the sentence.
 */
function isNamedIn(request: string, name: string): boolean {
  if (name.length <= 3 || !/[_-]/.test(name)) return false;
  const at = request.indexOf(name);
  if (at < 0) return false;
  const isPart = (character: string | undefined) => /[\w-]/.test(character ?? ' ');
  return !isPart(request[at - 1]) && !isPart(request[at + name.length]);
}

const nameBonus = 20;
const mostRequestWords = 500;
const spellingBonus = 0.5;
const actionBonus = 2;
const onlyVerbs = new Set(
  'add create delete edit execute insert merge remove send update write'.split(' ').map(stemOf),
);
const deletingStems = new Set([stemOf('delete'), ...synonymsOf(stemOf('delete'))]);
const unaskedShare = 0.75;
const deprecatedShare = 0.9;
/**
 * The factor for tools that only everyday talk supports: it puts every score below the threshold
 * and keeps their order.
 */
const talkShare = 0.001;

/**
 * Returns those first words of tool names that are no action: a word with which most names begin
 * (`git_status`, `git_log`), or one that occurs later in another name (`weather_alerts`,
 * `current_weather`). A verb that is no noun stays an action: `create_or_update_file` beside
 * `update_issue`.
 */
function wordsOfThings(tools: readonly ModelTool[]): ReadonlySet<string> {
  const firsts = new Map<string, number>();
  const things = new Set<string>();
  for (const { name } of tools) {
    const [first, ...others] = stemsOf(name, mostNameWords);
    if (first !== undefined) firsts.set(first, (firsts.get(first) ?? 0) + 1);
    for (const stem of others) if (!onlyVerbs.has(stem)) things.add(stem);
  }
  const isShared = (count: number) => tools.length > 2 && count > tools.length / 2;
  for (const [stem, count] of firsts) if (isShared(count)) things.add(stem);
  return things;
}

function documentOf(
  tool: ModelTool,
  things: ReadonlySet<string>,
  budget: { parameters: number; words: number },
): Omit<ToolDocument, 'isMisdescribed'> {
  const weights = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number, most: number) => {
    const stems = stemsOf(text.slice(0, longestText), most);
    budget.words -= stems.length;
    for (const stem of stems) {
      weights.set(stem, (weights.get(stem) ?? 0) + weight);
      length += weight;
    }
  };
  add(tool.name, 3, mostNameWords);
  if (budget.words > 0) add(tool.description ?? '', 1, mostDescriptionWords);
  const most = Math.min(budget.parameters, mostParametersOfTool);
  const parameters = budget.words > 0 ? parametersOf(tool.inputSchema, most) : [];
  budget.parameters -= parameters.length;
  for (const parameter of parameters) {
    if (budget.words <= 0) break;
    add(parameter.name, 1, mostNameWords);
    add(wordsOfParameter(parameter), 0.5, mostParameterWords);
  }
  const description = (tool.description ?? '').slice(0, longestText);
  const ofName = stemsOf(tool.name, mostNameWords);
  const first = things.has(ofName[0] ?? '') ? ofName[1] : ofName[0];
  const actions = [first, verbOf(description, things)].filter((stem) => stem !== undefined);
  return { tool, weights, length, actions, isDeprecated: /\bdeprecated\b/i.test(description) };
}

/**
 * Returns the first word of a description if it is an action: `Fetches a page` and `Commit what is
 * staged` begin with an action, `Weather of the coming days` does not.
 */
function verbOf(description: string, things: ReadonlySet<string>): string | undefined {
  const [first] = wordsOf(description, 1);
  if (first === undefined || first.isCommon || lightStems.has(first.stem)) return undefined;
  return first.plain.endsWith('s') || !things.has(first.stem) ? first.stem : undefined;
}

function wordsOfParameter({ description, choices }: Parameter): string {
  return `${description} ${choices.slice(0, 20).join(' ')}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
