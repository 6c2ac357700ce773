import type { OutputOf } from '@proofmark/contract';
import { isInForce } from '@proofmark/domain';
import type { StoredWaiver } from '../../store/gate-waivers.ts';

export function presentGateWaiver(waiver: StoredWaiver): OutputOf<'createGateWaiver'>['waiver'] {
  const expiresAt = waiver.expiresAt.getTime();
  const revokedAt = waiver.revokedAt?.getTime() ?? null;
  return {
    id: waiver.id,
    suiteId: waiver.suiteId,
    runId: waiver.runId,
    reason: waiver.reason,
    expiresAt,
    createdAt: waiver.createdAt.getTime(),
    createdBy: waiver.createdBy,
    createdByEmail: waiver.createdByEmail,
    revokedAt,
    revokedBy: waiver.revokedBy,
    active: isInForce({ expiresAt, revokedAt }, waiver.readAt.getTime()),
    policySnapshot: waiver.policySnapshot && { ...waiver.policySnapshot },
  };
}
