/**
 * Returns the unnamed environment of a combination of settings. If several concurrent requests
 * state the same combination, one of them creates the environment and all get it.
 */
import { adhocKeyOf, adhocName, editEnvironment } from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseMissing } from '../../../../platform/operations/refuse-missing.ts';
import { readClient } from '../../../clients/index.ts';
import {
  insertEnvironment,
  readAdhocEnvironment,
  type StoredEnvironment,
} from '../../store/environments.ts';
import { checkReferences } from './check-references.ts';
import { emptyEnvironment } from './empty-environment.ts';
import { presentEnvironment } from './present-environment.ts';

export const ensureAdhocEnvironment: Action<'ensureAdhocEnvironment'> = async (
  context,
  { body },
) => {
  const { project } = context;
  return context.tenant(async (sql) => {
    await checkReferences(sql, project.id, body);
    const client = await readClient(sql, project.id, body.hostId);
    if (client === undefined) return refuseMissing('client', 'body.hostId');
    const name = adhocName(client.name, body.modelId ?? null);
    const empty = emptyEnvironment(context, { name, hostId: body.hostId });
    const first = editEnvironment(empty, { ...body, expectedRevision: empty.revision });
    if ('refusal' in first) return refuse(first.refusal);
    const adhocKey = adhocKeyOf(first.environment, sha256Hex);
    const made = { ...first.environment, adhocKey };
    const stored = await insertEnvironment(sql, project.organizationId, made);
    if (stored === 'nameTaken') {
      const there = await readAdhocEnvironment(sql, project.id, adhocKey);
      if (there === undefined)
        throw new Error(
          'Internal fault: an environment with this content exists but was not found.',
        );
      return { environment: presentAdhoc(there), created: false };
    }
    await recordAudit(sql, context, {
      action: 'environment.created',
      subjectId: stored.id,
      details: { fields: Object.keys(body) },
    });
    return { environment: presentAdhoc(stored), created: true };
  });
};

function presentAdhoc(stored: StoredEnvironment) {
  return { ...presentEnvironment(stored), name: null, adhoc: true as const };
}
