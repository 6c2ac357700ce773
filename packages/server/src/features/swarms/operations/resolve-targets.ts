/**
 * Resolves the current targets of a journey run: environments, or clients with their own model. A
 * client uses its own servers, or those of the journey's server group. A target that cannot be
 * resolved is refused, with the name of its environment.
 */
import { type JourneyTarget, notFound, Refused, type SavedJourney } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { findClientNames } from '../../clients/index.ts';
import { contextOf, type LaunchContext } from '../../evals/index.ts';
import { readServerAttachment } from '../../servers/index.ts';

export async function resolveTargets(
  sql: Sql,
  projectId: string,
  journey: SavedJourney,
  environmentIds: readonly string[] | undefined,
): Promise<JourneyTarget[]> {
  const environments = environmentIds ?? journey.environmentIds;
  const wishes: readonly TargetRequest[] =
    environments.length > 0
      ? environments.map((id) => ({ targetId: `environment:${id}`, environmentId: id }))
      : journey.hostIds.map((id) => ({ targetId: `host:${id}`, namedHostId: id }));
  if (wishes.length === 0) refuse(noTargets);
  if (wishes.length > mostTargets) refuse(tooMany('targets', wishes.length, mostTargets));
  const sessions = wishes.length * journey.sessionsPerTarget;
  if (sessions > mostSessions) refuse(tooMany('sessions', sessions, mostSessions));
  const serverIds = environments.length > 0 ? undefined : await serversOfGroup(sql, journey);
  const resolved: { targetId: string; context: LaunchContext }[] = [];
  for (const { targetId, ...request } of wishes) {
    const asked = { ...request, ...(serverIds !== undefined && { serverIds }) };
    const context = await contextOf(sql, projectId, asked, noSuite(request)).catch(
      (error: unknown) => throwNaming(error, request),
    );
    resolved.push({ targetId, context });
  }
  const hostIds = resolved.map(({ context }) => context.played?.id ?? '');
  const names = await findClientNames(sql, projectId, hostIds);
  return resolved.map(({ targetId, context }) => toTarget(targetId, context, names));
}

interface TargetRequest {
  readonly targetId: string;
  readonly environmentId?: string;
  readonly namedHostId?: string;
}

const mostTargets = 20;
const mostSessions = 500;

const noTargets = {
  code: 'VALIDATION_ERROR',
  message:
    'This journey names no environments and no clients; add some to it, or send environmentIds.',
  details: { reason: 'NO_TARGETS' },
} as const;

function tooMany(what: 'targets' | 'sessions', count: number, allowedValue: number) {
  return {
    code: 'VALIDATION_ERROR',
    message: `A run may have at most ${allowedValue} ${what}; this run has ${count}.`,
    details: { [what]: count, allowedValue },
  } as const;
}

async function serversOfGroup(
  sql: Sql,
  { projectId, serverAttachmentId }: SavedJourney,
): Promise<string[] | undefined> {
  if (serverAttachmentId === null) return undefined;
  const group = await readServerAttachment(sql, projectId, serverAttachmentId);
  return group === undefined ? refuse(notFound) : [...group.serverIds];
}

/**
 * A journey target belongs to no suite, so its servers come only from its environment or client.
 */
function noSuite(request: { readonly environmentId?: string }) {
  const environmentIds = request.environmentId === undefined ? [] : [request.environmentId];
  return { serverIds: [], environmentIds, hosts: [] };
}

function throwNaming(
  error: unknown,
  { environmentId }: { readonly environmentId?: string },
): never {
  if (!(error instanceof Refused) || environmentId === undefined) throw error;
  const { refusal } = error;
  if (refusal.code !== 'CONFLICT') throw error;
  throw new Refused({ ...refusal, details: { ...refusal.details, environmentId } });
}

function toTarget(
  targetId: string,
  { environment, played, servers, skills }: LaunchContext,
  names: ReadonlyMap<string, string>,
): JourneyTarget {
  if (played === undefined) throw new Error('Internal fault: a target of the run has no client.');
  const { id, configId, config, modelId } = played;
  return {
    targetId,
    hostId: id,
    hostName: names.get(id) ?? id,
    modelId,
    servers,
    skills,
    environmentRef: environment,
    client: { configId, config },
  };
}
