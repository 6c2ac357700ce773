/**
 * Which tool a request means, by BM25 over the words of each tool: its name counts three times, its description and the
 * names of its parameters once, their descriptions half. Rarity is counted as if ten more tools with other words were
 * listed, so that the score of a short list can be held against the same threshold. Equal scores go by name. Of a list
 * that says more than anybody reads, the later tools count by their names alone.
 */
import type { ModelTool } from '../model-gateway.ts';
import { type FindingKind, findingsIn, numberWords } from './findings.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { synonymShare, synonymsOf } from './synonyms.ts';
import { stemOf, stemsOf } from './words.ts';

/** A score below this means that no tool fits: about one telling word of a description. */
export const fitThreshold = 2;

export interface ToolIndex {
  readonly documents: readonly ToolDocument[];
  readonly averageLength: number;
  readonly toolsWith: ReadonlyMap<string, number>;
}

export interface ToolDocument {
  readonly tool: ModelTool;
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
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
  return { documents, toolsWith, averageLength: Math.max(1, length / documents.length || 0) };
}

/** The best first. */
export function rankTools(index: ToolIndex, request: string): RankedTool[] {
  const stems = meaningOf(request);
  const ranked = index.documents.map((document) => ({
    tool: document.tool,
    score: scoreOf(index, document, stems),
  }));
  return ranked.sort((a, b) => b.score - a.score || compare(a.tool.name, b.tool.name));
}

const mostTools = 5_000;
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
function meaningOf(request: string): ReadonlyMap<string, number> {
  const meaning = new Map<string, number>();
  for (const stem of stemsOf(request, mostRequestWords)) {
    if (!numberStems.has(stem)) meaning.set(stem, 1);
  }
  const implied = [...meaning.keys()].flatMap(synonymsOf);
  for (const { kind } of findingsIn(request)) implied.push(...(stemsOfKind[kind] ?? []));
  for (const stem of implied) if (!meaning.has(stem)) meaning.set(stem, synonymShare);
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
  return { tool, weights, length };
}

function wordsOfParameter({ description, choices }: Parameter): string {
  return `${description} ${choices.slice(0, 20).join(' ')}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
