/**
 * Ends a launched run whose row is locked: what is still open is closed with the reason, the run is decided, and
 * status, result and decision are written together. Afterwards nobody who held a slice can write, and the caller's
 * model keys are gone. A run that was completed and owes a judge's word has that asked for in the same transaction.
 */
import { createHash } from 'node:crypto';
import {
  authoredFacts,
  decideLaunchedRun,
  deriveChain,
  type PlannedCase,
  type RunPlan,
} from '@proofmark/domain';
import type { Sql } from '../../storage/database.ts';
import type { EvalRun } from '../../storage/eval-runs.ts';
import { closeSlices } from '../../storage/eval-slices.ts';
import { addJudge } from '../../storage/jobs.ts';
import { finishRun } from '../../storage/record-runs.ts';
import { closeOpenTrials, countLaunchedTrials } from '../../storage/record-trials.ts';
import { askJudge } from '../../storage/run-judges.ts';
import { dropModelKeys, findRunPlan } from '../../storage/run-plans.ts';

export type EndedAs = 'completed' | 'cancelled' | 'failed';

export async function endRun(sql: Sql, run: EvalRun, as: EndedAs): Promise<void> {
  // A run may be large, and its end is one piece of work.
  await sql`set local statement_timeout = '50s'`;
  const plan = await findRunPlan(sql, run.id);
  if (plan === undefined) throw new Error('A launched run has no plan.');
  await closeSlices(sql, run.id);
  if (as !== 'completed') await closeOpenTrials(sql, run.id, closing(plan, as));
  const terms = { terms: run.snapshot.terms, plan, wasCompleted: as === 'completed' };
  const end = decideLaunchedRun(terms, await countLaunchedTrials(sql, run.id), sha256Hex);
  const owesJudge = as === 'completed' && plan.judge?.autoRun === true;
  // A judge that is owed may need the caller's key; it drops the keys when it has spoken.
  if (!owesJudge) await dropModelKeys(sql, run.id);
  await finishRun(sql, run, { ...end, status: as, scoreIntegrity: null });
  if (owesJudge && plan.judge !== undefined) {
    const { organizationId, projectId, id } = run;
    await askJudge(sql, id, plan.judge);
    await addJudge(sql, { organizationId, projectId, runId: id });
  }
}

function closing(plan: RunPlan, as: 'cancelled' | 'failed') {
  const status = as === 'cancelled' ? ('cancelled' as const) : ('timed_out' as const);
  const error =
    as === 'cancelled'
      ? 'The run was cancelled before this trial ended.'
      : 'The time of the run was over before this trial ended.';
  const chains = new Map(plan.cases.map((one) => [one.caseId, stoppedChain(one, status)]));
  return { status, error, chains };
}

function stoppedChain(planned: PlannedCase, status: 'cancelled' | 'timed_out') {
  return deriveChain({
    authored: authoredFacts(planned),
    status,
    tracePresent: false,
    executorEmitsSpans: true,
    ...{ spans: [], turns: [], assertions: [], toolErrors: [], renders: [] },
  });
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
