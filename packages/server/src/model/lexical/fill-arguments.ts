/**
 * The arguments of a call, from the words of the request and the schema alone, in this order: `key: value`; the allowed
 * values of a parameter that are mentioned; booleans that are mentioned; values that stand beside the name of a
 * parameter; the remaining values in their order, for what is required; and the rest of the text for one text that is
 * still missing. A value is used once. What is not found is left out, also when it is required.
 */
import type { ModelTool } from '../model-gateway.ts';
import { type Finding, findingsIn, pairsIn } from './findings.ts';
import { type Leaf, leavesOf, objectOf } from './leaves.ts';
import { longestStretch } from './longest-stretch.ts';
import { distanceBetween, mentionsOf } from './neighbours.ts';
import { type ParameterType, parametersOf } from './parameters.ts';
import { isTelling, kindsFor, takesFreeText, valueOfFinding, valueOfText } from './read-value.ts';
import { stemsOf, type Word, wordsOf } from './words.ts';

export function fillArguments(tool: ModelTool, request: string): Record<string, unknown> {
  const desk = new Desk(tool, request);
  desk.takePairs();
  desk.takeChoices();
  desk.takeBooleans();
  desk.takeNeighbours();
  desk.takeInOrder();
  desk.takeRest();
  return desk.result();
}

const mostWords = 1_000;
const mostPlaces = 20;
const longestRest = 500;

class Desk {
  readonly #request: string;
  readonly #words: readonly Word[];
  /** Where each stem stands among the words. */
  readonly #places = new Map<string, number[]>();
  readonly #findings: readonly Finding[];
  /** The words that are no part of a value. */
  readonly #namingWords: readonly Word[];
  readonly #leaves: readonly Leaf[];
  readonly #toolStems: ReadonlySet<string>;
  readonly #values = new Map<Leaf, unknown>();
  readonly #used: { start: number; end: number }[] = [];

