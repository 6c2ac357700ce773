/**
 * Sets the judge of each assertion that needs one: the model in the assertion, else the suite's
 * judge, else the operator's. The plan stores the result, so that a run keeps the judges it was
 * launched with.
 */
import type { Assertion } from '../assertions/assertion.ts';
import { invalid, type Refusal } from '../kernel/refusal.ts';
import type { PlannedCase } from './planned-case.ts';
import type { Step } from './step.ts';
import type { JudgeSettings } from './suite-definition.ts';

export function nameJudges(
  planned: PlannedCase,
  ofSuite: JudgeSettings | undefined,
  ofOperator: string | undefined,
): PlannedCase | { readonly refusal: Refusal } {
  if (goalsOf(planned).length === 0) return planned;
  const model = modelOf(ofSuite) ?? ofOperator;
  const isUnnamed = goalsOf(planned).some(({ judgeModel }) => judgeModel === undefined);
  if (isUnnamed && model === undefined) return { refusal: noJudge(planned.title) };
  const name = <Asserted extends Step | Assertion>(one: Asserted): Asserted =>
    'type' in one && one.type === 'goalCompleted' && one.judgeModel === undefined
      ? { ...one, judgeModel: model }
      : one;
  return {
    ...planned,
    assertions: planned.assertions.map(name),
    steps: planned.steps.map((step) =>
      step.kind === 'assert' && 'type' in step.assertion
        ? { ...step, assertion: name(step.assertion) }
        : step,
    ),
  };
}

export function judgesOf(
  cases: readonly Pick<PlannedCase, 'steps' | 'assertions'>[],
): readonly { readonly model: string }[] {
  const named = cases.flatMap(goalsOf).flatMap(({ judgeModel }) => judgeModel ?? []);
  return [...new Set(named)].map((model) => ({ model }));
}

export function goalsOf({ steps, assertions }: Pick<PlannedCase, 'steps' | 'assertions'>) {
  const asserted = steps.flatMap((step) => (step.kind === 'assert' ? [step.assertion] : []));
  return [...assertions, ...asserted].flatMap((one) =>
    'type' in one && one.type === 'goalCompleted' ? [one] : [],
  );
}

function modelOf(judge: JudgeSettings | undefined): string | undefined {
  const { model, provider } = judge ?? {};
  const isWhole = provider === undefined || model?.startsWith(`${provider}/`);
  return model === undefined || isWhole ? model : `${provider}/${model}`;
}

function noJudge(title: string): Refusal {
  const message = `The case ${JSON.stringify(title)} needs a judge, but no model is set for it; set judgeModel in the assertion, or the model of the judge in the settings of the suite.`;
  return invalid('judgeModel', message, { reason: 'JUDGE_MODEL_REQUIRED' });
}
