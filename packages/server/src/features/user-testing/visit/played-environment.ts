/**
 * Resolves the environment that visitors currently talk to. Every request resolves it again,
 * because the scenario stores no copy.
 */
import { notFound, type Refusal, type SavedScenario } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { readEnvironment } from '../../environments/index.ts';
import { resolveForVisitors } from '../operations/resolve-for-visitors.ts';
import type { PlayedEnvironment } from './turn-runner.ts';

export async function playedEnvironment(
  sql: Sql,
  { projectId, environmentId }: Pick<SavedScenario, 'projectId' | 'environmentId'>,
): Promise<PlayedEnvironment> {
  const found = await readEnvironment(sql, projectId, environmentId, 'read');
  const outcome = found === undefined ? gone : await resolveForVisitors(sql, found);
  if ('refusal' in outcome) return refuse(closedForNow(outcome.refusal));
  const { client, effectiveModelId, servers, skills } = outcome.resolved;
  return {
    environmentId,
    servers: servers.map(({ serverId, name }) => ({ id: serverId, name })),
    skills,
    client: {
      id: client.id,
      configId: client.configId,
      config: client.config,
      modelId: effectiveModelId,
    },
  };
}

const gone = { refusal: notFound } as const;

/**
 * Replaces the reason by a general one, because only the owner may see details of the environment.
 */
export function closedForNow({ details }: Pick<Refusal, 'details'>): Refusal {
  return {
    code: 'CONFLICT',
    message: 'This link is temporarily closed.',
    details: { code: details?.['code'] ?? 'ENV_NOT_FOUND' },
  };
}
