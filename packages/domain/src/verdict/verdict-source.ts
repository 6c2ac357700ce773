/**
 * Where a run's verdict comes from. The checks run in this order, and the first that applies
 * decides:
 * 1. a run whose status is not terminal has no verdict, even if a decision is stored; an unknown
 *    status counts as not terminal;
 * 2. a run of policy version 2 (the number 2 exactly) has the verdict of its decision, whatever its
 *    status; if the decision does not validate, there is no verdict, and the run is not treated as
 *    a legacy run;
 * 3. a legacy run with another terminal status than `completed` has no verdict;
 * 4. a legacy run whose result is neither `passed` nor `failed` has no verdict;
 * 5. otherwise the verdict is the recorded result.
 */
import * as z from 'zod';
import type { RunReplay } from '../recordings/run-replay.ts';
import type { RowSample } from '../suites/case-data.ts';
import type { RunTrialPlans } from '../suites/plans-of-run.ts';
import type { LeftOut } from '../trials/left-out.ts';
import type { RefusedTool } from '../trials/refused-calls.ts';
import { type LegacyCounts, recordedCounts, type TrialCounts } from './counts.ts';
import type { DecidedBy } from './decided-by.ts';
import { type Decision, type TaskVerdict, verdictPolicyVersion, verdicts } from './decision.ts';
import { readDecision } from './read-decision.ts';

export const summaryVerdicts = [...verdicts, 'notEstablished'] as const;
export type SummaryVerdict = (typeof summaryVerdicts)[number];

export const verdictSources = ['policyV2', 'legacy', 'none'] as const;
export type VerdictSource = (typeof verdictSources)[number];

export const terminalRunStatuses = ['completed', 'failed', 'cancelled', 'timed_out'] as const;

export const undecidedReasons = [
  'runNotTerminal',
  'runStatusNotAVerdict',
  'runResultNotAVerdict',
  'verdictSummaryUnavailable',
] as const;
export type UndecidedReason = (typeof undecidedReasons)[number];

export const DecisionUndecided = z
  .strictObject({
    reason: z.enum(undecidedReasons),
    detail: z.string().min(1).exactOptional().meta({
      description:
        'The detail that was recorded when the run could not be decided. Never invented.',
    }),
  })
  .meta({ id: 'EvalRunDecisionUndecided' });
export type DecisionUndecided = z.infer<typeof DecisionUndecided>;

/** A run as stored. Only its id and its status are always present. */
export interface RunRecord {
  readonly runId: string;
  readonly status: string;
  readonly stopReason?: 'credits' | null;
  /** The cases of which only some rows were played. */
  readonly samples?: readonly RowSample[] | undefined;
  /** Present if the run replays an earlier run. */
  readonly replay?: RunReplay | null | undefined;
  /** The tools whose calls a policy rejected. */
  readonly refusedCalls?: readonly RefusedTool[] | undefined;
  readonly leftOut?: LeftOut | undefined;
  /** How the trial plans of the run are carried out. */
  readonly plans?: RunTrialPlans | null | undefined;
  /**
   * Whether no server was called. Then the run says nothing about any server, whatever the verdicts
   * of its cases.
   */
  readonly nothingCalled?: boolean | undefined;
  readonly decidedBy?: DecidedBy | undefined;
  /** The credit limit set at launch; present only if it stopped the run. */
  readonly maxCredits?: number;
  readonly result?: unknown;
  readonly verdictPolicyVersion?: unknown;
  readonly verdictSummary?: unknown;
  readonly integrityError?: unknown;
  readonly legacySummary?: LegacyCounts | null;
}

export type EstablishedVerdict =
  | { readonly verdictSource: 'policyV2'; readonly decision: Decision }
  | {
      readonly verdictSource: 'legacy';
      readonly verdict: TaskVerdict;
      readonly counts: TrialCounts | undefined;
    }
  | { readonly verdictSource: 'none'; readonly undecided: DecisionUndecided };

export function establishVerdict(run: RunRecord): EstablishedVerdict {
  if (!(terminalRunStatuses as readonly string[]).includes(run.status)) {
    return undecided({ reason: 'runNotTerminal' });
  }
  if (run.verdictPolicyVersion === verdictPolicyVersion) {
    const decision = readDecision(run.verdictSummary);
    if (decision !== undefined) return { verdictSource: 'policyV2', decision };
    return undecided({
      reason: 'verdictSummaryUnavailable',
      ...(isText(run.integrityError) && { detail: run.integrityError }),
    });
  }
  if (run.status !== 'completed') return undecided({ reason: 'runStatusNotAVerdict' });
  if (run.result !== 'passed' && run.result !== 'failed') {
    return undecided({
      reason: 'runResultNotAVerdict',
      ...(isText(run.integrityError) && { detail: run.integrityError }),
    });
  }
  const counts = recordedCounts(run.legacySummary);
  return { verdictSource: 'legacy', verdict: run.result, counts };
}

function undecided(reason: DecisionUndecided): EstablishedVerdict {
  return { verdictSource: 'none', undecided: reason };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
