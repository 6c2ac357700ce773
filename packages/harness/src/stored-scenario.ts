/**
 * Inserts a published scenario with an invited person directly into the database. The
 * organization's settings might not allow creating it over HTTP.
 */
import { randomBytes } from 'node:crypto';
import { makeId, type ScenarioMode } from '@proofmark/domain';
import { storeInvitedMember } from '../../server/src/features/user-testing/store/scenario-members.ts';
import { insertScenario } from '../../server/src/features/user-testing/store/scenarios.ts';
import { newToken } from '../../server/src/platform/accounts/token.ts';
import type { TestService } from './test-service.ts';

export interface StoredScenarioIds {
  readonly scenarioId: string;
  readonly memberIdOrEmail: string;
}

export async function storeTestScenario(
  { database, vault }: Pick<TestService, 'database' | 'vault'>,
  place: {
    readonly organizationId: string;
    readonly projectId: string;
    readonly environmentId: string;
    readonly accountId: string;
    readonly mode?: ScenarioMode;
  },
): Promise<StoredScenarioIds> {
  const id = (kind: 'scenario' | 'scenarioMember') => makeId(kind, Date.now(), randomBytes(10));
  const { organizationId, projectId, environmentId, accountId, mode = 'invited_only' } = place;
  return database.tenant([organizationId], async (sql) => {
    const named = { id: id('scenario'), name: 'Bookshop', description: null, mode };
    const where = { organizationId, projectId, environmentId };
    const fields = { ...where, ...named, createdBy: accountId };
    const scenario = await insertScenario(sql, vault, fields, newToken());
    const member = await storeInvitedMember(sql, scenario, {
      id: id('scenarioMember'),
      email: 'guest@visitors.example',
      invitedBy: accountId,
      inviteHash: newToken().hash,
      inviteLifetimeMs: 60_000,
    });
    return { scenarioId: scenario.id, memberIdOrEmail: member.id };
  });
}
