/**
 * Composes the decision summary of a run in programs that read it from the API: the verdict comes
 * from the run, and below it are the trials that did not pass. Two requests are enough for a run of
 * any size, since passed trials need not be read.
 */
import { creditsUsedUp } from '../chain/error-causes.ts';
import type { RunReplay } from '../recordings/run-replay.ts';
import type { RowSample } from '../suites/case-data.ts';
import type { RunTrialPlans } from '../suites/plans-of-run.ts';
import type { LeftOut } from '../trials/left-out.ts';
import type { RefusedTool } from '../trials/refused-calls.ts';
import type { DecidedBy } from './decided-by.ts';
import { composeDecisionSummary, type DecisionSummary } from './decision-summary.ts';
import type { ScannedTrial } from './diagnostics.ts';
import { type DecisionUndecided, terminalRunStatuses } from './verdict-source.ts';

/** A run as the API returns it. */
export interface ReadRun {
  readonly id: string;
  readonly projectId: string;
  readonly source: string;
  readonly status: string;
  readonly result: unknown;
  readonly verdictPolicyVersion: unknown;
  readonly verdictSummary: unknown;
  readonly summary: { readonly total?: unknown; readonly passed?: unknown } | null;
  readonly undecided?: DecisionUndecided | undefined;
  readonly iterationCount: number;
  /** The expected number of trials; absent or null if it is unknown. */
  readonly expectedIterations?: number | null | undefined;
  /** The number of the run's case variants that assert nothing. */
  readonly assertsNothing?: { readonly caseVariants: number } | undefined;
  /** The number of trials with warnings, and the warnings. */
  readonly warnedTrials?:
    | { readonly count: number; readonly messages: readonly string[] }
    | undefined;
  /** Has the value `run` if the trials shared one session with each server. */
  readonly sessions?: string | undefined;
  /**
   * `credits` if the run was stopped because its own credits, or the organization's credits for the
   * day, were used up.
   */
  readonly stopReason?: 'credits' | undefined;
  /** The credit limit set at launch, however the run ended. */
  readonly maxCredits?: number | undefined;
  /** The cases of which only some rows were played. */
  readonly samples?: readonly RowSample[] | undefined;
  /** Present if the run replays an earlier run. */
  readonly replay?: RunReplay | undefined;
  /** The tools whose calls a policy rejected. */
  readonly refusedCalls?: readonly RefusedTool[] | undefined;
  readonly leftOut?: LeftOut | undefined;
  readonly plans?: RunTrialPlans | null | undefined;
  /** Whether the run passed without any call to a server. */
  readonly nothingCalled?: boolean | undefined;
  readonly decidedBy?: DecidedBy | undefined;
}

/** The first trials that did not pass, in list order; `isAll` tells whether there are no more. */
export interface TrialsNotPassed {
  readonly items: readonly (Omit<ScannedTrial, 'iterationId'> & {
    readonly id: string;
    readonly stageResultsUnverified?: true | undefined;
  })[];
  readonly isAll: boolean;
}

export function summaryOfRun(run: ReadRun, trials?: TrialsNotPassed): DecisionSummary {
  const { items = [], isAll = false } = trials ?? {};
  const isOver = hasEnded(run);
  const summary = composeDecisionSummary({
    projectId: run.projectId,
    run: {
      runId: run.id,
      status: run.status,
      result: run.result,
      verdictPolicyVersion: run.verdictPolicyVersion,
      verdictSummary: run.verdictSummary,
      integrityError: run.undecided?.detail,
      legacySummary: run.summary,
      samples: run.samples,
      replay: run.replay,
      refusedCalls: run.refusedCalls,
      leftOut: run.leftOut,
      plans: run.plans,
      nothingCalled: run.nothingCalled,
      decidedBy: run.decidedBy,
      ...whatStopped(run, items),
    },
    trials: items.map(asRecord),
    // While the run continues, further trials may fail, so the list is complete only after its end.
    page: { cursorGiven: !isAll, allTrialsRecorded: isOver },
  });
  if (trials === undefined) return summary;
  const examined = isOver ? (total(run) ?? run.iterationCount) : run.iterationCount;
  const scannedIterations = Math.max(examined, items.length);
  return { ...summary, diagnostics: { ...summary.diagnostics, scannedIterations } };
}

/**
 * The credits for the day may also stop a run that has its own limit. Only the trials' errors show
 * which limit it was.
 */
function whatStopped({ stopReason, maxCredits }: ReadRun, trials: TrialsNotPassed['items']) {
  if (stopReason === undefined) return {};
  const isByDay = trials.some(({ error }) => error === creditsUsedUp);
  return { stopReason, ...(maxCredits !== undefined && !isByDay && { maxCredits }) };
}

/** Returns what is known about a run in addition to its verdict, as input for its sentences. */
export function knownOfRun(run: ReadRun, isAll: boolean) {
  const { summary, assertsNothing, sessions, warnedTrials } = run;
  const { total: all, passed } = summary ?? {};
  const isCounted = typeof all === 'number' && typeof passed === 'number';
  return {
    picked: { isAll, ...(isCounted && { total: all - passed }) },
    assertsNothing: assertsNothing?.caseVariants,
    isReported: run.source === 'sdk',
    sharesSessions: sessions === 'run',
    warnedTrials,
    ...(!hasEnded(run) && { toCome: trialsToCome(run) }),
  };
}

function hasEnded({ status }: ReadRun): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

function trialsToCome({ expectedIterations, iterationCount }: ReadRun): number | undefined {
  if (typeof expectedIterations !== 'number') return undefined;
  return Math.max(0, expectedIterations - iterationCount);
}

function total({ summary }: ReadRun): number | undefined {
  return typeof summary?.total === 'number' ? summary.total : undefined;
}

/**
 * Converts a trial from the API to a stored trial. For an invalid chain the API sends only a flag;
 * `stageResults: null` makes the reader treat the chain as invalid again.
 */
function asRecord({
  id,
  stageResultsUnverified,
  ...trial
}: TrialsNotPassed['items'][number]): ScannedTrial {
  const chain = stageResultsUnverified === true ? { stageResults: null } : {};
  return { ...trial, iterationId: id, ...chain };
}
