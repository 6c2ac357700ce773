/**
 * Ends a launched run whose row is locked: what is still open is closed with the reason, the run is decided, and
 * status, result and decision are written together. Afterwards nobody who held a slice can write, and the caller's
 * model keys are gone. A run that was completed and owes a judge's word has that asked for in the same transaction.
 */

import {
  authoredFacts,
  countAssertsNothing,
  countTrials,
  creditsOfRunUsedUp,
  creditsUsedUp,
  decideLaunchedRun,
  deriveChain,
  judgesOf,
  type LaunchedTrials,
  type PlannedCase,
  type RunEnd,
  type RunPlan,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import type { StopReason } from '../../../../platform/spending/metered-models.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { countJudgeVotes, keepJudgeVotes } from '../../store/judge-votes.ts';
import { readToolsOfRun } from '../../store/listed-tools.ts';
import { finishRun, scoreIntegrityOf } from '../../store/record-runs.ts';
import { closeOpenTrials, countLaunchedTrials } from '../../store/record-trials.ts';
import { keepReplay } from '../../store/recorded-trials.ts';
import { askJudge } from '../../store/run-judges.ts';
import { dropModelKeys, dropPinnedServers, findRunPlan } from '../../store/run-plans.ts';
import { addJudging, closeSlices } from '../../store/run-work.ts';

export type EndedAs = 'completed' | 'cancelled' | 'failed';

export async function endRun(
  sql: Sql,
  run: StoredRun,
  as: EndedAs,
  stopReason: StopReason | null = null,
): Promise<void> {
  // A run may be large, and its end is one piece of work.
  await sql`set local statement_timeout = '50s'`;
  const plan = await findRunPlan(sql, run.id);
  await closeSlices(sql, run.id);
  if (as !== 'completed') await closeOpenTrials(sql, run.id, closing(plan, as, stopReason));
  const trials = await countLaunchedTrials(sql, run.id);
  const end = decideOrTell(run, plan, as, trials);
  const owed = as === 'completed' && plan?.judge?.autoRun === true ? plan.judge : undefined;
  // A judge that is owed may need the caller's key; it drops the keys when it has spoken.
  if (owed === undefined) await dropModelKeys(sql, run.id);
  await dropPinnedServers(sql, run.id);
  const scoreIntegrity = await scoreIntegrityOf(sql, run.id);
  const assertsNothing = plan && (await countUnasserted(sql, run.id, plan));
  await finishRun(sql, run, { ...end, status: as, stopReason, scoreIntegrity, assertsNothing });
  const isVoted = plan !== undefined && judgesOf(plan.cases).length > 0;
  const votes = isVoted ? await countJudgeVotes(sql, run.id) : undefined;
  if (votes !== undefined) await keepJudgeVotes(sql, run.id, votes);
  if (plan?.replay !== undefined) await keepReplay(sql, run.id, plan.replay);
  if (owed !== undefined) {
    const { organizationId, projectId, id } = run;
    await askJudge(sql, id, owed);
    await addJudging(sql, { organizationId, projectId, runId: id });
  }
}

/** A run must come to an end whatever became of its plan: it is then undecided, and says why. */
function decideOrTell(
  run: StoredRun,
  plan: RunPlan | undefined,
  as: EndedAs,
  trials: readonly LaunchedTrials[],
): RunEnd {
  try {
    if (plan === undefined) throw new Error('The plan of this run cannot be read.');
    const { terms } = run.snapshot;
    if (terms === undefined) throw new Error('The terms of this run cannot be read.');
    const planned = { terms, plan, wasCompleted: as === 'completed' };
    return decideLaunchedRun(planned, trials, sha256Hex);
  } catch (error) {
    return {
      counts: countTrials(trials),
      result: null,
      integrityError: `This run could not be decided: ${(error as Error).message}`,
    };
  }
}

/** By the tools that its trials were offered: of a tool that nobody listed, never calling it says nothing. */
async function countUnasserted(sql: Sql, runId: string, plan: RunPlan) {
  const tools = await readToolsOfRun(sql, runId);
  const servers = plan.servers.map(({ id, name }) => ({ name, tools: tools.get(id) }));
  return countAssertsNothing(plan.cases, { isJudged: plan.judge?.autoRun === true, servers });
}

const usedUp = { credits: creditsUsedUp, maxCredits: creditsOfRunUsedUp } as const;

function closing(
  plan: RunPlan | undefined,
  as: 'cancelled' | 'failed',
  stopReason: StopReason | null,
) {
  const status = as === 'cancelled' ? ('cancelled' as const) : ('timed_out' as const);
  const error =
    stopReason !== null
      ? usedUp[stopReason]
      : as === 'cancelled'
        ? 'The run was cancelled before this trial ended.'
        : 'The time of the run was over before this trial ended.';
  const cases = plan?.cases ?? [];
  const chains = new Map(cases.map((one) => [one.caseId, stoppedChain(one, status)]));
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
