/**
 * A case as its author wrote it. Missing fields stay absent: the suite's defaults are applied at
 * the time of a run, and a suite file that is read and written again stays the same.
 */
import * as z from 'zod';
import { MatchOptionsLayer } from '../assertions/match-options.ts';
import { modelParameterFields } from '../models/model-parameters.ts';
import { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import { caseIdPattern, maxConfiguredTrials } from '../verdict/decision.ts';
import { CaseData } from './case-data.ts';
import { besidePlan } from './case-trials.ts';
import { Elicitations } from './elicitation.ts';
import { setupFields } from './setup-and-teardown.ts';
import { Steps, TimeLimit } from './step.ts';
import { CaseAssertion, templatesWithoutData } from './template-assertion.ts';

export const maxCaseAssertions = 50;

export const ModelChoice = z
  .strictObject({
    model: z.string().trim().min(1).max(200),
    provider: z.string().trim().min(1).max(200).optional(),
  })
  .meta({ id: 'EvalModelChoice' });
export type ModelChoice = z.infer<typeof ModelChoice>;

export const Checks = z
  .strictObject({
    mode: z.enum(['inherit', 'replace', 'extend']),
    list: z.array(CaseAssertion).max(maxCaseAssertions).optional(),
  })
  .meta({
    id: 'EvalCaseChecks',
    description:
      'inherit: those of the suite; replace: this list; extend: those of the suite, then this list.',
  });
export type Checks = z.infer<typeof Checks>;

export const AdvancedConfig = z
  .strictObject({
    system: z.string().max(100_000).optional(),
    ...modelParameterFields,
    toolChoice: z.enum(['auto', 'required', 'none']).optional(),
  })
  .meta({ id: 'EvalAdvancedConfig', description: 'Settings that override those of the client.' });

export const caseImportStatuses = ['exact', 'approximated', 'unsupported', 'unresolved'] as const;

const fields = {
  title: z.string().trim().min(1).max(200),
  declaredId: z.string().regex(caseIdPattern).optional(),
  steps: Steps,
  expectedOutput: z.string().max(100_000).optional(),
  iterations: z.int().min(1).max(maxConfiguredTrials).optional(),
  isNegative: z.boolean().optional(),
  scenario: z.string().max(10_000).optional(),
  models: z.array(ModelChoice).min(1).max(20).optional(),
  matchOptions: MatchOptionsLayer.optional(),
  checks: Checks.optional(),
  advancedConfig: AdvancedConfig.optional(),
  passThreshold: z.number().min(0).max(1).optional(),
  trials: StatedTrialPlan.optional(),
  failOnToolError: z.boolean().optional(),
  elicitations: Elicitations.optional(),
  timeoutMs: TimeLimit.optional(),
  data: CaseData.optional(),
  ...setupFields,
  disabled: z.boolean().optional(),
  import: z
    .strictObject({
      status: z.enum(caseImportStatuses),
      sourceCaseKey: z.string().max(1000).optional(),
      note: z.string().max(2000).optional(),
    })
    .optional(),
};

export const replacedByPlan = ['iterations', 'passThreshold'] as const;

export const EvalCaseDefinition = z.strictObject(fields).superRefine((stated, context) => {
  for (const { path, message } of templatesWithoutData(stated)) {
    context.addIssue({ code: 'custom', path, message });
  }
  const message = besidePlan(stated, replacedByPlan);
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['trials'], message });
});
export type EvalCaseDefinition = z.infer<typeof EvalCaseDefinition>;
