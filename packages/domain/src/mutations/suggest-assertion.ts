/**
 * Suggests assertions that notice a surviving mutant. Each candidate is evaluated on the recorded
 * trials. It is suggested only if it holds in every trial without the change (`base`) and fails in
 * every trial of the mutant.
 */
import { Assertion, choiceKinds } from '../assertions/assertion.ts';
import type { AssertionContext } from '../assertions/assertion-kind.ts';
import { evaluateKnownAssertion } from '../assertions/evaluate-assertion.ts';
import { resultText, resultValue } from '../assertions/result-content.ts';
import { callsMadeOf, type ToolCall, type Transcript } from '../assertions/transcript.ts';
import { isRecord } from '../kernel/json.ts';
import { placesIn } from './answer-value.ts';
import type { Mutant } from './mutant.ts';
import { isSameJson } from './mutate-answer.ts';
import { sideOfOperator } from './operators.ts';

export interface SeenTrials {
  readonly base: readonly Transcript[];
  readonly mutant: readonly Transcript[];
  readonly asksModel: boolean;
  /**
   * True if several servers have a tool of this name, so that a suggestion must name the server.
   */
  readonly namesServer?: boolean;
}

export function suggestAssertion(
  mutant: Mutant,
  seen: SeenTrials,
  context: AssertionContext,
): Assertion | undefined {
  if (seen.base.length === 0 || seen.mutant.length === 0) return undefined;
  for (const candidate of candidatesOf(mutant, seen)) {
    const read = Assertion.safeParse(candidate);
    if (!read.success || quotesHidden(candidate)) continue;
    if (!seen.asksModel && choiceKinds.includes(read.data.type)) continue;
    if (noticesMutant(read.data, seen, context)) return read.data;
  }
  return undefined;
}

export function noticesMutant(
  assertion: Assertion,
  { base, mutant }: Pick<SeenTrials, 'base' | 'mutant'>,
  context: AssertionContext,
): boolean {
  const find = (transcript: Transcript) =>
    evaluateKnownAssertion(assertion, { ...context, transcript });
  return (
    base.every((transcript) => find(transcript).passed) &&
    mutant.every((transcript) => {
      const { passed, evaluatorError } = find(transcript);
      return !passed && evaluatorError !== true;
    })
  );
}

/**
 * Returns whether a candidate quotes a placeholder of a hidden secret. Later trials would not
 * contain that placeholder.
 */
function quotesHidden(candidate: unknown): boolean {
  return /\[hidden\]|\[redacted\]|\$redacted/.test(JSON.stringify(candidate));
}

function candidatesOf(mutant: Mutant, seen: SeenTrials): unknown[] {
  const { toolName, serverName, operator } = mutant;
  const tool = { toolName, ...(seen.namesServer === true && { serverName }) };
  const called = (transcript: Transcript | undefined) =>
    callsMadeOf(transcript?.toolCalls ?? [], { toolName, serverName });
  const [before, after] = [called(seen.base[0]), called(seen.mutant[0])];
  const onlyAnswers = sideOfOperator(operator) === 'answer';
  return [
    ...(operator === 'error' || operator === 'slow' ? [{ type: 'noToolErrors' }] : []),
    ...(onlyAnswers ? ofResults(tool, before, after) : ofSurface(tool, before)),
    ...ofAnswer(seen.base[0]?.finalAssistantMessage, seen.mutant[0]?.finalAssistantMessage),
    { type: 'noToolErrors' },
  ];
}

function ofSurface(tool: object, before: readonly ToolCall[]): unknown[] {
  return [
    ...before.map(({ arguments: args }) => ({
      type: 'toolCalledWith',
      ...tool,
      args: { args, argumentMatching: 'exact' },
    })),
    { type: 'toolCalledAtLeastOnce', ...tool },
    { type: 'toolDescriptionsPresent' },
    { type: 'argumentsMatchToolSchema', ...tool },
  ];
}

function ofResults(
  tool: object,
  before: readonly ToolCall[],
  after: readonly ToolCall[],
): unknown[] {
  return before.flatMap((call, index): unknown[] => {
    const other = after[index];
    if (isSameJson(call.result ?? null, other?.result ?? null)) return [];
    return [...ofValues(tool, call, other), ...ofTexts(tool, call, other)];
  });
}

const mostOfEach = 20;

function ofValues(tool: object, call: ToolCall, other: ToolCall | undefined): unknown[] {
  const before = resultValue(call);
  if (before.state !== 'value') return [];
  const after = other === undefined ? undefined : resultValue(other);
  const changedTo = new Map(
    after?.state === 'value' ? placesIn(after.value).map(({ path, value }) => [path, value]) : [],
  );
  const lost = placesIn(before.value).filter(
    ({ path, value }) => !changedTo.has(path) || !isSameJson(changedTo.get(path), value),
  );
  const leaves = lost.filter(({ value }) => typeof value !== 'object' || value === null);
  const path = { type: 'toolResultPath', ...tool };
  const isWhole = typeof before.value !== 'object' || before.value === null;
  return [
    ...(isWhole ? [{ ...path, pointer: '', equals: before.value }] : []),
    ...leaves
      .slice(0, mostOfEach)
      .map(({ path: pointer, value }) => ({ ...path, pointer, equals: value })),
    ...lost
      .filter(({ path: pointer }) => !changedTo.has(pointer))
      .slice(0, mostOfEach)
      .map(({ path: pointer }) => ({ ...path, pointer, exists: true })),
    ...lost
      .slice(0, mostOfEach)
      .map(({ path: pointer, value }) => ({ ...path, pointer, equals: value })),
    { type: 'toolResultMatchesSchema', ...tool, schema: schemaOf(before.value, 0) },
  ];
}

function schemaOf(value: unknown, depth: number): object {
  if (Array.isArray(value)) {
    const [first] = value;
    const isUniform = value.every((item) => typeOf(item) === typeOf(first));
    const minItems = value.length > 0 ? { minItems: 1 } : {};
    if (first === undefined || !isUniform || depth >= 4) return { type: 'array', ...minItems };
    return { type: 'array', ...minItems, items: schemaOf(first, depth + 1) };
  }
  if (!isRecord(value) || depth >= 4) return { type: typeOf(value) };
  const names = Object.keys(value);
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(value[name], depth + 1)])),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const shortestNeedle = 3;
const longestNeedle = 80;

function ofTexts(tool: object, call: ToolCall, other: ToolCall | undefined): unknown[] {
  const before = resultText(call);
  if (!('text' in before)) return [];
  const after = other === undefined ? undefined : resultText(other);
  const text = after !== undefined && 'text' in after ? after.text : '';
  return lostWords(before.text, text).map((needle) => ({
    type: 'toolResultContains',
    ...tool,
    needle,
  }));
}

function ofAnswer(before: string | undefined, after: string | undefined): unknown[] {
  if (before === undefined) return [];
  return lostWords(before, after ?? '').map((needle) => ({ type: 'responseContains', needle }));
}

function lostWords(before: string, after: string): string[] {
  const parts = before.match(/"[^"\n]{3,80}"|[\p{L}\p{N}][\p{L}\p{N}.:-]*/gu) ?? [];
  const words = parts.map((part) => part.replace(/^"|"$|[.:-]+$/g, ''));
  const lost = words.filter(
    (word) =>
      (word.length >= shortestNeedle || /\d/.test(word)) &&
      word.length <= longestNeedle &&
      !after.toLowerCase().includes(word.toLowerCase()),
  );
  return [...new Set(lost)].slice(0, mostOfEach);
}
