import type { EvalCaseDefinition } from './eval-case.ts';
import { planRun, type RunOverrides, type RunToPlan } from './plan-run.ts';
import type { SuiteDefinition } from './suite-definition.ts';

const steps: EvalCaseDefinition['steps'] = [{ id: 's', kind: 'prompt', prompt: 'Hello' }];

export function caseToPlan(id: string, definition: Partial<EvalCaseDefinition> = {}) {
  return {
    id,
    caseKey: `key:${id}`,
    declaredId: definition.declaredId ?? null,
    definition: { title: id, steps, ...definition },
  };
}

export function runToPlan(
  suite: Partial<SuiteDefinition> = {},
  cases: RunToPlan['cases'] = [caseToPlan('one')],
  overrides: RunOverrides = {},
  more: Partial<RunToPlan> = {},
): RunToPlan {
  const definition: SuiteDefinition = { model: 'p/suite', settings: {}, ...suite };
  return {
    suite: { id: 'ste_1', name: 'Suite', definition },
    cases,
    overrides,
    servers: [{ id: 'srv_1', name: 'Server' }],
    skills: [{ skillId: 'k', skillVersionId: 'kv', name: 'Skill', contentHash: 'h' }],
    limits: { maxModelSteps: 20, trialTimeoutMs: 1000 },
    ...more,
  };
}

export function planned(given: RunToPlan) {
  const outcome = planRun(given);
  if ('refusal' in outcome) throw new Error(outcome.refusal.message);
  return outcome;
}

export function reasonOf(given: RunToPlan): unknown {
  const outcome = planRun(given);
  return 'refusal' in outcome ? outcome.refusal.details?.['reason'] : undefined;
}
