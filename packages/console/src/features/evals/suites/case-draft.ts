/**
 * The state of a case editor, in the format of the API and checked by the contract's schema. A
 * field's problem is shown once the field was touched; after an attempt to save, all are shown.
 */
import { type BodyInputOf, type EvalCase, operations } from '@proofmark/contract';
import {
  type Assertion,
  checkValue,
  choiceProblems,
  contractProblemsOfCase,
  type EvalCaseDefinition,
  isRecord,
  type Json,
  runnableOfCase,
  type StatedAssertion,
  type Step,
  type ValueProblem,
} from '@proofmark/domain';
import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import type { Vocabulary } from '../../../kit/changes/change-words.ts';
import { isSame } from '../../../kit/changes/json-changes.ts';
import type { FieldProblems } from '../../../kit/data/field-problems.ts';

export type CaseBody = BodyInputOf<'createEvalCase'>;

export const caseFields = [
  ...['title', 'steps', 'expectedOutput', 'iterations', 'isNegative', 'scenario', 'models'],
  ...['matchOptions', 'checks', 'advancedConfig', 'passThreshold', 'trials'],
  ...['failOnToolError'],
  ...['elicitations', 'timeoutMs', 'data', 'before', 'beforeTimeoutMs', 'after', 'afterTimeoutMs'],
  'disabled',
] as const;

export const caseVocabulary: Vocabulary = {
  labels: {
    title: 'Title',
    steps: 'Steps',
    checks: 'Checks',
    scenario: 'Scenario',
    iterations: 'Trials in each run',
    passThreshold: 'Passing score',
    trials: 'Trial plan',
    models: 'Models',
    isNegative: 'No tool may be called',
    disabled: 'Left out of runs',
    expectedOutput: 'Expected output',
    timeoutMs: 'Time limit in milliseconds',
    matchOptions: 'How calls are matched',
    failOnToolError: 'Fails on a tool error',
    elicitations: 'Answers to servers',
    data: 'Rows',
    advancedConfig: 'Model settings',
    before: 'Done before',
    beforeTimeoutMs: 'Time limit before, in milliseconds',
    after: 'Done after',
    afterTimeoutMs: 'Time limit after, in milliseconds',
  },
  absent: 'not stated',
  nameOf: () => undefined,
};

export function caseContent(one: EvalCase): Json {
  const { iterations, iterationsInherited, isNegative, models, data, ...rest } = one;
  const stated: Json = {
    ...rest,
    ...(!iterationsInherited && { iterations }),
    ...(isNegative && { isNegative }),
    ...(models.length > 0 && { models }),
    ...(data?.rows !== undefined && { data: dataOf(data.key, data.rows, data.sample) }),
  };
  return Object.fromEntries(
    caseFields.flatMap((name) => (stated[name] === undefined ? [] : [[name, stated[name]]])),
  );
}

function dataOf(key: string, rows: unknown, sample: unknown): Json {
  return { key, rows, ...(sample !== undefined && { sample }) };
}

/** Returns the reason why a pattern cannot be run, or undefined. */
export type WhyNotRun = (pattern: string) => string | undefined;

/** Patterns are checked even if the case has other problems. */
export function caseProblems(
  value: Json,
  isContract: boolean,
  whyNotRun: WhyNotRun,
): readonly ValueProblem[] {
  const stated = runnableOfCase({ path: '', definition: roughCase(value) });
  return [...problemsOfShape(value, isContract), ...patternProblems(stated, whyNotRun)];
}

function problemsOfShape(value: Json, isContract: boolean): readonly ValueProblem[] {
  const checked = checkValue(operations.createEvalCase.body, value);
  if ('problems' in checked) return checked.problems;
  const definition = checked.value as EvalCaseDefinition;
  const ofContract = isContract ? contractProblemsOfCase(definition) : [];
  return [
    ...ofContract.map(({ path, message }) => ({ path: [...path], message })),
    ...choiceProblems({ path: '', definition }).map(({ path, message }) => ({
      path: pathOf(path),
      message,
    })),
  ];
}

export function patternProblems(
  stated: readonly StatedAssertion[],
  whyNotRun: WhyNotRun,
): ValueProblem[] {
  return stated.flatMap(({ path, assertion }) => {
    const message = 'pattern' in assertion ? whyNotRun(assertion.pattern) : undefined;
    return message === undefined ? [] : [{ path: [...pathOf(path), 'pattern'], message }];
  });
}

/**
 * Extracts the readable parts of a possibly invalid case, for the rules about assertions. Positions
 * in lists are kept, so that problems get the right paths.
 */
