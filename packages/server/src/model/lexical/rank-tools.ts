/**
 * Which tool a request means, by BM25 over the words of each tool: its name counts three times, its description and the
 * names of its parameters once, their descriptions half. Rarity is counted as if ten more tools with other words were
 * listed, so that the score of a short list can be held against the same threshold. Equal scores go by name. Of a list
 * that says more than anybody reads, the later tools count by their names alone.
 */
import type { ModelTool } from '../model-gateway.ts';
import { type FindingKind, findingsIn, numberWords } from './findings.ts';
import { nearWord } from './near-words.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { synonymShare, synonymsOf } from './synonyms.ts';
import { stemOf, stemsOf } from './words.ts';

/** A score below this means that no tool fits: about one telling word of a description. */
export const fitThreshold = 2;

export interface ToolIndex {
  readonly documents: readonly ToolDocument[];
  readonly averageLength: number;
  readonly toolsWith: ReadonlyMap<string, number>;
  readonly nameStems: ReadonlySet<string>;
  /** The first words of the tools' names. */
  readonly actions: ReadonlySet<string>;
}

export interface ToolDocument {
  readonly tool: ModelTool;
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
  /** The first word of its name, which most often says what it does. */
  readonly action: string | undefined;
}

export interface RankedTool {
  readonly tool: ModelTool;
  readonly score: number;
}

export function indexTools(tools: readonly ModelTool[]): ToolIndex {
  const sorted = [...tools].sort((a, b) => compare(a.name, b.name)).slice(0, mostTools);
  const budget = { parameters: mostParameters, words: mostIndexedWords };
  const documents = sorted.map((tool) => documentOf(tool, budget));
  const toolsWith = new Map<string, number>();
  let length = 0;
  for (const document of documents) {
    length += document.length;
    for (const stem of document.weights.keys()) toolsWith.set(stem, (toolsWith.get(stem) ?? 0) + 1);
  }
  const actions = new Set(documents.flatMap(({ action }) => action ?? []));
  const nameStems = new Set(
    sorted.slice(0, mostNames).flatMap(({ name }) => stemsOf(name, mostNameWords)),
  );
  const averageLength = Math.max(1, length / documents.length || 0);
  return { documents, toolsWith, nameStems, actions, averageLength };
}

/** The best first. */
export function rankTools(index: ToolIndex, request: string): RankedTool[] {
  const stems = meaningOf(index, request);
  const [asked] = stems.keys();
  const ranked = index.documents.map((document) => ({
    tool: document.tool,
    score: scoreOf(index, document, stems) + bonusOf(document, asked, request),
  }));
  return ranked.sort((a, b) => b.score - a.score || compare(a.tool.name, b.tool.name));
}

const mostTools = 5_000;
/** Held against words that nobody knows. */
const mostNames = 500;
const mostUnknownWords = 100;
/** Of all tools together. */
const mostParameters = 10_000;
const mostIndexedWords = 100_000;
const mostParametersOfTool = 60;
const mostRequestWords = 500;
const mostNameWords = 40;
const mostDescriptionWords = 300;
const mostParameterWords = 40;
const longestText = 8_000;
const saturation = 1.2;
const lengthShare = 0.5;
const unseenTools = 10;

/**
 * What the request speaks of, and by how much each word counts: its own words in full, words that mean the same and the
 * kinds of value that stand in it by less. Numbers written as words are values and name no tool.
 */
function meaningOf(index: ToolIndex, request: string): ReadonlyMap<string, number> {
  const meaning = new Map<string, number>();
  for (const stem of stemsOf(request, mostRequestWords)) {
    if (!numberStems.has(stem)) meaning.set(stem, 1);
  }
  const own = [...meaning.keys()];
  const imply = (stem: string, share: number) => {
    meaning.set(stem, Math.max(meaning.get(stem) ?? 0, share));
  };
  for (const stem of own.slice(0, mostUnknownWords)) {
    if (index.toolsWith.has(stem) || synonymsOf(stem).length > 0) continue;
    const near = nearWord(stem, index.nameStems);
    if (near !== undefined) imply(near, synonymShare);
  }
  for (const stem of own) {
    // Where a tool uses the very word, others are meant less by it.
    const share = index.actions.has(stem) ? synonymShare / 2 : synonymShare;
    for (const other of synonymsOf(stem)) imply(other, share);
  }
  for (const { kind, value } of findingsIn(request)) {
    for (const stem of [...(stemsOfKind[kind] ?? []), ...stemsOfFile(kind, value)]) {
      imply(stem, synonymShare);
    }
  }
  return meaning;
}

const numberStems = new Set(numberWords.map(stemOf));
const stemsOfKind: Readonly<Partial<Record<FindingKind, readonly string[]>>> = {
  path: ['path', 'file'].map(stemOf),
  glob: ['pattern'].map(stemOf),
  url: ['url'].map(stemOf),
  email: ['email'].map(stemOf),
  date: ['date'].map(stemOf),
};

/** The ending of a file tells what is in it. */
function stemsOfFile(kind: FindingKind, value: string | number): readonly string[] {
  if (kind !== 'path') return [];
  const ending = /\.(\w{1,5})$/.exec(String(value))?.[1]?.toLowerCase() ?? '';
  if (/^(png|jpe?g|gif|webp|svg|bmp)$/.test(ending)) return mediaStems;
  return /^(mp3|wav|ogg|flac|m4a)$/.test(ending) ? audioStems : [];
}

const mediaStems = ['image', 'media'].map(stemOf);
const audioStems = ['audio', 'media'].map(stemOf);

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

/** A tool that is called by its very name is meant, and what a request begins with is most often what shall be done. */
function bonusOf(
  { tool, action }: ToolDocument,
  asked: string | undefined,
  request: string,
): number {
  if (isNamedIn(request, tool.name)) return nameBonus;
  if (asked === undefined || action === undefined) return 0;
  if (asked === action) return actionBonus;
  return synonymsOf(asked).includes(action) ? actionBonus * synonymShare : 0;
}

/** As a word of its own, where it is one that no sentence would hold by chance. */
function isNamedIn(request: string, name: string): boolean {
  if (name.length <= 3 || !/[_-]/.test(name)) return false;
  const at = request.indexOf(name);
  if (at < 0) return false;
  const isPart = (character: string | undefined) => /[\w-]/.test(character ?? ' ');
  return !isPart(request[at - 1]) && !isPart(request[at + name.length]);
}

const nameBonus = 20;
const actionBonus = 1.5;

function documentOf(tool: ModelTool, budget: { parameters: number; words: number }): ToolDocument {
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
  return { tool, weights, length, action: stemsOf(tool.name, 2)[0] };
}

function wordsOfParameter({ description, choices }: Parameter): string {
  return `${description} ${choices.slice(0, 20).join(' ')}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
