/**
 * Edits a suite: locks it, applies the rule `editSuite` to its current content, and writes the
 * result.
 */

import type { BodyOf } from '@proofmark/contract';
import { chooseClient, editSuite, type SuiteEdit } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseMissing } from '../../../../platform/operations/refuse-missing.ts';
import { findClientCandidates } from '../../../clients/index.ts';
import { listNamedServers, type NamedServer } from '../../../servers/index.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { listAllCases } from '../../store/eval-cases.ts';
import { storeSuite } from '../../store/eval-suites.ts';
import { findServerByName } from './find-server-by-name.ts';
import { findSuite } from './find-suite.ts';
import { presentSuiteDetail } from './present-suite-detail.ts';
import { refuseAssertions, refusePlanOfSuite } from './refuse-assertions.ts';
import { refuseDeadEnvironment } from './refuse-dead-environment.ts';
import { refuseModelsOfContract } from './refuse-models-of-contract.ts';
import { callsOfSettings, refuseUnknownServers } from './refuse-unknown-servers.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { warnOfSuite } from './warn-of-suite.ts';

export const updateEvalSuite: Action<'updateEvalSuite', EvalsParts> = async (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { project } = context;
    refuseAssertions([], body.settings?.checks);
    const current = await findSuite(sql, project.id, params.suiteId, 'forNoKeyUpdate');
    refuseUnreadable(current);
    const decision = editSuite(current, await readEdit(sql, project.id, body));
    if ('refusal' in decision) return refuse(decision.refusal);
    refuseModelsOfContract(decision.suite.definition, [], 'body.executionConfig');
    if (body.settings?.verdictPolicyDefaults) {
      refusePlanOfSuite(decision.suite.definition.settings);
    }
    for (const [index, id] of (body.environmentIds ?? []).entries())
      await refuseDeadEnvironment(sql, project.id, id, `body.environmentIds[${index}]`);
    const { definition } = callsOfSettings(current.definition.settings);
    const stated = callsOfSettings(decision.suite.definition.settings);
    await refuseUnknownServers(sql, project.id, [stated], [definition]);
    const stored = await storeSuite(sql, decision.suite);
    await recordAudit(sql, context, {
      action: 'evalSuite.updated',
      subjectId: stored.id,
      details: { fields: Object.keys(body) },
    });
    const cases = await listAllCases(sql, stored.id);
    const settingsPath = body.settings?.checks == null ? 'settings' : 'body.settings';
    const inBody = body.executionConfig?.model == null ? '' : 'body.';
    const modelPath = `${inBody}executionConfig.model`;
    const allowWritesPath = `${body.settings?.allowWrites == null ? '' : 'body.'}settings.allowWrites`;
    const paths = { settingsPath, modelPath, allowWritesPath } as const;
    const placed = cases.map(({ definition }, index) => ({ path: `cases[${index}]`, definition }));
    return {
      ...(await presentSuiteDetail(sql, stored)),
      warnings: await warnOfSuite(sql, stored, placed, context, paths),
    };
  });

async function readEdit(
  sql: Sql,
  projectId: string,
  body: BodyOf<'updateEvalSuite'>,
): Promise<SuiteEdit> {
  const { name, description, environmentIds, executionConfig, settings } = body;
  const servers = await nameServers(sql, projectId);
  const ids = (references: readonly string[], path: string) =>
    servers(references, path).map(({ id }) => id);
  const given = body.environment?.servers;
  return {
    name,
    description,
    environmentIds,
    executionConfig,
    settings,
    serverIds: given && ids(given, 'body.environment.servers'),
    hosts: body.hosts && (await readHosts(sql, projectId, body.hosts, ids)),
  };
}

/** If the list contains a client twice, only the last entry counts. */
async function readHosts(
  sql: Sql,
  projectId: string,
  given: NonNullable<BodyOf<'updateEvalSuite'>['hosts']>,
  ids: (references: readonly string[], path: string) => string[],
): Promise<NonNullable<SuiteEdit['hosts']>> {
  const hosts = new Map<string, { id: string; serverIds?: string[] }>();
  for (const [index, { host, servers }] of given.entries()) {
    const path = `body.hosts[${index}]`;
    const { id } = await findClientIn(sql, projectId, host, `${path}.host`);
    hosts.set(id, { id, ...(servers && { serverIds: ids(servers, `${path}.servers`) }) });
  }
  return [...hosts.values()];
}

async function findClientIn(sql: Sql, projectId: string, reference: string, path: string) {
  const candidates = await findClientCandidates(sql, projectId, reference);
  const chosen = chooseClient(reference, candidates);
  if (!('refusal' in chosen)) return chosen.client;
  return candidates.length === 0 ? refuseMissing('client', path) : refuse(chosen.refusal);
}

/**
 * Finds a project's servers by the names in a request. Servers of other projects count as missing.
 */
type ServerNames = (references: readonly string[], path: string) => NamedServer[];

async function nameServers(sql: Sql, projectId: string): Promise<ServerNames> {
  const servers = await listNamedServers(sql, projectId, undefined, 'forKeyShare');
  return (references, path) => {
    const found = references.map(
      (reference, index) =>
        findServerByName(servers, reference) ?? refuseMissing('server', `${path}[${index}]`),
    );
    return [...new Set(found)];
  };
}
