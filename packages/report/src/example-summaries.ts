import {
  composeDecisionSummary,
  type DecisionSummary,
  type DiagnosticsPage,
  decideRun,
  type FailureCategory,
  type RunRecord,
  resolvePolicy,
  type ScannedTrial,
  type Stage,
  type StageReason,
  type StageState,
  type StoredChain,
  stages,
} from '@proofmark/domain';

/** One letter per trial: passed, failed, timed out, evaluator error, pending, setup, cancelled. */
const trialOf = {
  p: { status: 'completed', taskVerdict: 'passed' },
  f: { status: 'completed', taskVerdict: 'failed' },
  t: { status: 'timed_out' },
  e: { status: 'completed', evaluatorError: true },
  w: { status: 'pending' },
  s: { status: 'setup_failed' },
  c: { status: 'cancelled' },
} as const;

export function decidedSummary(
  cases: readonly string[],
  trials: readonly ScannedTrial[] = [],
  page: Partial<DiagnosticsPage> = {},
  model?: string,
): DecisionSummary {
  const answer = decideRun({
    policy: resolvePolicy(),
    cases: cases.map((letters, index) => ({
      caseId: `case_${index + 1}`,
      ...(model === undefined ? {} : { executionVariant: { model, provider: 'local' } }),
      configuredTrials: letters.length,
      effectivePassThreshold: 0.8,
      trials: [...letters].map((letter) => trialOf[letter as keyof typeof trialOf]),
    })),
  });
  if (!('decision' in answer)) throw new Error(answer.integrityError);
  const run = { status: 'completed', verdictPolicyVersion: 2, verdictSummary: answer.decision };
  return summaryOf(run, trials, page);
}

export function summaryOf(
  run: Omit<RunRecord, 'runId'>,
  trials: readonly ScannedTrial[] = [],
  page: Partial<DiagnosticsPage> = {},
): DecisionSummary {
  return composeDecisionSummary({
    projectId: 'prj_1',
    run: { runId: 'run_42', ...run },
    trials,
    page: { cursorGiven: false, allTrialsRecorded: true, ...page },
  });
}

export function trial(number: number, fields: Partial<ScannedTrial> = {}): ScannedTrial {
  return {
    iterationId: `itr_${number}`,
    iterationNumber: number,
    title: `Case ${number}`,
    status: 'completed',
    result: 'failed',
    expectedToolCalls: [],
    actualToolCalls: [],
    ...fields,
  };
}

export function chainStoppedAt(
  stage: Stage,
  reason: StageReason,
  failureCategory: FailureCategory,
  predicateReasons?: readonly string[],
): StoredChain {
  const failedAt = stages.indexOf(stage);
  const row = (name: Stage, index: number) => {
    if (index < failedAt) return { stage: name, state: 'passed', reason: 'observed' };
    if (index > failedAt) return { stage: name, state: 'notReached', reason: 'earlierStageFailed' };
    const evidence = predicateReasons && { evidence: { predicateReasons } };
    return { stage: name, state: 'failed', reason, ...evidence };
  };
  return {
    stageResults: stages.map(row),
    firstFailedStage: stage,
    failureCategory,
    stageAnalyzerVersion: 1,
  };
}

export function chainOf(
  states: readonly [StageState, StageReason][],
  fields: Partial<StoredChain> = {},
): StoredChain {
  const stageResults = stages.map((stage, index) => {
    const [state, reason] = states[index] ?? states[0] ?? ['notMeasured', 'traceAbsent'];
    return { stage, state, reason };
  });
  return { stageResults, stageAnalyzerVersion: 1, ...fields };
}
