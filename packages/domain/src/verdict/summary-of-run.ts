/**
 * The decision summary of a run as its readers can put it together themselves: the verdict from the run's own read, and
 * beneath it the trials that did not pass, however many passed between them. Two reads say all of it, whatever the size
 * of the run, and none of them walks.
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

/** A run as its own read shows it. */
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
  /** How many trials it is to have, where that is known. */
  readonly expectedIterations?: number | null | undefined;
  /** Of its case variants, those that assert nothing. */
  readonly assertsNothing?: { readonly caseVariants: number } | undefined;
  /** Trials with something to know beside their result. */
  readonly warnedTrials?:
    | { readonly count: number; readonly messages: readonly string[] }
    | undefined;
  /** `run`: its trials shared one session with each server. */
  readonly sessions?: string | undefined;
  /** Its credits were used up: those that its launch gave it, or those of the day. */
  readonly stopReason?: 'credits' | undefined;
  /** What its launch gave it, whatever became of the run. */
  readonly maxCredits?: number | undefined;
  /** Cases of which it played only some rows. */
  readonly samples?: readonly RowSample[] | undefined;
  /** Of a run that plays an earlier one again. */
  readonly replay?: RunReplay | undefined;
  /** Tools of which calls were refused by policy. */
  readonly refusedCalls?: readonly RefusedTool[] | undefined;
  readonly leftOut?: LeftOut | undefined;
  /** It passed, and nothing of a server was called in it. */
  readonly nothingCalled?: boolean | undefined;
  readonly decidedBy?: DecidedBy | undefined;
}

/** Trials as their list shows them, those that did not pass, from the first one on. */
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
    // Those still to come may not pass either, so until the end nobody has listed them all.
    page: { cursorGiven: !isAll, allTrialsRecorded: isOver },
  });
  if (trials === undefined) return summary;
  const examined = isOver ? (total(run) ?? run.iterationCount) : run.iterationCount;
  const scannedIterations = Math.max(examined, items.length);
  return { ...summary, diagnostics: { ...summary.diagnostics, scannedIterations } };
}

/** A run that has credits of its own can be stopped by those of the day, too; only its trials say which it was. */
function whatStopped({ stopReason, maxCredits }: ReadRun, trials: TrialsNotPassed['items']) {
  if (stopReason === undefined) return {};
  const isByDay = trials.some(({ error }) => error === creditsUsedUp);
  return { stopReason, ...(maxCredits !== undefined && !isByDay && { maxCredits }) };
}

/** What the run's read knows beside its verdict, as the words about it take it. */
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

/** A chain that did not validate is not sent, only that there was one; read back it must not validate either. */
function asRecord({
  id,
  stageResultsUnverified,
  ...trial
}: TrialsNotPassed['items'][number]): ScannedTrial {
  const chain = stageResultsUnverified === true ? { stageResults: null } : {};
  return { ...trial, iterationId: id, ...chain };
}
