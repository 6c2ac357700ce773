/**
 * Resolves the context of a run: its servers, the current state of the environment, and the client
 * with its skills. A run on a named client uses the servers of the request, or else those that the
 * suite stores for the client, or else the client's own servers.
 */
import type { BodyOf } from '@proofmark/contract';
import * as rules from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { refuseMissing } from '../../../../platform/operations/refuse-missing.ts';
import { refuseUnreadablePart } from '../../../../platform/operations/refuse-unreadable-part.ts';
import { readClient } from '../../../clients/index.ts';
import {
  findEnvironment,
  listResolvableSkills,
  readEnvironmentParts,
} from '../../../environments/index.ts';
import { listNamedServers } from '../../../servers/index.ts';
import type { SuiteHost } from '../../store/eval-suites.ts';

export interface LaunchContext {
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly environment: {
    readonly id: string;
    readonly name: string;
    readonly revision: number;
  } | null;
  readonly played: NonNullable<rules.RunToPlan['played']> | undefined;
  readonly skills: readonly rules.ResolvedSkill[];
}

export interface SuiteOfContext {
  readonly serverIds: readonly string[];
  readonly environmentIds: readonly string[];
  readonly hosts: readonly SuiteHost[];
}

export async function contextOf(
  sql: Sql,
  projectId: string,
  request: Pick<BodyOf<'createEvalRun'>, 'namedHostId' | 'environmentId' | 'serverIds'>,
  suite: SuiteOfContext,
  serversField: 'serverIds' | 'servers' = 'serverIds',
): Promise<LaunchContext> {
  const { namedHostId, environmentId, serverIds } = request;
  const { environmentIds } = suite;
  const select = (savedServerIds: readonly string[]) =>
    rules.selectEnvironment(
      { environmentIds, savedServerIds, environmentId, serverIds },
      serversField,
    );
  // Servers that this request must not name are rejected before any lookup.
  const given = serverIds === undefined ? undefined : select([]);
  if (given !== undefined && 'refusal' in given) return refuse(given.refusal);
  const client =
    namedHostId === undefined ? undefined : await readClient(sql, projectId, namedHostId);
  if (namedHostId !== undefined && client === undefined)
    refuseMissing('client', 'body.namedHostId');
  if (client !== undefined) refuseUnreadablePart(client);
  const selection =
    given ?? select(client === undefined ? suite.serverIds : serversKeptFor(client, suite));
  if ('refusal' in selection) return refuse(selection.refusal);
  if ('environmentId' in selection) {
    if (client !== undefined) refuse(environmentHasClient);
    return environmentContext(sql, projectId, selection.environmentId);
  }
  const servers = await chosenServers(
    sql,
    projectId,
    selection.serverIds,
    serverIds === undefined ? 'saved' : `body.${serversField}`,
  );
  if (client === undefined) return { servers, environment: null, played: undefined, skills: [] };
  const { id, configId, config } = client;
  return {
    servers,
    environment: null,
    played: { id, configId, config, modelId: config.modelId },
    skills: await skillsOf(sql, projectId, config),
  };
}

const environmentHasClient = rules.invalid(
  'body.namedHostId',
  'A run in an environment uses the client of the environment; leave namedHostId out.',
  { reason: 'ENVIRONMENT_CLIENT_NOT_OVERRIDABLE' },
);

function serversKeptFor(
  client: { readonly id: string; readonly config: rules.ClientConfig },
  suite: SuiteOfContext,
): readonly string[] {
  const host = suite.hosts.find(({ id }) => id === client.id);
  const own = client.config.serverIds ?? [];
  if (host !== undefined) return host.serverIds ?? own;
  return suite.serverIds.length > 0 ? suite.serverIds : own;
}

export async function environmentContext(
  sql: Sql,
  projectId: string,
  environmentId: string,
): Promise<LaunchContext> {
  const found = await findEnvironment(sql, projectId, environmentId);
  const parts = await readEnvironmentParts(sql, found);
  refuseUnreadablePart(parts);
  const outcome = rules.resolveEnvironment(parts);
  if ('conflict' in outcome) return refuse(rules.environmentConflictRefusal(outcome));
  const { environment, client, effectiveModelId, servers, skills } = outcome.resolved;
  return {
    servers: servers.map(({ serverId, name }) => ({ id: serverId, name })),
    environment,
    played: {
      id: client.id,
      configId: client.configId,
      config: client.config,
      modelId: effectiveModelId,
    },
    skills,
  };
}

async function chosenServers(
  sql: Sql,
  projectId: string,
  ids: readonly string[],
  origin: 'saved' | `body.${string}`,
): Promise<LaunchContext['servers']> {
  const found = await listNamedServers(sql, projectId, ids);
  const byId = new Map(found.map(({ id, name }) => [id, { id, name }]));
  return ids.map((id, index) => {
    const server = byId.get(id);
    if (server !== undefined) return server;
    return origin === 'saved'
      ? refuse({
          code: 'CONFLICT',
          message: 'A server of this suite no longer exists; choose its servers again.',
          details: { reason: 'SERVER_NOT_FOUND', missingId: id },
        })
      : refuseMissing('server', `${origin}[${index}]`);
  });
}

/**
 * A client without an explicit skill selection gets all skills, like an environment without one.
 */
async function skillsOf(
  sql: Sql,
  projectId: string,
  { skillSelection }: rules.ClientConfig,
): Promise<rules.ResolvedSkill[]> {
  const wanted = skillSelection?.mode === 'explicit' ? skillSelection.skillIds : undefined;
  const found = await listResolvableSkills(sql, projectId, wanted);
  const missing = wanted?.find((id) => !found.some((skill) => skill.id === id));
  if (missing !== undefined) {
    const message = 'A skill of this client no longer exists; change the client.';
    return refuse({
      code: 'CONFLICT',
      message,
      details: { reason: 'SKILL_NOT_FOUND', missingId: missing },
    });
  }
  return found
    .map(({ id, latestVersionId, name, contentHash }) => ({
      skillId: id,
      skillVersionId: latestVersionId,
      name,
      contentHash,
    }))
    .sort((one, other) => (one.skillId < other.skillId ? -1 : 1));
}
