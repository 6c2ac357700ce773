/**
 * Ends a launched run whose row is locked. Closes open trials, decides the run, and writes status,
 * result and decision together. If a completed run requires a judge, the judge is requested in the
 * same transaction.
 */

import { countedTrials, judgesOf, type RunPlan } from '@proofmark/domain';
import { giveBack } from '../../../../platform/accounts/store/daily-counters.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import type { StopReason } from '../../../../platform/spending/metered-models.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { contentHashesOf } from '../../store/histories.ts';
import { countJudgeVotes, keepJudgeVotes } from '../../store/judge-votes.ts';
import { readToolsOfRun } from '../../store/listed-tools.ts';
import { finishRun, scoreIntegrityOf } from '../../store/record-runs.ts';
import { closeOpenTrials, countLaunchedTrials } from '../../store/record-trials.ts';
import { keepReplay } from '../../store/recorded-trials.ts';
import { askJudge } from '../../store/run-judges.ts';
import { dropModelKeys, dropPinnedServers, findRunPlan } from '../../store/run-plans.ts';
import { addJudging, closeSlices } from '../../store/run-work.ts';
import { closingOf, countUnasserted, decideEndedRun, type EndedAs } from './end-of-run.ts';

export async function endRun(
  sql: Sql,
  run: StoredRun,
  as: EndedAs,
  stopReason: StopReason | null = null,
): Promise<void> {
  // Longer than the connection's default, because the statements that end a large run take long.
  await sql`set local statement_timeout = '50s'`;
  const plan = await findRunPlan(sql, run.id);
  await closeSlices(sql, run.id);
  if (as !== 'completed') await closeOpenTrials(sql, run.id, closingOf(plan, as, stopReason));
  const trials = await countLaunchedTrials(sql, run.id);
  const end = decideEndedRun(run.snapshot.terms, plan, as, trials);
  const owed = as === 'completed' && plan?.judge?.autoRun === true ? plan.judge : undefined;
  // A pending judge may need the caller's keys, so they are deleted only after the judge has
  // answered.
  if (owed === undefined) await dropModelKeys(sql, run.id);
  await dropPinnedServers(sql, run.id);
  const scoreIntegrity = await scoreIntegrityOf(sql, run.id);
  const assertsNothing = plan && countUnasserted(plan, await readToolsOfRun(sql, run.id));
  const contents = plan && contentHashesOf(plan);
  const outcome = { status: as, stopReason, scoreIntegrity, assertsNothing, contents };
  await finishRun(sql, run, { ...end, ...outcome });
  const isVoted = plan !== undefined && judgesOf(plan.cases).length > 0;
  const votes = isVoted ? await countJudgeVotes(sql, run.id) : undefined;
  if (votes !== undefined) await keepJudgeVotes(sql, run.id, votes);
  if (plan?.replay !== undefined) await keepReplay(sql, run.id, plan.replay);
  if (owed !== undefined) {
    const { organizationId, projectId, id } = run;
    await askJudge(sql, id, owed);
    await addJudging(sql, { organizationId, projectId, runId: id });
  }
  await settleQuota(sql, run, plan, end.counts.total);
}

/**
 * At launch, the quota was charged with all trials that the plans could need. Unused trials are
 * given back. Trials that replaced ungraded ones are charged in addition.
 */
async function settleQuota(
  sql: Sql,
  run: StoredRun,
  plan: RunPlan | undefined,
  begun: number,
): Promise<void> {
  if (run.snapshot.planned === undefined || plan === undefined) return;
  const amount = countedTrials(plan).length - begun;
  if (amount === 0) return;
  const { organizationId, createdAt: countedAt } = run;
  await giveBack(sql, organizationId, 'trialsPerDay', { amount, countedAt });
}
