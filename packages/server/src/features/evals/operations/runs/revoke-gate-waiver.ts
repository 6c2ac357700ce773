/**
 * Revokes a gate waiver. A repeated request changes nothing and returns the first revocation with
 * its account and time.
 */
import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { readRun } from '../../store/eval-runs.ts';
import * as waivers from '../../store/gate-waivers.ts';
import { presentGateWaiver } from './present-gate-waiver.ts';

export const revokeGateWaiver: Action<'revokeGateWaiver'> = async (context, { params }) => {
  const { id: accountId } = context.caller.account;
  return context.tenant(async (sql) => {
    const run = (await readRun(sql, context.project.id, params.runId)) ?? refuse(notFound);
    const revoked = await waivers.revokeWaiver(sql, run.id, params.waiverId, accountId);
    if (revoked === undefined) {
      const waiver = (await waivers.findWaiver(sql, run.id, params.waiverId)) ?? refuse(notFound);
      return { status: 'already_revoked', waiver: presentGateWaiver(waiver) };
    }
    await recordAudit(sql, context, {
      action: 'gateWaiver.revoked',
      subjectId: revoked.id,
      details: { runId: run.id },
    });
    return { status: 'revoked', waiver: presentGateWaiver(revoked) };
  });
};
