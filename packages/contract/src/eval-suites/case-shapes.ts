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

const shape = EvalCaseDefinition.shape;
const dataFields = shape.data.unwrap().shape;

/**
 * Maximum size in bytes of a request body that contains a case's rows: the limit for rows plus the
 * limit for other bodies.
 */
export const largestRowsBytes = maxRowsLength + 1_000_000;

const EvalCaseRows = z
  .object({
    key: dataFields.key,
    rowCount: z.int(),
    rows: DataRows.optional().meta({ description: 'Only in reads of a single case.' }),
    sample: dataFields.sample,
  })
  .meta({
    id: 'EvalCaseRows',
    description:
      'An addition of Proofmark beyond the specification: the rows of the case. A run plays each row as a separate case.',
  });

export const EvalCase = z
  .object({
    id: Id,
    declaredId: z.string().optional(),
    title: z.string(),
    steps: shape.steps,
    expectedOutput: shape.expectedOutput,
    iterations: z.int().min(1).max(100),
    iterationsInherited: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: true if the case states no iterations, so that a run uses those of the suite.',
    }),
    isNegative: z.boolean(),
    scenario: shape.scenario,
    models: z
      .array(ModelChoice)
      .meta({ description: 'Empty if the case uses the model of the suite.' }),
    matchOptions: shape.matchOptions,
    checks: shape.checks,
    advancedConfig: shape.advancedConfig,
    passThreshold: shape.passThreshold,
    trials: shape.trials,
    failOnToolError: shape.failOnToolError,
    elicitations: shape.elicitations,
    timeoutMs: shape.timeoutMs,
    data: EvalCaseRows.optional(),
    ...setupFields,
    disabled: shape.disabled,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'EvalCase' });
export type EvalCase = z.infer<typeof EvalCase>;

export const EvalCaseWritten = EvalCase.extend({
  warnings: EvalWarnings,
}).meta({ id: 'EvalCaseWritten' });

export const EvalCasePage = pageOf(EvalCase, 'EvalCasePage');

/** If the list is empty, the case names no model and uses the suite's. */
const Models = z.array(ModelChoice).max(20);

const clearable = {
  expectedOutput: shape.expectedOutput.unwrap().nullable(),
  iterations: shape.iterations.unwrap().nullable(),
  isNegative: shape.isNegative.unwrap().nullable(),
  scenario: shape.scenario.unwrap().nullable(),
  models: Models.nullable(),
  matchOptions: shape.matchOptions.unwrap().nullable(),
  checks: shape.checks.unwrap().nullable(),
  advancedConfig: shape.advancedConfig.unwrap().nullable(),
  passThreshold: shape.passThreshold.unwrap().nullable(),
  trials: shape.trials.unwrap().nullable(),
  failOnToolError: shape.failOnToolError.unwrap().nullable(),
  elicitations: shape.elicitations.unwrap().nullable(),
  timeoutMs: shape.timeoutMs.unwrap().nullable(),
  data: shape.data.unwrap().nullable(),
  before: shape.before.unwrap().nullable(),
  beforeTimeoutMs: shape.beforeTimeoutMs.unwrap().nullable(),
  after: shape.after.unwrap().nullable(),
  afterTimeoutMs: shape.afterTimeoutMs.unwrap().nullable(),
  disabled: shape.disabled.unwrap().nullable(),
};

export const EvalCaseCreateRequest = z
  .strictObject({ title: shape.title, id: shape.declaredId, steps: shape.steps, ...clearable })
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
    description: 'Omitted fields keep their values, including the rows; null removes the sample.',
  });

export const EvalCaseUpdateRequest = atLeastOneField(
  z
    .strictObject({ title: shape.title, steps: shape.steps, ...clearable })
    .extend({
      data: EvalCaseDataUpdate.nullable(),
      expectedUpdatedAt: Instant.meta({
        description:
          'An addition of Proofmark beyond the specification: the updatedAt that was read. If the case has changed since then, nothing is written.',
      }),
    })
    .partial(),
).meta({
  id: 'EvalCaseUpdateRequest',
  description: 'Omitted fields keep their values; null clears.',
});

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
      .array(z.unknown().meta({ description: 'Each entry is an EvalCaseCreateRequest.' }))
      .min(1)
      .max(100),
    duplicatePolicy: z.enum(duplicatePolicies).default('block').meta({
      description:
        'The treatment of a case whose content the suite already has. create_anyway needs overrideReason.',
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
