/**
 * Changes a client that the caller has locked. The rule `editClient` computes the new state, and
 * nothing else is written. All operations that edit a client use this function.
 */
import { type ClientEdit, editClient, invalid, type Refusal } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { refuseUnreadablePart } from '../../../platform/operations/refuse-unreadable-part.ts';
import { type ClientWithConfig, saveClient } from '../store/clients.ts';
import { clientImpact } from './client-impact.ts';
import { findHost } from './find-client.ts';
import { refuseUnknownReferences } from './refuse-unknown-references.ts';

export async function changeClient(
  sql: Sql,
  context: ProjectContext,
  current: ClientWithConfig,
  change: {
    readonly edit: ClientEdit;
    readonly action: 'client.updated' | 'client.serversReplaced';
    readonly configPath: 'body' | 'body.config';
    readonly fields: readonly string[];
  },
): Promise<ClientWithConfig> {
  refuseUnreadablePart(current);
  const { project } = context;
  const { edit, configPath, action, fields } = change;
  const outcome = editClient(current, edit, await clientImpact(sql, current.id));
  if ('refusal' in outcome) return refuse(placed(outcome.refusal, configPath));
  if ('unchanged' in outcome) return current;
  if (outcome.config !== undefined) {
    const path = edit.config === undefined ? 'body.set' : configPath;
    await refuseUnknownReferences(sql, project.id, path, outcome.config, current.config);
  }
  const { organizationId, id: projectId } = project;
  await saveClient(sql, { id: current.id, organizationId, projectId }, outcome);
  await recordAudit(sql, context, { action, subjectId: current.id, details: { fields } });
  return findHost(sql, projectId, current.id);
}

function placed(refusal: Refusal, configPath: string): Refusal {
  const path = refusal.details?.['path'];
  if (typeof path !== 'string') return refusal;
  return invalid(`body.${path}`.replace(/^body\.config/, configPath), refusal.message);
}
