/**
 * A stored decision is shown only if it is valid and belongs to the policy that decides the run.
 * Counts are shown as recorded; a missing count is not shown as zero.
 */
import type { OutputOf } from '@proofmark/contract';
import {
  type EstablishedVerdict,
  establishVerdict,
  groundednessThreshold,
  readDecision,
  type TaskVerdict,
  taskVerdicts,
  terminalRunStatuses,
  trialStatistics,
  verdictPolicyVersion,
} from '@proofmark/domain';
import { asRunRecord, decidedByOf, type StoredRun } from '../../store/eval-runs.ts';
import type { StoredWaiver } from '../../store/gate-waivers.ts';
import type { GoalCompletion } from '../../store/run-judges.ts';
import { presentGateWaiver } from './present-gate-waiver.ts';

type Shown = OutputOf<'getEvalRun'>;

export function presentRun(run: StoredRun, waiver: StoredWaiver | undefined): Shown {
  const isV2 = run.verdictPolicyVersion === verdictPolicyVersion;
  const decidedBy = decidedByOf(run);
  const decision = (isV2 ? readDecision(run.verdictSummary) : undefined) ?? null;
  return {
    id: run.id,
    suiteId: run.suiteId,
    projectId: run.projectId,
    runNumber: run.runNumber,
    status: run.status,
    ...(run.stopReason !== null && { stopReason: 'credits' as const }),
    ...presentOutcome(run),
    ...presentVerdict(establishVerdict(asRunRecord(run))),
    ...presentSource(run),
    ...(run.isSample && { isSample: true as const }),
    notes: run.notes,
    createdAt: run.createdAt.getTime(),
    completedAt: run.completedAt?.getTime() ?? null,
    scoreIntegrity: run.scoreIntegrity,
    environment: run.snapshot.environment,
    verdictPolicyVersion: isV2 ? verdictPolicyVersion : null,
    verdictSummary: decision,
    trialStatistics: decision && trialStatistics(decision),
    ...(decision !== null && run.caseTitles !== null && { caseTitles: run.caseTitles }),
    ...(run.assertsNothing !== null && {
      assertsNothing: { ...run.assertsNothing, titles: [...run.assertsNothing.titles] },
    }),
    gateWaiver: waiver === undefined ? null : presentGateWaiver(waiver),
    externalRunId: run.externalRunId,
    framework: run.framework,
    ci: run.ci,
    tags: [...run.tags],
    expectedIterations: run.expectedIterations,
    iterationCount: run.iterationCount,
    ...(decidedBy !== undefined && { decidedBy }),
    ...(run.source === 'sdk' ? {} : launchedPart(run)),
  };
}

function presentSource({ source, snapshot }: StoredRun): Pick<Shown, 'source' | 'conformance'> {
  const { conformance } = snapshot;
  return conformance === undefined ? { source } : { source: 'conformance', conformance };
}

function presentVerdict(established: EstablishedVerdict): Pick<Shown, 'verdict' | 'undecided'> {
  switch (established.verdictSource) {
    case 'policyV2':
      return { verdict: established.decision.verdict };
    case 'legacy':
      return { verdict: established.verdict };
    case 'none':
      return { verdict: 'notEstablished', undecided: established.undecided };
  }
}

function launchedPart({ runGroupId, goalCompletion, judgeVotes, snapshot, replay }: StoredRun) {
  const { sessions, rerunOf, samples, maxCredits, seed, overlay } = snapshot;
  return {
    executionEngine: 'proofmark' as const,
    ...(runGroupId === null ? {} : { runGroupId }),
    ...(rerunOf !== undefined && { rerunOf }),
    ...(replay !== null && { replay }),
    ...(sessions === 'run' && { sessions }),
    ...(samples !== undefined && { samples: [...samples] }),
    ...(typeof maxCredits === 'number' && { maxCredits }),
    ...(typeof seed === 'number' && { seed }),
    ...(overlay && { overlay: { ...overlay } }),
    judges: {
      goalCompletion: presentGoalCompletion(goalCompletion),
      groundedness: presentGroundedness(goalCompletion),
      ...(judgeVotes !== null && { assertions: judgeVotes }),
    },
  };
}

function presentGoalCompletion(
  judged: GoalCompletion | undefined,
): NonNullable<Shown['judges']>['goalCompletion'] {
  if (judged === undefined) return { ...neverAsked, cases: [] };
  return {
    status: judged.status,
    errorCode: judged.errorCode,
    summary: judged.summary,
    generatedAt: judged.generatedAt,
    modelUsed: judged.modelUsed,
    threshold: judged.threshold,
    cases: judged.cases.map((one) => ({ ...one, rubricHits: [...one.rubricHits] })),
  };
}

/**
 * Groundedness (whether tool results support the answers) is requested together with goal
 * completion. Results of earlier versions lack it.
 */
function presentGroundedness(
  judged: GoalCompletion | undefined,
): NonNullable<Shown['judges']>['groundedness'] {
  if (judged?.status === 'pending') {
    return { ...neverAsked, status: 'pending', threshold: groundednessThreshold, cases: [] };
  }
  if (judged?.groundedness === undefined) return { ...neverAsked, cases: [] };
  const { cases, ...rest } = judged.groundedness;
  return {
    ...rest,
    generatedAt: judged.generatedAt,
    modelUsed: judged.modelUsed,
    cases: cases.map((one) => ({ ...one, unsupportedClaims: [...one.unsupportedClaims] })),
  };
}

const neverAsked = {
  status: null,
  errorCode: null,
  summary: null,
  generatedAt: null,
  modelUsed: null,
  threshold: null,
};

export function hasEnded(run: Pick<StoredRun, 'status'>): boolean {
  return (terminalRunStatuses as readonly string[]).includes(run.status);
}

export function presentOutcome(run: StoredRun): Pick<Shown, 'result' | 'summary'> {
  return {
    result: isTaskVerdict(run.result) ? run.result : null,
    summary: hasEnded(run) ? presentCounts(run) : null,
  };
}

function presentCounts({ totalTrials, passedTrials, failedTrials }: StoredRun): Shown['summary'] {
  const counts = {
    ...(totalTrials !== null && { total: totalTrials }),
    ...(passedTrials !== null && { passed: passedTrials }),
    ...(failedTrials !== null && { failed: failedTrials }),
    ...(totalTrials !== null &&
      passedTrials !== null && { passRate: totalTrials === 0 ? null : passedTrials / totalTrials }),
  };
  return Object.keys(counts).length === 0 ? null : counts;
}

function isTaskVerdict(result: string | null): result is TaskVerdict {
  return (taskVerdicts as readonly (string | null)[]).includes(result);
}
