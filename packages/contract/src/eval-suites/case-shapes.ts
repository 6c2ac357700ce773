import {
  besidePlan,
  DataRows,
  EvalCaseDefinition,
  ModelChoice,
  maxRowsLength,
  replacedByPlan,
  setupFields,
  templatesWithoutData,
} from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, Id, Instant, pageOf } from '../fields.ts';
import { EvalWarnings } from './warning-shapes.ts';

const said = EvalCaseDefinition.shape;
const dataFields = said.data.unwrap().shape;

/**
 * Maximum size in bytes of a body with a case's rows: the limit for the rows, plus the limit for
 * other bodies.
 */
export const largestRowsBytes = maxRowsLength + 1_000_000;

const EvalCaseRows = z
  .object({
    key: dataFields.key,
    rowCount: z.int(),
    rows: DataRows.optional().meta({ description: 'Where one case is read, and never in lists.' }),
    sample: dataFields.sample,
  })
  .meta({
    id: 'EvalCaseRows',
    description:
      'An addition of Proofmark beyond the specification: the rows of the case, each of which a run plays as a case of its own.',
  });

export const EvalCase = z
  .object({
    id: Id,
    declaredId: z.string().optional(),
    title: z.string(),
    steps: said.steps,
    expectedOutput: said.expectedOutput,
    iterations: z.int().min(1).max(100),
    iterationsInherited: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the case states no iterations of its own, so a run takes those of its suite.',
    }),
    isNegative: z.boolean(),
    scenario: said.scenario,
    models: z.array(ModelChoice).meta({ description: 'Empty: the model of the suite.' }),
    matchOptions: said.matchOptions,
    checks: said.checks,
    advancedConfig: said.advancedConfig,
    passThreshold: said.passThreshold,
    trials: said.trials,
    failOnToolError: said.failOnToolError,
    elicitations: said.elicitations,
    timeoutMs: said.timeoutMs,
    data: EvalCaseRows.optional(),
    ...setupFields,
    disabled: said.disabled,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'EvalCase' });
export type EvalCase = z.infer<typeof EvalCase>;

export const EvalCaseWritten = EvalCase.extend({
  warnings: EvalWarnings,
}).meta({ id: 'EvalCaseWritten' });

export const EvalCasePage = pageOf(EvalCase, 'EvalCasePage');

/** An empty list means that the case names no model itself. */
const Models = z.array(ModelChoice).max(20);

const clearable = {
  expectedOutput: said.expectedOutput.unwrap().nullable(),
  iterations: said.iterations.unwrap().nullable(),
  isNegative: said.isNegative.unwrap().nullable(),
  scenario: said.scenario.unwrap().nullable(),
  models: Models.nullable(),
  matchOptions: said.matchOptions.unwrap().nullable(),
  checks: said.checks.unwrap().nullable(),
  advancedConfig: said.advancedConfig.unwrap().nullable(),
  passThreshold: said.passThreshold.unwrap().nullable(),
  trials: said.trials.unwrap().nullable(),
  failOnToolError: said.failOnToolError.unwrap().nullable(),
  elicitations: said.elicitations.unwrap().nullable(),
  timeoutMs: said.timeoutMs.unwrap().nullable(),
  data: said.data.unwrap().nullable(),
  before: said.before.unwrap().nullable(),
  beforeTimeoutMs: said.beforeTimeoutMs.unwrap().nullable(),
  after: said.after.unwrap().nullable(),
  afterTimeoutMs: said.afterTimeoutMs.unwrap().nullable(),
  disabled: said.disabled.unwrap().nullable(),
};

export const EvalCaseCreateRequest = z
  .strictObject({ title: said.title, id: said.declaredId, steps: said.steps, ...clearable })
  .partial()
  .required({ title: true, steps: true })
  .superRefine((stated, context) => {
    for (const { path, message } of templatesWithoutData(stated)) {
      context.addIssue({ code: 'custom', path, message });
    }
    const message = besidePlan(stated, replacedByPlan);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['trials'], message });
  })
  .meta({ id: 'EvalCaseCreateRequest' });

const EvalCaseDataUpdate = z
  .strictObject({ ...dataFields, sample: dataFields.sample.unwrap().nullable() })
  .partial()
  .meta({
    id: 'EvalCaseDataUpdate',
    description: 'What is left out stays, the rows too; null takes the sample away.',
  });

export const EvalCaseUpdateRequest = atLeastOneField(
  z
    .strictObject({ title: said.title, steps: said.steps, ...clearable })
    .extend({
      data: EvalCaseDataUpdate.nullable(),
      expectedUpdatedAt: Instant.meta({
        description:
          'An addition of Proofmark beyond the specification: updatedAt as it was read. Where the case was changed since, nothing is written.',
      }),
    })
    .partial(),
).meta({ id: 'EvalCaseUpdateRequest', description: 'What is left out stays; null clears.' });

export const caseProblemCodes = [
  'INVALID_ITEM',
  'INVALID_CASE_ID',
  'DUPLICATE_CASE_ID',
  'DUPLICATE_CONTENT',
  'OVERRIDE_REASON_REQUIRED',
  'INVALID_CASE',
  'ITEM_TOO_LARGE',
] as const;

export const duplicatePolicies = ['block', 'warn', 'create_anyway'] as const;

export const EvalCasesBatchCreateRequest = z
  .strictObject({
    cases: z
      .array(z.unknown().meta({ description: 'Each as EvalCaseCreateRequest says.' }))
      .min(1)
      .max(100),
    duplicatePolicy: z.enum(duplicatePolicies).default('block').meta({
      description:
        'What becomes of a case whose content the suite has already. create_anyway needs overrideReason.',
    }),
    overrideReason: z.string().trim().min(1).max(500).optional(),
  })
  .meta({ id: 'EvalCasesBatchCreateRequest' });

export const EvalCaseWarning = z
  .object({ path: z.string().optional(), code: z.string(), message: z.string() })
  .meta({ id: 'EvalCaseWarning' });

export const EvalCasesBatchResult = z
  .object({
    created: z.array(
      z.object({
        index: z.int(),
        id: Id,
        declaredId: z.string().optional(),
        title: z.string(),
        replayed: z.boolean(),
        warnings: z.array(EvalCaseWarning).optional(),
      }),
    ),
    failed: z.array(
      z.object({
        index: z.int(),
        title: z.string().optional(),
        declaredId: z.string().optional(),
        code: z.enum(caseProblemCodes),
        message: z.string(),
      }),
    ),
    duplicatePolicy: z.object({
      requestedPolicy: z.enum(duplicatePolicies).optional(),
      effectivePolicy: z.enum(duplicatePolicies),
      coerced: z.boolean(),
    }),
    warnings: z.array(EvalCaseWarning).optional(),
  })
  .meta({ id: 'EvalCasesBatchResult' });
