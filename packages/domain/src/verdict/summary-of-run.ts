/**
 * The decision summary of a run, composed by its readers: the verdict from the run, and below it
 * the trials that did not pass, however many passed between them. Two requests are enough for a run
 * of any size, without paging.
 */
import { creditsUsedUp } from '../chain/error-causes.ts';
import type { RunReplay } from '../recordings/run-replay.ts';
import type { RowSample } from '../suites/case-data.ts';
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
  /** The expected number of trials, if it is known. */
  readonly expectedIterations?: number | null | undefined;
  /** Its case variants that assert nothing. */
  readonly assertsNothing?: { readonly caseVariants: number } | undefined;
  /** Trials with warnings beside their result. */
  readonly warnedTrials?:
    | { readonly count: number; readonly messages: readonly string[] }
    | undefined;
  /** `run`: its trials shared one session with each server. */
  readonly sessions?: string | undefined;
  /** Its credits were used up: those of its launch, or those of the day. */
  readonly stopReason?: 'credits' | undefined;
  /** The credit limit of its launch, whatever ended the run. */
  readonly maxCredits?: number | undefined;
  /** Cases of which the run played only some rows. */
  readonly samples?: readonly RowSample[] | undefined;
  /** Present for a run that replays an earlier one. */
  readonly replay?: RunReplay | undefined;
  /** Tools whose calls a policy rejected. */
  readonly refusedCalls?: readonly RefusedTool[] | undefined;
  readonly leftOut?: LeftOut | undefined;
  /** It passed without any call to a server. */
  readonly nothingCalled?: boolean | undefined;
  readonly decidedBy?: DecidedBy | undefined;
}

/** Trials that did not pass, as in their list, from the first one on. */
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
      nothingCalled: run.nothingCalled,
      decidedBy: run.decidedBy,
      ...whatStopped(run, items),
    },
    trials: items.map(asRecord),
    // Later trials may fail to pass too, so the list is complete only after the end.
    page: { cursorGiven: !isAll, allTrialsRecorded: isOver },
  });
  if (trials === undefined) return summary;
  const examined = isOver ? (total(run) ?? run.iterationCount) : run.iterationCount;
  const scannedIterations = Math.max(examined, items.length);
  return { ...summary, diagnostics: { ...summary.diagnostics, scannedIterations } };
}

/**
 * Credits of the day can also stop a run with its own limit; only its trials show which one it was.
 */
function whatStopped({ stopReason, maxCredits }: ReadRun, trials: TrialsNotPassed['items']) {
  if (stopReason === undefined) return {};
  const isByDay = trials.some(({ error }) => error === creditsUsedUp);
  return { stopReason, ...(maxCredits !== undefined && !isByDay && { maxCredits }) };
}

/** Returns the facts of a run beside its verdict, as input of the wording. */
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
 * Restores a record. The API does not send an invalid chain, only a mark; the null here keeps it
 * invalid when it is read.
 */
function asRecord({
  id,
  stageResultsUnverified,
  ...trial
}: TrialsNotPassed['items'][number]): ScannedTrial {
  const chain = stageResultsUnverified === true ? { stageResults: null } : {};
  return { ...trial, iterationId: id, ...chain };
}
