/**
 * Stores a reported run (executed elsewhere and uploaded) in one transaction: the run, its trials
 * and its decision, or nothing. If the run with this externalRunId has already ended, equal content
 * gets the earlier response and different content is rejected.
 */

import {
  matchTrials,
  notFound,
  otherContentRefusal,
  otherRunRefusal,
  storableOrNull,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, refuse, refuseIf } from '../../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { readRun, type StoredRun } from '../../store/eval-runs.ts';
import { consumeArtifact } from '../../store/reported/artifacts.ts';
import { readReportedTrials } from '../../store/reported/reported-trials.ts';
import { appendTrials } from './append-trials.ts';
import { finishReportedRun } from './finish-reported-run.ts';
import { findStartedRun, openRun } from './open-run.ts';
import { contentOf, type PreparedTrial, prepareTrials } from './prepare-trials.ts';
import { presentReportedRun } from './present-reported-run.ts';
import { readArtifact } from './read-artifact.ts';

export const reportEvalRun: Action<'reportEvalRun', EvalsParts> = async (context, { body }) => {
  const { artifact } = body;
  const started = await context.tenant((sql) => findStartedRun(sql, context, body));
  if (started !== undefined) refuseIf(otherRunRefusal(started, body));
  // A retry after a lost response: the first request has already consumed the uploaded file.
  if (started !== undefined && isReportedBy(started, artifact)) {
    return { ...presentReportedRun(started), reused: true };
  }
  const results =
    artifact === undefined ? (body.results ?? []) : await readArtifact(context, artifact);
  const prepared = await prepareTrials(results, {
    whole: { externalRunId: storableOrNull(body.externalRunId) },
    newId: () => context.newId('evalIteration'),
  });
  return context.tenant(async (sql) => {
    const opened = await openRun(sql, context, body);
    const open = opened.reused
      ? ((await readRun(sql, context.project.id, opened.run.id, 'forUpdate')) ?? opened.run)
      : opened.run;
    if (opened.reused) refuseIf(otherRunRefusal(open, body));
    if (open.status !== 'running') {
      if (!isReportedBy(open, artifact)) await refuseOtherTrials(sql, open, prepared);
      return { ...presentReportedRun(open), reused: true };
    }
    const { quota } = await appendTrials(sql, context, open, prepared);
    if (
      artifact !== undefined &&
      (await consumeArtifact(sql, artifact.artifactId, open.id)) === 'gone'
    ) {
      // Another report consumed the file in the meantime.
      return refuse(notFound);
    }
    const ended = await finishReportedRun(sql, open);
    await quota.count();
    return { ...presentReportedRun(ended), reused: false };
  });
};

/**
 * Each uploaded file is consumed by exactly one run. So an equal artifact id means that the run was
 * reported with this file.
 */
function isReportedBy(run: StoredRun, artifact: { readonly artifactId: string } | undefined) {
  return artifact !== undefined && artifact.artifactId === run.artifactId;
}

async function refuseOtherTrials(
  sql: Sql,
  run: StoredRun,
  prepared: readonly PreparedTrial[],
): Promise<void> {
  const reported = distinct(prepared).map(contentOf);
  if (reported.length !== run.iterationCount) refuse(otherContentRefusal(run));
  const isReported = matchTrials(reported);
  for await (const kept of readReportedTrials(sql, run.id)) {
    if (!isReported(kept)) refuse(otherContentRefusal(run));
  }
}

function distinct(prepared: readonly PreparedTrial[]): PreparedTrial[] {
  const seen = new Set<string>();
  return prepared.filter(({ row: { externalId } }) => {
    if (externalId === undefined) return true;
    const isNew = !seen.has(externalId);
    seen.add(externalId);
    return isNew;
  });
}
