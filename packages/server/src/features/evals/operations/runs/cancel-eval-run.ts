import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { readRun } from '../../store/eval-runs.ts';
import { findWaiverInForce } from '../../store/gate-waivers.ts';
import { abandonReportedRun } from '../ingest/abandon-reported-run.ts';
import { endRun } from './end-run.ts';
import { hasEndedOtherwise } from './has-ended-otherwise.ts';
import { hasEnded, presentRun } from './present-run.ts';

export const cancelEvalRun: Action<'cancelEvalRun'> = async (context, { params }) => {
  return context.tenant(async (sql) => {
    const run = await readRun(sql, context.project.id, params.runId, 'forUpdate');
    if (run === undefined) return refuse(notFound);
    if (hasEnded(run)) {
      if (run.status !== 'cancelled') refuse(hasEndedOtherwise(run.status));
    } else {
      if (run.source === 'sdk') await abandonReportedRun(sql, run, 'cancelled');
      else await endRun(sql, run, 'cancelled');
      await recordAudit(sql, context, { action: 'evalRun.cancelled', subjectId: run.id });
    }
    const [ended, waiver] = await Promise.all([
      readRun(sql, context.project.id, run.id),
      findWaiverInForce(sql, run.id),
    ]);
    return presentRun(ended ?? run, waiver);
  });
};
