/**
 * A case while somebody writes it, spelled as the API takes it. What is wrong with it is what the service would say:
 * the shape is the same. A problem is shown once its field was touched, or all of them once one tried to save.
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
  ...['matchOptions', 'checks', 'advancedConfig', 'passThreshold', 'failOnToolError'],
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
    passThreshold: 'Share that must pass',
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

/** What of a case can be written, without what says nothing. */
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

/** Why a pattern cannot be run, if it cannot. */
export type WhyNotRun = (pattern: string) => string | undefined;

/** A pattern is told also while something else is not right yet. */
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

/** What a rule about assertions can read of a case that is not right yet; all stays in its place. */
function roughCase({ steps, checks, data }: Json): EvalCaseDefinition {
  const { list } = Object(checks) as { list?: unknown };
  const told = (one: unknown) => ({ assertion: roughAssertion(Object(one)['assertion']) });
  return {
    steps: asList(steps).map((step) => ({ kind: Object(step).kind, ...told(step) })),
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

/** `steps[0].assertion` and `steps.0.assertion` alike: a number is a place in a list. */
export function pathOf(name: string): (string | number)[] {
  const steps = name.replace(/\[(\d+)\]/g, '.$1').split('.');
  return steps
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** `touched` holds paths with dots; a problem inside of one is shown. */
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

/** What was touched, without what is inside of this path: a new row, or one of another kind, was not yet. */
export function untouched(
  touched: ReadonlySet<string> | 'all',
  path: ArgumentPath,
): ReadonlySet<string> | 'all' {
  if (touched === 'all') return touched;
  const fresh = path.join('.');
  return new Set([...touched].filter((one) => one !== fresh && !one.startsWith(`${fresh}.`)));
}

/** By the path with dots. Of several problems of one field the first. */
export function problemsByName(problems: readonly ValueProblem[]): FieldProblems {
  const told = new Map<string, string>();
  for (const { path, message } of problems) {
    const name = path.join('.');
    if (!told.has(name)) told.set(name, message);
  }
  return Object.fromEntries(told);
}

/** What saving sends: what was changed, and null for what was taken out. Nothing where nothing was. */
export function caseEdit(before: Json, after: Json): BodyInputOf<'updateEvalCase'> | undefined {
  const changed = caseFields.filter((name) => !isSame(before[name], after[name]));
  if (changed.length === 0) return undefined;
  const edit = Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
  const { data } = edit;
  return isRecord(data) ? { ...edit, data: withoutSample(before['data'], data) } : edit;
}

/** Of rows, what is left out stays: a sample that was taken out is said to be none. */
function withoutSample(before: unknown, data: Json): Json {
  const isTaken = isRecord(before) && 'sample' in before && !('sample' in data);
  return isTaken ? { ...data, sample: null } : data;
}

/** A provider belongs to the model it was named with. */
export function withModel(models: readonly unknown[], at: number, model: string): unknown[] {
  return models.map((one, index) => (index === at ? { model } : one));
}

export type StepKind = Step['kind'];

/** With what is known of it already; the rest is asked for. */
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

/** A call has arguments, if only none: clearing the last one leaves an empty object. */
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

/** The next number that no step has: a step that was removed gives its number back to nobody that stands. */
export function freeStepId(steps: readonly unknown[]): string {
  const taken = new Set(steps.map((step) => (Object(step) as { id?: unknown }).id));
  let number = steps.length + 1;
  while (taken.has(`step-${number}`)) number += 1;
  return `step-${number}`;
}

/** The item one place further up or down; where there is none, nothing moves. */
export function moved<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const to = from + by;
  const next = [...items];
  const [item] = next.slice(from, from + 1);
  if (item === undefined || to < 0 || to >= items.length) return next;
  next.splice(from, 1);
  next.splice(to, 0, item);
  return next;
}
