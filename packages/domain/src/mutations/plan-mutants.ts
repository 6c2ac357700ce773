/**
 * Plans mutants from a tool surface and observed answers. The same surface, answers and seed give
 * the same mutants. If more mutants are possible than requested, tools and operators take turns.
 * Tools that a case touches come first, since no case can notice a mutant of another tool.
 */

import { pointerPart } from '../assertions/json-pointer.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { holdsMarkText } from '../recordings/fill-redaction-marks.ts';
import { hasMark } from '../recordings/redaction-marks.ts';
import type { Mutant, ObservedAnswer, ServerTools } from './mutant.ts';
import { isSameJson, mutablePaths, mutateAnswer, tellsNumber } from './mutate-answer.ts';
import { mutateListing } from './mutate-listing.ts';
import { type MutationOperator, mutationOperators } from './operators.ts';

export interface MutantsToPlan {
  readonly surface: readonly ServerTools[];
  readonly answers: readonly ObservedAnswer[];
  readonly seed: number;
  readonly maxMutants: number;
  readonly operators?: readonly MutationOperator[] | undefined;
  isTouched(tool: { readonly serverName: string; readonly toolName: string }): boolean;
}

export function planMutants(wanted: MutantsToPlan): Mutant[] {
  const operators = wanted.operators ?? mutationOperators;
  const all = [...ofSurface(wanted.surface), ...ofAnswers(wanted.surface, wanted.answers)].filter(
    ({ operator }) => operators.includes(operator),
  );
  const isTouched = ({ serverName, toolName, otherToolName }: Mutant) =>
    [toolName, otherToolName].some(
      (name) => name !== undefined && wanted.isTouched({ serverName, toolName: name }),
    );
  const random = randomOf(wanted.seed);
  const ranked = all
    .map((mutant) => ({ mutant, isTouched: isTouched(mutant), chance: random() }))
    .sort((one, other) => one.chance - other.chance);
  const touched = ranked.filter((one) => one.isTouched).map(({ mutant }) => mutant);
  const others = ranked.filter((one) => !one.isTouched).map(({ mutant }) => mutant);
  const chosen = inTurns(touched, wanted.maxMutants);
  return [...chosen, ...inTurns(others, wanted.maxMutants - chosen.length)];
}

/** Picks mutants one by one, each time from the tool and operator with the fewest picks so far. */
function inTurns(ranked: readonly Mutant[], most: number): Mutant[] {
  const left = [...ranked];
  const taken = new Map<string, number>();
  const chosen: Mutant[] = [];
  const keysOf = ({ operator, serverName, toolName }: Mutant) => [
    `operator ${operator}`,
    `tool ${serverName} ${toolName}`,
    `both ${operator} ${serverName} ${toolName}`,
  ];
  const weight = (mutant: Mutant) =>
    keysOf(mutant).reduce(
      (sum, key, index) => sum + (taken.get(key) ?? 0) * (index === 2 ? 4 : 1),
      0,
    );
  while (chosen.length < most && left.length > 0) {
    let best = 0;
    let least = Infinity;
    for (const [index, mutant] of left.entries()) {
      const own = weight(mutant);
      if (own < least) [best, least] = [index, own];
    }
    const [mutant] = left.splice(best, 1);
    if (mutant === undefined) break;
    chosen.push(mutant);
    for (const key of keysOf(mutant)) taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  return chosen;
}

function ofSurface(surface: readonly ServerTools[]): Mutant[] {
  return surface.flatMap((server) =>
    server.tools
      .flatMap((tool, index) => ofTool(server, tool, index))
      .filter((mutant) => !isSameJson(mutateListing(mutant, server), server.tools)),
  );
}

function ofTool({ serverName, tools }: ServerTools, tool: Json, index: number): Mutant[] {
  const { name: toolName, description, inputSchema } = tool;
  if (typeof toolName !== 'string') return [];
  const own = { serverName, toolName };
  const isDescribed = typeof description === 'string' && description.trim() !== '';
  const properties = isRecord(inputSchema) ? inputSchema['properties'] : undefined;
  const parameters = isRecord(properties) ? Object.keys(properties) : [];
  const paths = parameters.map((name) => `/inputSchema/properties/${pointerPart(name)}`);
  return [
    { ...own, operator: 'tool-missing' },
    ...(isDescribed
      ? [{ ...own, operator: 'description-blank', path: '/description' } as const]
      : []),
    ...tools.slice(index + 1).flatMap((other): Mutant[] => {
      const { name: otherToolName, description: words } = other;
      if (typeof otherToolName !== 'string' || typeof words !== 'string' || !isDescribed) return [];
      return [{ ...own, operator: 'descriptions-exchanged', path: '/description', otherToolName }];
    }),
    ...paths.flatMap((path): Mutant[] => [
      { ...own, operator: 'parameter-renamed', path },
      { ...own, operator: 'parameter-required', path },
    ]),
  ];
}

/** The largest answer from which mutants are derived, in characters of JSON. */
const largestAnswer = 64 * 1024;
const answersOfTool = 20;

function ofAnswers(surface: readonly ServerTools[], observed: readonly ObservedAnswer[]): Mutant[] {
  return surface.flatMap(({ serverName, tools }) =>
    tools.flatMap(({ name }) => {
      if (typeof name !== 'string') return [];
      const own = { serverName, toolName: name };
      const results = distinctResults(own, observed);
      return results.length === 0 ? [] : ofResults(own, results.slice(0, answersOfTool));
    }),
  );
}

function distinctResults(
  own: { readonly serverName: string; readonly toolName: string },
  observed: readonly ObservedAnswer[],
): Json[] {
  const results: Json[] = [];
  for (const one of observed) {
    const isOfTool = one.serverName === own.serverName && one.toolName === own.toolName;
    if (!isOfTool || one.result['isError'] === true) continue;
    if (JSON.stringify(one.result).length > largestAnswer) continue;
    if (!results.some((known) => isSameJson(known, one.result))) results.push(one.result);
  }
  return results;
}

function ofResults(
  own: { readonly serverName: string; readonly toolName: string },
  results: readonly Json[],
): Mutant[] {
  // Skips answers with redaction marks: a trial with such an answer may fail because of the marks,
  // not because of the mutant.
  const [first, second] = results.filter((result) => !hasMark(result) && !holdsMarkText(result));
  const atPaths = (['number-off-by-one', 'field-missing', 'wrong-type'] as const).flatMap(
    (operator) => {
      const paths = new Set(results.flatMap((result) => mutablePaths(operator, result)));
      return [...paths].map((path): Mutant => ({ ...own, operator, path }));
    },
  );
  const inText: Mutant[] = results.some((one) => tellsNumber(one))
    ? [{ ...own, operator: 'number-off-by-one' }]
    : [];
  const isCounted = atPaths.some(({ operator }) => operator === 'number-off-by-one');
  const whole: Mutant[] = [
    { ...own, operator: 'error' },
    { ...own, operator: 'empty' },
    { ...own, operator: 'truncated' },
    ...(first !== undefined && second !== undefined
      ? [{ ...own, operator: 'previous-answer', earlierAnswers: [first, second] } as const]
      : []),
    { ...own, operator: 'slow' },
    ...(isCounted ? [] : inText),
  ];
  return [...whole, ...atPaths].filter((mutant) =>
    results.some((result) => mutateAnswer(mutant, result) !== 'same'),
  );
}

/** Mulberry32: a small generator whose numbers are the same on every machine. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
