import {
  type CarriedOutPlan,
  caseVariantKey,
  count,
  type DecisionCase,
  type DecisionSummary,
  grouped,
  percent,
  type RunTrialPlans,
  type Sentence,
  say,
} from '@proofmark/domain';

export const planStopWords = {
  passedEarly: 'passed early',
  failedEarly: 'failed early',
  atCap: 'decided at the cap',
  deterministic: 'one trial is enough',
  notDecided: 'stopped without an answer',
} as const satisfies Readonly<Record<NonNullable<CarriedOutPlan['stop']>, string>>;

export function plansOf(summary: DecisionSummary): RunTrialPlans | null {
  return ('plans' in summary ? summary.plans : null) ?? null;
}

export function planOfCase(
  row: DecisionCase,
  plans: RunTrialPlans | null,
): CarriedOutPlan | undefined {
  const key = caseVariantKey(row);
  return plans?.cases.find((one) => caseVariantKey(one) === key);
}

export function planStopSentence({ stop, trials, cap }: CarriedOutPlan): string {
  if (stop === 'deterministic')
    return `${planStopWords.deterministic}, because no language model is involved`;
  const used = `${grouped(trials)} of at most ${count(cap, 'trial')}`;
  if (stop === null) return `${used} so far`;
  if (stop === 'notDecided') return `${planStopWords.notDecided} after ${used}`;
  return stop === 'atCap'
    ? `${planStopWords.atCap} of ${count(cap, 'trial')}`
    : `${planStopWords[stop]} after ${used}`;
}

/** The two stated chances of a wrong result are exact, not estimates. */
export function planErrorSentence(plan: CarriedOutPlan): string {
  const { healthyRate, drop, exactFalseFail, exactMiss } = plan;
  const healthy = `a case that passes ${percent(healthyRate)} of its trials fails with a chance of ${percent(exactFalseFail)}`;
  const dropped = `one that passes ${percent(healthyRate - drop)} passes with ${percent(exactMiss)}`;
  return `${healthy}, ${dropped}`;
}

export function planSentences(plans: RunTrialPlans | null): Sentence[] {
  if (plans === null) return [];
  const used = plans.cases.reduce((sum, { trials }) => sum + trials, 0);
  const most = plans.cases.reduce((sum, { cap }) => sum + cap, 0);
  // The plan's error rates hold only for variants that its rule decided.
  const varied = plans.cases.filter(
    ({ stop }) => stop !== 'deterministic' && stop !== 'notDecided',
  );
  const all = count(plans.planned, 'case variant');
  const spent =
    used === most
      ? say`By plan, ${all} had ${count(used, 'trial')}.`
      : say`By plan, ${all} had ${count(used, 'trial')}; at most ${most} could have been needed.`;
  if (varied.length === 0) return [spent];
  const [first, ...others] = varied;
  const isAlike = others.every((one) => first && termsOf(one) === termsOf(first));
  const errors = first && isAlike ? [say`By its plan, ${planErrorSentence(first)}.`] : [];
  const isWhole = varied.length === plans.cases.length;
  return [
    spent,
    ...errors,
    ...(others.length === 0 || !isWhole
      ? []
      : [
          say`If all of them are healthy, the run fails with a chance of at most ${percent(plans.falseFailOfRun)}.`,
        ]),
  ];
}

function termsOf({ healthyRate, drop, exactFalseFail, exactMiss }: CarriedOutPlan): string {
  return [healthyRate, drop, exactFalseFail, exactMiss].join(' ');
}
