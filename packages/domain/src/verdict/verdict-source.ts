/**
 * Determines where a run's verdict comes from. The first rule that applies decides:
 * 1. A run whose status is not terminal or is unknown has no verdict, even if a decision is stored.
 * 2. A run with policy version 2 has the verdict of its decision. If the decision does not
 *    validate, the run has no verdict.
 * 3. A legacy run has no verdict if its status is not `completed`.
 * 4. A legacy run has no verdict if its result is neither `passed` nor `failed`.
 * 5. Otherwise the verdict is the recorded result.
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

/** Only the id and the status are always present. */
export interface RunRecord {
  readonly runId: string;
  readonly status: string;
  readonly stopReason?: 'credits' | null;
  /** The cases of which only some rows were run. */
  readonly samples?: readonly RowSample[] | undefined;
  readonly replay?: RunReplay | null | undefined;
  readonly refusedCalls?: readonly RefusedTool[] | undefined;
  readonly leftOut?: LeftOut | undefined;
  readonly plans?: RunTrialPlans | null | undefined;
  /** True if no server was called. The verdict then proves nothing about any server. */
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
