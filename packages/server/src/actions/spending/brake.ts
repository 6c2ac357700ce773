import { type BrakeName, brakes, tooFast } from '@proofmark/domain';
import { takeToken } from '../../storage/accounts/rate-limits.ts';
import type { ProjectContext } from '../action.ts';

/** Refuses what an organization begins faster than its brake lets it. */
export async function brake(
  { database, project, spending }: Pick<ProjectContext, 'database' | 'project' | 'spending'>,
  name: BrakeName,
): Promise<void> {
  if (!spending.brakes) return;
  const bucket = `brake:${name}:${project.organizationId}`;
  const { allowed, waitMs } = await takeToken(database, bucket, brakes[name]);
  if (!allowed) throw tooFast(name, waitMs);
}
