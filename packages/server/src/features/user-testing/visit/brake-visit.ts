import { type VisitBrakeName, visitBrake, visitTooFast } from '@proofmark/domain';
import { takeToken } from '../../../platform/accounts/store/rate-limits.ts';
import type { VisitContext } from './visit-action.ts';

/**
 * Rejects requests beyond the operator's rate limits. The rate-limit key is hashed, so that no
 * address is stored.
 */
export async function brakeVisit(
  { database, limits, brakes }: Pick<VisitContext, 'database' | 'limits' | 'brakes'>,
  name: VisitBrakeName,
  subject: string,
): Promise<void> {
  const limit = brakes ? visitBrake(limits, name) : undefined;
  if (limit === undefined) return;
  if (limits[name] === 0) throw visitTooFast(name, Number.POSITIVE_INFINITY);
  const bucket = `visit:${name}:${database.vault.sign('visit bucket', subject)}`;
  const { allowed, waitMs } = await takeToken(database, bucket, limit);
  if (!allowed) throw visitTooFast(name, waitMs);
}
