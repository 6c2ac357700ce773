/**
 * A server contract: a suite that checks the listings and answers of servers and asks no model. Its
 * cases have no prompt, no model and no judge, and its trials name no model.
 */
import type { Assertion } from '../assertions/assertion.ts';
import { modelParameterNames } from '../models/model-parameters.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { asksModel, type Step } from './step.ts';
import type { SuiteDefinition } from './suite-definition.ts';

export const suiteModes = ['agentWorkflow', 'serverContract'] as const;
export type SuiteMode = (typeof suiteModes)[number];

export function isContract({ mode }: Pick<SuiteDefinition, 'mode'>): boolean {
  return mode === 'serverContract';
}

export interface ContractProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const modelFields = ['model', 'provider', 'systemPrompt', ...modelParameterNames] as const;

export function contractProblemsOfSuite(
  suite: Pick<SuiteDefinition, (typeof modelFields)[number]> & {
    readonly settings?: {
      readonly judge?: { readonly enabled: boolean } | undefined;
      readonly checks?: readonly Assertion[] | undefined;
    };
  },
): ContractProblem[] {
  const named = modelFields.filter((field) => suite[field] !== undefined);
  return [
    ...named.map((field) => ({ path: [field], message: noModel })),
    ...(suite.settings?.judge?.enabled === true
      ? [{ path: ['settings', 'judge'], message: noJudge }]
      : []),
    ...judgedBy(['settings', 'checks'], suite.settings?.checks),
  ];
}

export function contractProblemsOfCase(
  definition: Pick<EvalCaseDefinition, 'models' | 'isNegative' | 'checks' | 'advancedConfig'> & {
    readonly steps: readonly Step[];
  },
): ContractProblem[] {
  const steps = definition.steps.flatMap((step, index) => {
    if (asksModel(step)) return [{ path: ['steps', index], message: noPrompt }];
    return step.kind === 'assert' && isJudged(step.assertion)
      ? [{ path: ['steps', index, 'assertion'], message: noJudge }]
      : [];
  });
  return [
    ...steps,
    ...judgedBy(['checks', 'list'], definition.checks?.list),
    ...(definition.models === undefined ? [] : [{ path: ['models'], message: noModel }]),
    ...(definition.advancedConfig === undefined
      ? []
      : [{ path: ['advancedConfig'], message: noParameters }]),
    ...(definition.isNegative ? [{ path: ['isNegativeTest'], message: noNegative }] : []),
  ];
}

function judgedBy(
  place: readonly string[],
  assertions: readonly Assertion[] = [],
): ContractProblem[] {
  return assertions.flatMap((assertion, index) =>
    isJudged(assertion) ? [{ path: [...place, index], message: noJudge }] : [],
  );
}

function isJudged(assertion: object): boolean {
  return 'type' in assertion && assertion.type === 'goalCompleted';
}

export const modelIsMissing = 'A suite must name a model, unless its mode is "serverContract".';

const noModel = 'A server contract asks no model, so it cannot name a model; remove this field.';
const noParameters =
  'A server contract asks no model, so it cannot have model parameters; remove this field.';
const noJudge = 'A server contract asks no model, so it cannot have a judge; remove this field.';
const noPrompt =
  'A server contract asks no model, so it cannot have a prompt; call the tool in a toolCall step.';
const noNegative =
  'A negative test checks that a model calls no tool, and a server contract asks no model; remove this field.';
