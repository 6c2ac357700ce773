/**
 * Composes the decision summary of a run for programs that read it from the API. Two requests are
 * enough for a run of any size: one for the run, and one for the trials that did not pass.
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
  readonly assertsNothing?: { readonly caseVariants: number } | undefined;
  readonly warnedTrials?:
    | { readonly count: number; readonly messages: readonly string[] }
    | undefined;
  /** `run` if all trials shared one session with each server. */
  readonly sessions?: string | undefined;
  /** `credits` if the run's own credit limit or the organization's daily limit stopped the run. */
  readonly stopReason?: 'credits' | undefined;
  readonly maxCredits?: number | undefined;
  /** The cases of which only some rows were run. */
  readonly samples?: readonly RowSample[] | undefined;
  readonly replay?: RunReplay | undefined;
  readonly refusedCalls?: readonly RefusedTool[] | undefined;
  readonly leftOut?: LeftOut | undefined;
  readonly plans?: RunTrialPlans | null | undefined;
  readonly nothingCalled?: boolean | undefined;
  readonly decidedBy?: DecidedBy | undefined;
}

/** The first trials that did not pass, in list order; `isAll` is true if the list is complete. */
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
    // While the run continues, more trials may fail. So the list is complete only after the run has
    // ended.
    page: { cursorGiven: !isAll, allTrialsRecorded: isOver },
  });
  if (trials === undefined) return summary;
  const examined = isOver ? (total(run) ?? run.iterationCount) : run.iterationCount;
  const scannedIterations = Math.max(examined, items.length);
  return { ...summary, diagnostics: { ...summary.diagnostics, scannedIterations } };
}

/**
 * The organization's daily limit can also stop a run that has its own limit. Only the errors of the
 * trials show which limit stopped it.
 */
function whatStopped({ stopReason, maxCredits }: ReadRun, trials: TrialsNotPassed['items']) {
  if (stopReason === undefined) return {};
  const isByDay = trials.some(({ error }) => error === creditsUsedUp);
  return { stopReason, ...(maxCredits !== undefined && !isByDay && { maxCredits }) };
}

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
 * Converts a trial from the API to a stored trial. For invalid stage results the API sends only a
 * flag; `stageResults: null` then marks them as invalid.
 */
function asRecord({
  id,
  stageResultsUnverified,
  ...trial
}: TrialsNotPassed['items'][number]): ScannedTrial {
  const chain = stageResultsUnverified === true ? { stageResults: null } : {};
  return { ...trial, iterationId: id, ...chain };
}
