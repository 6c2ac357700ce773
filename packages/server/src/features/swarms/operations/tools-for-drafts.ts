/**
 * Returns the tools for drafting personas and journeys: those of an environment or of a group of
 * servers.
 */

import { type DraftTool, notFound, toolToDraft, visibleTools } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import {
  type EvalsProject,
  environmentContext,
  findNewestSurface,
  listToolsToDraft,
  type ServerSelection,
} from '../../evals/index.ts';
import { listNamedServers, readServerAttachment } from '../../servers/index.ts';

export interface DraftSource {
  readonly environmentId?: string | undefined;
  readonly serverAttachmentId?: string | undefined;
}

export async function selectDraftSource(
  sql: Sql,
  projectId: string,
  { environmentId, serverAttachmentId = '' }: DraftSource,
): Promise<ServerSelection> {
  if (environmentId !== undefined) return environmentContext(sql, projectId, environmentId);
  const group = await readServerAttachment(sql, projectId, serverAttachmentId);
  if (group === undefined) return refuse(notFound);
  const servers = await listNamedServers(sql, projectId, group.serverIds);
  const missingId = group.serverIds.find((id) => !servers.some((server) => server.id === id));
  if (missingId !== undefined) {
    refuse({
      code: 'CONFLICT',
      message: 'A server of this group no longer exists; create another group.',
      details: { reason: 'SERVER_NOT_FOUND', missingId },
    });
  }
  return { servers, played: undefined };
}

/**
 * Uses the tools that the latest run over exactly these servers saw. Without such a run, lists them
 * now.
 */
export async function toolsForDrafts(
  context: EvalsProject,
  selection: ServerSelection,
): Promise<DraftTool[]> {
  const { servers, played } = selection;
  const ids = servers.map(({ id }) => id);
  const stored = await context.tenant((sql) => findNewestSurface(sql, context.project.id, ids));
  if (stored === undefined) return listToolsToDraft(context, selection);
  return servers.flatMap(({ id, name }) =>
    visibleTools(played?.config ?? {}, stored.get(id) ?? []).map((tool) => toolToDraft(name, tool)),
  );
}
