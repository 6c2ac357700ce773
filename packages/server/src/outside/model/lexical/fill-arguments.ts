/**
 * Fills the arguments of a call, using only the words of the request and the schema, in this order:
 *
 * - `key: value` pairs
 * - mentioned choices of a parameter, then mentioned booleans
 * - values next to the name of a parameter
 * - the word after the name of a required parameter
 * - the topic of the request
 * - the remaining values in order, for required parameters
 * - the rest of the text, for a single missing text
 *
 * A value is used once. A parameter whose value is not found is left out, even if it is required. A
 * list of objects has one object, or one for each group of `key: value` pairs that repeats a key.
 */
import type { ModelTool } from '../model-gateway.ts';
import { type Finding, findingsIn, type Pair, pairsIn } from './findings.ts';
import { areOfOneList, type Filled, type Leaf, leavesOf, objectOf } from './leaf-parameters.ts';
import { longestStretch } from './longest-stretch.ts';
import { distanceBetween, type Mention, mentionsOf } from './mentions.ts';
import { type ParameterType, parametersOf } from './parameters.ts';
import { isTelling, kindsFor, takesFreeText, valueOfFinding, valueOfText } from './read-value.ts';
import { synonymsOf } from './synonyms.ts';
import { bareValueOf } from './unquoted-value.ts';
import { askingStems, negations, proseStems, vagueStems } from './word-lists.ts';
import { stemsOf, type Word, wordsOf } from './words.ts';
import { wordsAfterPreposition } from './words-after-preposition.ts';

export interface FilledArguments {
  readonly input: Record<string, unknown>;
  /** The share of the request's values that the call uses, from 0 to 1. */
  readonly shareTaken: number;
  /** The share of the tool's required parameters that were not found, from 0 to 1. */
  readonly shareMissing: number;
}

export function fillArguments(tool: ModelTool, request: string): FilledArguments {
  const desk = new Desk(tool, request);
  desk.takePairs();
  desk.takeChoices();
  desk.takeBooleans();
  desk.takeNeighbours();
  desk.takeBareValues();
  desk.takeTopics();
  desk.takeInOrder();
  desk.takeRest();
  return desk.result();
}

const mostWords = 1_000;
const mostPlaces = 20;
/** The maximum number of kinds of value that suit one parameter. */
const mostKinds = 8;
const longestRest = 500;
/**
 * A guessed value counts as partly missing. The cost is `restCost` if the value is the rest of the
 * text, and `kindCost` per rank for a kind of value that fits the parameter less well.
 */
const restCost = 0.5;
const kindCost = 0.15;

interface Mentioned {
  readonly choice: string | number;
  readonly start: number;
  readonly end: number;
  readonly length: number;
  /** True for a word with many uses, for example `all`. */
  readonly isCommon: boolean;
}