function roughCase({ steps, checks, data }: Json): EvalCaseDefinition {
  const { list } = Object(checks) as { list?: unknown };
  const assertionOf = (one: unknown) => ({ assertion: roughAssertion(Object(one)['assertion']) });
  return {
    steps: asList(steps).map((step) => ({ kind: Object(step).kind, ...assertionOf(step) })),
    checks: { list: asList(list).map(roughAssertion) },
    ...(data !== undefined && { data }),
  } as unknown as EvalCaseDefinition;
}

export function roughAssertion(one: unknown): Assertion {
  const isReadable = isRecord(one) && ['string', 'undefined'].includes(typeof one['pattern']);
  return (isReadable ? one : {}) as Assertion;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Accepts both `steps[0].assertion` and `steps.0.assertion`: a number is an index. */
export function pathOf(name: string): (string | number)[] {
  const steps = name.replace(/\[(\d+)\]/g, '.$1').split('.');
  return steps
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/**
 * Returns the problems at or inside the touched paths. `touched` contains paths such as
 * `steps.0.text`.
 */
export function shownProblems(
  problems: readonly ValueProblem[],
  touched: ReadonlySet<string> | 'all',
): readonly ValueProblem[] {
  if (touched === 'all') return problems;
  return problems.filter(({ path }) => {
    const name = path.join('.');
    return [...touched].some((one) => name === one || name.startsWith(`${one}.`));
  });
}

/**
 * Removes a path, and all paths inside it, from `touched`. The problems of a new row are thereby
 * hidden.
 */
export function untouched(
  touched: ReadonlySet<string> | 'all',
  path: ArgumentPath,
): ReadonlySet<string> | 'all' {
  if (touched === 'all') return touched;
  const fresh = path.join('.');
  return new Set([...touched].filter((one) => one !== fresh && !one.startsWith(`${fresh}.`)));
}

/** Keeps the first problem of each field. The key is the field's path with dots. */
export function problemsByName(problems: readonly ValueProblem[]): FieldProblems {
  const firstMessages = new Map<string, string>();
  for (const { path, message } of problems) {
    const name = path.join('.');
    if (!firstMessages.has(name)) firstMessages.set(name, message);
  }
  return Object.fromEntries(firstMessages);
}

/** Returns the changed fields, with null for removed ones. Undefined if nothing has changed. */
export function caseEdit(before: Json, after: Json): BodyInputOf<'updateEvalCase'> | undefined {
  const changed = caseFields.filter((name) => !isSame(before[name], after[name]));
  if (changed.length === 0) return undefined;
  const edit = Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
  const { data } = edit;
  return isRecord(data) ? { ...edit, data: withoutSample(before['data'], data) } : edit;
}

/**
 * Adds `sample: null` if the sample was removed, because the service keeps the parts of `data` that
 * an edit omits.
 */
function withoutSample(before: unknown, data: Json): Json {
  const isTaken = isRecord(before) && 'sample' in before && !('sample' in data);
  return isTaken ? { ...data, sample: null } : data;
}

/** Drops the provider, because it belonged to the previous model. */
export function withModel(models: readonly unknown[], at: number, model: string): unknown[] {
  return models.map((one, index) => (index === at ? { model } : one));
}

export type StepKind = Step['kind'];

export function newStep(
  kind: StepKind,
  steps: readonly unknown[],
  serverName: string | undefined,
): Json {
  const id = freeStepId(steps);
  const server = serverName === undefined ? {} : { serverName };
  switch (kind) {
    case 'toolCall':
      return { id, kind, ...server, arguments: {} };
    case 'getPrompt':
    case 'readResource':
      return { id, kind, ...server };
    case 'assert':
      return { id, kind, assertion: { type: 'toolCalledAtLeastOnce' } };
    default:
      return { id, kind };
  }
}

/**
 * Adds an empty `arguments` object to tool calls that lack one. The API requires it, but the form
 * removes it with the last argument.
 */
export function withCallArguments(value: Json): Json {
  const { steps } = value;
  if (!Array.isArray(steps)) return value;
  const lacks = (step: unknown) =>
    isRecord(step) && step['kind'] === 'toolCall' && step['arguments'] === undefined;
  if (!steps.some(lacks)) return value;
  return {
    ...value,
    steps: steps.map((step) => (lacks(step) ? { ...step, arguments: {} } : step)),
  };
}

export function freeStepId(steps: readonly unknown[]): string {
  const taken = new Set(steps.map((step) => (Object(step) as { id?: unknown }).id));
  let number = steps.length + 1;
  while (taken.has(`step-${number}`)) number += 1;
  return `step-${number}`;
}

/** Moves an item one position up or down. An item that would leave the list is not moved. */
export function moved<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const to = from + by;
  const next = [...items];
  const [item] = next.slice(from, from + 1);
  if (item === undefined || to < 0 || to >= items.length) return next;
  next.splice(from, 1);
  next.splice(to, 0, item);
  return next;
}
