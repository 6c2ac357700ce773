import { type BrakeName, brakes, tooFast } from '@proofmark/domain';
import { takeToken } from '../accounts/store/rate-limits.ts';
import type { ActionContext } from '../operations/action.ts';
import type { SpendingParts } from './spending-parts.ts';

export async function brake(
  {
    database,
    project,
    spending,
  }: Pick<ActionContext, 'database'> &
    SpendingParts & {
      readonly project: { readonly organizationId: string };
    },
  name: BrakeName,
): Promise<void> {
  if (!spending.brakes) return;
  const bucket = `brake:${name}:${project.organizationId}`;
  const { allowed, waitMs } = await takeToken(database, bucket, brakes[name]);
  if (!allowed) throw tooFast(name, waitMs);
}