class Desk {
  readonly #request: string;
  readonly #words: readonly Word[];
  /** The indexes in the list of words at which each word stem occurs. */
  readonly #places = new Map<string, number[]>();
  readonly #findings: readonly Finding[];
  readonly #pairs: readonly Pair[];
  /** The words of the request that are not part of a value; they may name parameters. */
  readonly #namingWords: readonly Word[];
  readonly #leaves: readonly Leaf[];
  readonly #toolStems: ReadonlySet<string>;
  readonly #values = new Map<Leaf, unknown>();
  /** The values of earlier objects in a list. An object is complete when the next one begins. */
  readonly #earlier: Filled[] = [];
  /** Lists that can take further values. */
  readonly #growing = new Set<Leaf>();
  /** The total uncertainty of guessed values for required parameters. */
  #guessed = 0;
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
    this.#pairs = pairsIn(request);
    this.#namingWords = this.#words.filter(
      ({ start }) => !this.#findings.some((one) => start >= one.start && start < one.end),
    );
    this.#leaves = leavesOf(parametersOf(tool.inputSchema));
    this.#toolStems = new Set(stemsOf(tool.name, 40));
  }

  takePairs(): void {
    for (const pair of this.#pairs) {
      const leaf = this.#leafNamed(stemsIn(pair.key));
      if (leaf === undefined || this.#isUsed(pair) || this.#holdsPair(pair)) continue;
      if (this.#announces(leaf, pair)) continue;
      if (this.#values.has(leaf)) this.#beginNext(leaf);
      const isList = leaf.parameter.type === 'array';
      const end = isList ? this.#endOfList(pair, leaf) : pair.end;
      const written = isList ? this.#request.slice(pair.valueStart, end) : pair.value;
      this.#give(leaf, valueOfText(leaf.parameter, written), { start: pair.start, end });
    }
  }

  /**
   * Returns whether another pair begins right after the key, as in `a relation: from: Alice`. The
   * first key (`relation`) then has no value itself.
   */
  #holdsPair({ valueStart, end }: Pair): boolean {
    return this.#pairs.some(
      ({ key, start }) =>
        start >= valueStart &&
        start < end &&
        this.#request.slice(valueStart, start).trim() === '' &&
        this.#leafNamed(stemsIn(key)) !== undefined,
    );
  }

  /**
   * Returns whether the text after the key contains values of several parameters, as in `new
   * relation: Ada knows_of Grace`. The key then repeats words of the tool's name and is no
   * parameter.
   */
  #announces({ nameStems }: Leaf, { key, valueStart, end }: Pair): boolean {
    const stems = stemsIn(key);
    const isWhole = stems.length === nameStems.length;
    if (isWhole || !stems.every((stem) => this.#toolStems.has(stem))) return false;
    return this.#findings.filter(({ start }) => start >= valueStart && start < end).length > 1;
  }

  takeChoices(): void {
    for (const leaf of this.#open()) {
      const { choices, item } = leaf.parameter;
      if (item !== undefined && item.choices.length > 0) {
        const mentions = this.#mentionsOf(item.choices).sort((a, b) => a.start - b.start);
        const values = [...new Set(mentions.map(({ choice }) => choice))];
        if (values.length > 0) this.#give(leaf, values, ...mentions);
      }
      const [mention] = this.#mentionsOf(choices).filter(({ choice }) =>
        this.#isMeant(leaf, choice),
      );
      if (mention !== undefined) this.#give(leaf, mention.choice, mention);
      else if (leaf.isRequired && choices.length === 1) this.#give(leaf, choices[0]);
    }
  }

  /**
   * Returns whether the request means this choice. A choice of an optional parameter may just be a
   * word of the tool's name. Such a choice counts only if the request also names the parameter.
   */
  #isMeant(leaf: Leaf, choice: string | number): boolean {
    if (leaf.isRequired) return true;
    const isOfTool = stemsOf(String(choice), 8).some((stem) => this.#toolStems.has(stem));
    return !isOfTool || leaf.nameStems.some((stem) => this.#places.has(stem));
  }

  takeBooleans(): void {
    for (const leaf of this.#open()) {
      if (leaf.parameter.type !== 'boolean') continue;
      const telling = leaf.nameStems.filter((stem) => !vagueStems.has(stem));
      const places = telling.map((stem) => {
        const means = [stem, ...synonymsOf(stem)];
        return this.#words.findIndex((word) => means.includes(word.stem));
      });
      if (places.length === 0 || places.includes(-1)) continue;
      const first = Math.min(...places);
      const before = this.#words.slice(Math.max(0, first - 3), first);
      this.#give(leaf, !before.some(({ plain }) => negations.has(plain)));
    }
  }

  takeNeighbours(): void {
    const candidates = this.#candidates().sort((a, b) => a.distance - b.distance);
    // Every parameter gets its first value before a list gets a second one.
    for (const { leaf, finding } of candidates) {
      if (!this.#values.has(leaf)) this.#giveFinding(leaf, finding);
    }
    for (const { leaf, finding } of candidates) this.#giveFinding(leaf, finding);
  }

  #candidates(): { leaf: Leaf; finding: Finding; distance: number }[] {
    const candidates: { leaf: Leaf; finding: Finding; distance: number }[] = [];
    for (const leaf of this.#open()) {
      const kinds = kindsFor(leaf.parameter);
      const mentions = mentionsOf(leaf, this.#namingWords, this.#toolStems);
      const telling = mentions.filter(({ isOfTool }) => !isOfTool);
      for (const finding of this.#findings) {
        const rank = kinds.indexOf(finding.kind);
        const near = rank === 0 ? mentions : telling;
        const distance = rank < 0 ? undefined : distanceBetween(near, finding, this.#request);
        if (distance !== undefined && !this.#isNeededElsewhere(leaf, mentions, finding)) {
          candidates.push({ leaf, finding, distance: distance + rank / 10 });
        }
      }
    }
    return candidates;
  }

  /**
   * Returns whether a required parameter still needs a value of this kind. An optional parameter
   * must then not take the value, unless the request names that optional parameter.
   */
  #isNeededElsewhere(leaf: Leaf, mentions: readonly Mention[], { kind }: Finding): boolean {
    if (leaf.isRequired || mentions.some(({ isNamed }) => isNamed)) return false;
    return this.#open().some((other) => other.isRequired && kindsFor(other.parameter)[0] === kind);
  }

  takeBareValues(): void {
    for (const leaf of this.#open()) {
      if (!leaf.isRequired) continue;
      const found = bareValueOf(leaf, this.#namingWords, this.#request);
      if (found !== undefined && !this.#isUsed(found)) this.#give(leaf, found.value, found);
    }
  }

  /**
   * Finds topics, such as `the Lisbon office` in `about the Lisbon office`; the name `Lisbon` would
   * be too short. If the request contains quoted text, that text is the value, and no topic is
   * searched.
   */
  takeTopics(): void {
    if (this.#findings.some(({ kind }) => kind === 'quoted')) return;
    for (const leaf of this.#open()) {
      const isTopic = leaf.isRequired && leaf.nameStems.some((stem) => proseStems.has(stem));
      const stretch = isTopic && takesFreeText(leaf.parameter) && this.#stretchBehind(leaf);
      if (stretch) this.#give(leaf, this.#request.slice(stretch.start, stretch.end), stretch);
    }
  }

  /**
   * Gives out the best kind of value for every parameter first, then the second-best kind, and so
   * on. Lists take further values last.
   */
  takeInOrder(): void {
    for (let rank = 0; rank < mostKinds; rank += 1) this.#takeKinds(rank, this.#open());
    for (let rank = 0; rank < mostKinds; rank += 1) this.#takeKinds(rank, [...this.#growing]);
  }

  #takeKinds(rank: number, leaves: readonly Leaf[]): void {
    for (const leaf of leaves) {
      const kind = kindsFor(leaf.parameter)[rank];
      if (kind === undefined || (!leaf.isRequired && !isTelling(kind))) continue;
      for (const finding of this.#findings) {
        if (finding.kind !== kind || this.#isUsed(finding)) continue;
        this.#giveFinding(leaf, finding);
        if (this.#isUsed(finding)) this.#guessed += Math.min(restCost, rank * kindCost);
      }
    }
  }

  takeRest(): void {
    const texts = this.#open().filter(({ parameter }) => takesFreeText(parameter));
    const required = texts.filter(({ isRequired }) => isRequired);
    const [leaf, ...others] = required.length > 0 || this.#values.size > 0 ? required : texts;
    if (leaf === undefined || others.length > 0) return;
    const rest = this.#rest(leaf);
    if (rest === undefined) return;
    this.#give(leaf, rest);
    if (leaf.isRequired) this.#guessed += restCost;
  }

  result(): FilledArguments {
    const found = this.#leaves.filter((leaf) => this.#values.has(leaf));
    const last = found.map((leaf) => ({
      leaf,
      value: this.#values.get(leaf),
      item: this.#itemsBefore(leaf),
    }));
    const missing = this.#open().filter(({ isRequired }) => isRequired).length + this.#guessed;
    const all = weightOf(this.#findings);
    const taken = weightOf(this.#findings.filter((finding) => this.#isUsed(finding)));
    return {
      input: objectOf([...this.#earlier, ...last]),
      shareTaken: all === 0 ? 1 : taken / all,
      shareMissing:
        missing / Math.max(1, this.#leaves.filter(({ isRequired }) => isRequired).length),
    };
  }

  /**
   * Returns the parameter with exactly this name, else one whose name contains every word of the
   * key. A field of a list's objects can match repeatedly, because each match begins another
   * object.
   */
  #leafNamed(key: readonly string[]): Leaf | undefined {
    if (key.length === 0) return undefined;
    const open = this.#leaves.filter(
      (leaf) => !this.#values.has(leaf) || leaf.listDepth !== undefined,
    );
    return (
      open.find(({ nameStems }) => nameStems.join(' ') === key.join(' ')) ??
      this.#open().find(({ nameStems }) => key.every((stem) => nameStems.includes(stem)))
    );
  }

  #beginNext(leaf: Leaf): void {
    const item = this.#itemsBefore(leaf);
    for (const [other, value] of this.#values) {
      if (!areOfOneList(leaf, other)) continue;
      this.#earlier.push({ leaf: other, value, item });
      this.#values.delete(other);
    }
  }

  #itemsBefore(leaf: Leaf): number {
    const items = this.#earlier.filter((one) => areOfOneList(one.leaf, leaf));
    return 1 + Math.max(-1, ...items.map(({ item }) => item));
  }

  #open(): Leaf[] {
    return this.#leaves.filter((leaf) => !this.#values.has(leaf));
  }

  #give(leaf: Leaf, value: unknown, ...spans: { start: number; end: number }[]): void {
    if (value === undefined) return;
    this.#values.set(leaf, value);
    for (const { start, end } of spans) this.#used.push({ start, end });
  }

  /** Gives a value to a parameter. A list takes several, any other parameter only one. */
  #giveFinding(leaf: Leaf, finding: Finding): void {
    const { parameter } = leaf;
    const held = this.#values.get(leaf);
    if ((held !== undefined && !isGrowing(parameter.type, held)) || this.#isUsed(finding)) return;
    const value = valueOfFinding(parameter.item ?? parameter, finding);
    if (value === undefined) return;
    if (parameter.type === 'array') this.#growing.add(leaf);
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
    const found: Mentioned[] = [];
    for (const choice of choices) {
      const wanted = wordsOf(String(choice), 8);
      const [first] = wanted;
      if (first === undefined) continue;
      for (const index of this.#places.get(first.stem) ?? []) {
        const start = this.#words[index]?.start ?? 0;
        const end = this.#words[index + wanted.length - 1]?.end ?? 0;
        const isHere = wanted.every(({ stem }, at) => this.#words[index + at]?.stem === stem);
        if (!isHere || this.#isUsed({ start, end })) continue;
        const isCommon = wanted.every((word) => word.isCommon);
        found.push({ choice, start, end, length: wanted.length, isCommon });
        break;
      }
    }
    return found.sort(
      (a, b) => Number(a.isCommon) - Number(b.isCommon) || b.length - a.length || a.start - b.start,
    );
  }

  /**
   * Returns the text after a colon. Without a colon, returns the longest run of meaningful words.
   */
  #rest(leaf: Leaf): string | undefined {
    const colon = this.#request.search(/: \S/);
    const behind = { start: colon + 2, end: this.#request.length };
    if (colon >= 0 && !this.#isUsed(behind))
      return this.#request.slice(behind.start).trim().slice(0, longestRest);
    const isFiller = ({ stem, isCommon }: Word) =>
      isCommon ||
      this.#toolStems.has(stem) ||
      leaf.nameStems.includes(stem) ||
      askingStems.has(stem);
    const isUsed = (word: Word) => this.#isUsed(word);
    const stretch = this.#stretchBehind(leaf) ?? longestStretch(this.#words, isUsed, isFiller);
    return stretch && this.#request.slice(stretch.start, stretch.end).slice(0, longestRest);
  }

  #stretchBehind(leaf: Leaf) {
    return longestStretch(
      wordsAfterPreposition(leaf, this.#words, this.#request),
      (word) => this.#isUsed(word),
      ({ stem, isCommon }) => isCommon || askingStems.has(stem),
    );
  }

  /** Returns where a list in the request ends: at the end of the line or at the next key. */
  #endOfList({ start, valueStart }: Pair, { listDepth }: Leaf): number {
    const line = this.#request.slice(start).search(/[;\n]/);
    const end = line < 0 ? this.#request.length : start + line;
    const next = this.#pairs.find(
      (pair) =>
        pair.start > valueStart &&
        pair.start < end &&
        (listDepth !== undefined || this.#leafNamed(stemsIn(pair.key)) !== undefined),
    );
    return next === undefined ? end : next.start;
  }
}

/**
 * Returns the total weight of values. A name counts half, because a capitalized word is not always
 * a name.
 */
function weightOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { kind }) => sum + (kind === 'name' ? 0.5 : 1), 0);
}

/**
 * Returns the stems of a key. Common words are included, since `from`, for example, can be the name
 * of a parameter.
 */
function stemsIn(key: string): string[] {
  return wordsOf(key, 12).map(({ stem }) => stem);
}

function isGrowing(type: ParameterType, held: unknown): boolean {
  return type === 'array' && Array.isArray(held);
}
