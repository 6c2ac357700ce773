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
      refuse({
        code: 'CONFLICT',
        message: `The run ${runId} was started with another externalRunId; send that one, or leave externalRunId out.`,
      });
    }
    return open.status === 'running' ? finishReportedRun(sql, open) : open;
  });
  return presentReportedRun(run);
};
