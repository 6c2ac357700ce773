/**
 * Calls the own scorers of a run (an organization's HTTP programs). The secret is read for every
 * request, so that a new secret applies at once. A scorer may echo the secret, so it is redacted
 * from all stored data.
 */
import type { RunPlan } from '@proofmark/domain';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import type { RunLocation } from '../store/run-location.ts';
import { openScorerSecret } from '../store/scorer-secrets.ts';
import type { ScorersOfTrial } from './scorers-with-secret.ts';
import { scorersWithSecret } from './scorers-with-secret.ts';
import type { WorkerDependencies } from './worker-parts.ts';

export function scorersOfRun(
  { database, scorers }: Pick<WorkerDependencies, 'database' | 'scorers'>,
  { organizationId, projectId }: Pick<RunLocation, 'organizationId' | 'projectId'>,
  plan: RunPlan,
  secrets: TraceSecrets,
): ScorersOfTrial {
  const project = { id: projectId, organizationId };
  const openSecret = () =>
    database.tenant([organizationId], (sql) => openScorerSecret(sql, database.vault, project));
  return scorersWithSecret(
    scorers,
    (signal) => retryWhileDatabaseIsAway(openSecret, signal),
    plan,
    secrets,
  );
}