  constructor(tool: ModelTool, request: string) {
    this.#request = request;
    this.#words = wordsOf(request, mostWords);
    for (const [index, { stem }] of this.#words.entries()) {
      const places = this.#places.get(stem);
      if (places === undefined) this.#places.set(stem, [index]);
      else if (places.length < mostPlaces) places.push(index);
    }
    this.#findings = findingsIn(request);
    this.#namingWords = this.#words.filter(
      ({ start }) => !this.#findings.some((one) => start >= one.start && start < one.end),
    );
    this.#leaves = leavesOf(parametersOf(tool.inputSchema));
    this.#toolStems = new Set(stemsOf(tool.name, 40));
  }

  takePairs(): void {
    for (const pair of pairsIn(this.#request)) {
      const key = wordsOf(pair.key, 12).map(({ stem }) => stem);
      const leaf =
        this.#open().find(({ nameStems }) => nameStems.join(' ') === key.join(' ')) ??
        this.#open().find(({ nameStems }) => key.every((stem) => nameStems.includes(stem)));
      if (leaf === undefined || key.length === 0 || this.#isUsed(pair)) continue;
      const isList = leaf.parameter.type === 'array';
      const end = isList ? this.#endOfLine(pair.start) : pair.end;
      const written = isList ? this.#request.slice(pair.valueStart, end) : pair.value;
      this.#give(leaf, valueOfText(leaf.parameter, written), { start: pair.start, end });
    }
  }

  takeChoices(): void {
    for (const leaf of this.#open()) {
      const { choices, item } = leaf.parameter;
      if (item !== undefined && item.choices.length > 0) {
        const mentions = this.#mentionsOf(item.choices).sort((a, b) => a.start - b.start);
        const values = [...new Set(mentions.map(({ choice }) => choice))];
        if (values.length > 0) this.#give(leaf, values, ...mentions);
      }
      const [mention] = this.#mentionsOf(choices);
      if (mention !== undefined) this.#give(leaf, mention.choice, mention);
      else if (leaf.isRequired && choices.length === 1) this.#give(leaf, choices[0]);
    }
  }

  takeBooleans(): void {
    for (const leaf of this.#open()) {
      if (leaf.parameter.type !== 'boolean') continue;
      const telling = leaf.nameStems.filter((stem) => !vagueStems.has(stem));
      const places = telling.map((stem) => this.#words.findIndex((word) => word.stem === stem));
      if (places.length === 0 || places.includes(-1)) continue;
      const first = Math.min(...places);
      const before = this.#words.slice(Math.max(0, first - 3), first);
      this.#give(leaf, !before.some(({ plain }) => negations.has(plain)));
    }
  }

  takeNeighbours(): void {
    const candidates: { leaf: Leaf; finding: Finding; distance: number }[] = [];
    for (const leaf of this.#open()) {
      const kinds = kindsFor(leaf.parameter);
      const mentions = mentionsOf(leaf, this.#namingWords);
      for (const finding of this.#findings) {
        const rank = kinds.indexOf(finding.kind);
        const distance = rank < 0 ? undefined : distanceBetween(mentions, finding, this.#request);
        if (distance !== undefined) {
          candidates.push({ leaf, finding, distance: distance + rank / 10 });
        }
      }
    }
    candidates.sort((a, b) => a.distance - b.distance);
    for (const { leaf, finding } of candidates) this.#giveFinding(leaf, finding);
  }

  takeInOrder(): void {
    for (const leaf of this.#open()) {
      for (const kind of kindsFor(leaf.parameter)) {
        if (!leaf.isRequired && !isTelling(kind)) continue;
        for (const finding of this.#findings) {
          if (finding.kind === kind) this.#giveFinding(leaf, finding);
        }
      }
    }
  }

  takeRest(): void {
    const texts = this.#open().filter(({ parameter }) => takesFreeText(parameter));
    const required = texts.filter(({ isRequired }) => isRequired);
    const [leaf, ...others] = required.length > 0 || this.#values.size > 0 ? required : texts;
    if (leaf === undefined || others.length > 0) return;
    const rest = this.#rest(leaf);
    if (rest !== undefined) this.#give(leaf, rest);
  }

  result(): Record<string, unknown> {
    const found = this.#leaves.filter((leaf) => this.#values.has(leaf));
    return objectOf(found.map((leaf) => ({ leaf, value: this.#values.get(leaf) })));
  }

  #open(): Leaf[] {
    return this.#leaves.filter((leaf) => !this.#values.has(leaf));
  }

  #give(leaf: Leaf, value: unknown, ...spans: { start: number; end: number }[]): void {
    if (value === undefined) return;
    this.#values.set(leaf, value);
    for (const { start, end } of spans) this.#used.push({ start, end });
  }

  /** A list takes every value that is left for it, everything else takes one. */
  #giveFinding(leaf: Leaf, finding: Finding): void {
    const { parameter } = leaf;
    const held = this.#values.get(leaf);
    if ((held !== undefined && !isGrowing(parameter.type, held)) || this.#isUsed(finding)) return;
    const value = valueOfFinding(parameter.item ?? parameter, finding);
    if (value === undefined) return;
    this.#give(
      leaf,
      isGrowing(parameter.type, held ?? []) ? [...((held as unknown[]) ?? []), value] : value,
      finding,
    );
  }

  #isUsed({ start, end }: { start: number; end: number }): boolean {
    return this.#used.some((span) => start < span.end && end > span.start);
  }

  #mentionsOf(choices: readonly (string | number)[]) {
    const found: { choice: string | number; start: number; end: number; length: number }[] = [];
    for (const choice of choices) {
      const wanted = wordsOf(String(choice), 8);
      const [first] = wanted;
      if (first === undefined) continue;
      for (const index of this.#places.get(first.stem) ?? []) {
        const start = this.#words[index]?.start ?? 0;
        const end = this.#words[index + wanted.length - 1]?.end ?? 0;
        const isHere = wanted.every(({ stem }, at) => this.#words[index + at]?.stem === stem);
        if (!isHere || this.#isUsed({ start, end })) continue;
        found.push({ choice, start, end, length: wanted.length });
        break;
      }
    }
    return found.sort((a, b) => b.length - a.length || a.start - b.start);
  }

  #rest(leaf: Leaf): string | undefined {
    const isFiller = ({ stem, isCommon }: Word) =>
      isCommon ||
      this.#toolStems.has(stem) ||
      leaf.nameStems.includes(stem) ||
      askingStems.has(stem);
    const stretch = longestStretch(this.#words, (word) => this.#isUsed(word), isFiller);
    return stretch && this.#request.slice(stretch.start, stretch.end).slice(0, longestRest);
  }

  #endOfLine(start: number): number {
    const end = this.#request.slice(start).search(/[;\n]/);
    return end < 0 ? this.#request.length : start + end;
  }
}

function isGrowing(type: ParameterType, held: unknown): boolean {
  return type === 'array' && Array.isArray(held);
}

const vagueStems = new Set([
  'is',
  'has',
  'includ',
  'enabl',
  'with',
  'show',
  'allow',
  'only',
  'us',
  'flag',
  'should',
  'be',
]);
const negations = new Set([
  'not',
  'no',
  'without',
  'don',
  'exclude',
  'excluding',
  'skip',
  'disable',
  'never',
  'ignore',
]);
/** Words that ask and name nothing. */
const askingStems = new Set([
  'find',
  'search',
  'look',
  'show',
  'list',
  'fetch',
  'check',
  'mak',
  'creat',
  'add',
  'send',
]);
