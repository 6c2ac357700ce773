import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { readRun } from '../../store/eval-runs.ts';
import { findWaiverInForce } from '../../store/gate-waivers.ts';
import { presentGateWaiver } from './present-gate-waiver.ts';

export const getGateWaiver: Action<'getGateWaiver'> = async (context, { params }) => {
  return context.tenant(async (sql) => {
    const run = (await readRun(sql, context.project.id, params.runId)) ?? refuse(notFound);
    const waiver = await findWaiverInForce(sql, run.id);
    return { waiver: waiver === undefined ? null : presentGateWaiver(waiver) };
  });
};
