/** One step or nothing: the run, its trials and its decision are written in one transaction. */
import { notFound } from '@proofmark/domain';
import { consumeArtifact } from '../../storage/artifacts.ts';
import { findRun } from '../../storage/eval-runs.ts';
import { type Action, refuse } from '../action.ts';
import { appendTrials } from './append-trials.ts';
import { finishReportedRun } from './finish-reported-run.ts';
import { findStartedRun, openRun } from './open-run.ts';
import { prepareTrials } from './prepare-trials.ts';
import { presentReportedRun } from './present-reported-run.ts';
import { readArtifact } from './read-artifact.ts';

export const reportEvalRun: Action<'reportEvalRun'> = async (context, { body }) => {
  const started = await context.tenant((sql) => findStartedRun(sql, context, body));
  // Reported again after its answer was lost; an artifact is gone by then.
  if (started !== undefined && started.status !== 'running') return presentReportedRun(started);
  const { artifact } = body;
  const results =
    artifact === undefined ? (body.results ?? []) : await readArtifact(context, artifact);
  const prepared = await prepareTrials(results, {
    numberByPlace: true,
    newId: () => context.newId('evalIteration'),
  });
  const run = await context.tenant(async (sql) => {
    const opened = await openRun(sql, context, body);
    const open = opened.reused
      ? ((await findRun(sql, context.project.id, opened.run.id, 'forUpdate')) ?? opened.run)
      : opened.run;
    if (open.status !== 'running') return open;
    await appendTrials(sql, context, open, prepared);
    if (artifact !== undefined && (await consumeArtifact(sql, artifact.artifactId)) === 'gone') {
      // Another report took the file meanwhile.
      return refuse(notFound);
    }
    return finishReportedRun(sql, open);
  });
  return presentReportedRun(run);
};
