/**
 * Creates a client from a template or a config. Both operations that create a client call this
 * function.
 */
import type { BodyOf } from '@proofmark/contract';
import { type ClientConfig, clientConfigProblem, invalid, templateConfig } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { type ClientWithConfig, insertClient } from '../store/clients.ts';
import { findHost } from './find-client.ts';
import { refuseUnknownReferences } from './refuse-unknown-references.ts';

export async function makeClient(
  sql: Sql,
  context: ProjectContext,
  body: BodyOf<'createClient'>,
): Promise<ClientWithConfig> {
  const { project } = context;
  const config = startingConfig(body);
  const problem = clientConfigProblem(config);
  if (problem !== undefined) refuse(invalid(`body.config.${problem.path}`, problem.message));
  await refuseUnknownReferences(sql, project.id, 'body.config', config);
  const id = context.newId('client');
  await insertClient(sql, {
    id,
    organizationId: project.organizationId,
    projectId: project.id,
    name: body.name,
    config,
  });
  await recordAudit(sql, context, {
    action: 'client.created',
    subjectId: id,
    details: { fields: Object.keys(body) },
  });
  return findHost(sql, project.id, id);
}

/** The schema of the body guarantees that either `template` or `config` is present. */
function startingConfig({ template, theme, config }: BodyOf<'createClient'>): ClientConfig {
  return template === undefined ? (config as ClientConfig) : templateConfig(template, theme);
}
