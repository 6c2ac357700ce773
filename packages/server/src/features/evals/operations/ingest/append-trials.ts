/**
 * Adds prepared trials to a run whose row is locked. A trial that is already stored is skipped if
 * its content is equal. If its content differs, the whole batch is rejected, because it is unknown
 * which content is true.
 */

import { isSameContent, isSameTrial } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { type EnteredQuota, enterQuota } from '../../../../platform/spending/enter-quota.ts';
import type { EvalsProject } from '../../evals-context.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { insertTrials, recordedExternalIds } from '../../store/insert-trials.ts';
import { resolveCases, type WantedCase } from '../../store/reported/reported-cases.ts';
import { readReportedTrials } from '../../store/reported/reported-trials.ts';
import { contentOf, type PreparedTrial } from './prepare-trials.ts';

export interface AppendedTrials {
  readonly counts: { readonly inserted: number; readonly skipped: number; readonly total: number };
  /** The quota use of the added trials. The caller must count it at the end of the transaction. */
  readonly quota: EnteredQuota;
}

export async function appendTrials(
  sql: Sql,
  context: EvalsProject,
  run: StoredRun,
  prepared: readonly PreparedTrial[],
): Promise<AppendedTrials> {
  const seen = await recordedExternalIds(
    sql,
    run.id,
    prepared.flatMap(({ row }) => row.externalId ?? []),
  );
  const added: PreparedTrial[] = [];
  const repeated = new Map<string, PreparedTrial>();
  const first = new Map<string, PreparedTrial>();
  for (const trial of prepared) {
    const { externalId } = trial.row;
    if (externalId === undefined) {
      added.push(trial);
      continue;
    }
    const known = first.get(externalId);
    if (known !== undefined) {
      if (!isSameContent(contentOf(known), contentOf(trial))) refuseOther(run, [externalId]);
      continue;
    }
    first.set(externalId, trial);
    if (seen.has(externalId)) repeated.set(externalId, trial);
    else added.push(trial);
  }
  await refuseOtherTrials(sql, run, repeated);
  const counts = {
    inserted: added.length,
    skipped: prepared.length - added.length,
    total: prepared.length,
  };
  if (added.length > 0 && run.status !== 'running') {
    refuse({
      code: 'CONFLICT',
      message: 'This run has ended, so it accepts no new iterations.',
      details: { runId: run.id, status: run.status, newIterations: added.length },
    });
  }
  const { quotas, reportTimeoutMs } = context.runLimits;
  const quota = await enterQuota(
    ...([sql, context.project, quotas, 'trialsPerDay', added.length] as const),
  );
  if (added.length > 0) {
    await findCases(sql, context, run, added);
    await insertTrials(sql, run, added, reportTimeoutMs);
  }
  return { counts, quota };
}

async function refuseOtherTrials(
  sql: Sql,
  run: StoredRun,
  repeated: ReadonlyMap<string, PreparedTrial>,
): Promise<void> {
  if (repeated.size === 0) return;
  const others: string[] = [];
  for await (const kept of readReportedTrials(sql, run.id, [...repeated.keys()])) {
    const { externalId } = kept.content;
    const trial = externalId === undefined ? undefined : repeated.get(externalId);
    if (externalId === undefined || trial === undefined) continue;
    if (!isSameTrial(contentOf(trial), kept)) others.push(externalId);
    if (others.length === listedIds) break;
  }
  if (others.length > 0) refuseOther(run, others);
}

const listedIds = 10;

function refuseOther(run: StoredRun, externalIterationIds: readonly string[]): never {
  return refuse({
    code: 'CONFLICT',
    message:
      'This externalIterationId was already reported with other content; use a different id for another attempt.',
    details: { reason: 'ITERATION_ALREADY_REPORTED', runId: run.id, externalIterationIds },
  });
}

async function findCases(
  sql: Sql,
  context: EvalsProject,
  run: StoredRun,
  added: readonly PreparedTrial[],
): Promise<void> {
  const wanted = new Map<string, WantedCase>();
  for (const { identity, row, isNegative } of added) {
    if (wanted.has(identity.caseKey)) continue;
    wanted.set(identity.caseKey, { ...identity, title: row.title, isNegative });
  }
  const suite = {
    suiteId: run.suiteId,
    organizationId: run.organizationId,
    newCaseId: () => context.newId('evalCase'),
  };
  const ids = await resolveCases(sql, suite, wanted);
  for (const trial of added) {
    trial.row.caseId = ids.get(trial.identity.caseKey);
  }
}
