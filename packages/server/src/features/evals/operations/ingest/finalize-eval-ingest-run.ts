import { storableText } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { lockReportedRun } from './find-reported-run.ts';
import { finishReportedRun } from './finish-reported-run.ts';
import { presentReportedRun } from './present-reported-run.ts';

export const finalizeEvalIngestRun: Action<'finalizeEvalIngestRun'> = async (context, { body }) => {
  const { runId, externalRunId } = body;
  const run = await context.tenant(async (sql) => {
    const open = await lockReportedRun(sql, context, runId);
    if (externalRunId !== undefined && storableText(externalRunId) !== open.externalRunId) {
      refuse({ code: 'CONFLICT', message: 'externalRunId does not match this run.' });
    }
    return open.status === 'running' ? finishReportedRun(sql, open) : open;
  });
  return presentReportedRun(run);
};
