import type { ClientEditImpact } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { countLiveEnvironments } from '../../storage/environments/environments.ts';
import { countScenariosOfClient } from '../../storage/user-testing/scenarios.ts';

/** What an edit of the client changes with it. Only environments can point to a client. */
export async function clientImpact(sql: Sql, clientId: string): Promise<ClientEditImpact> {
  return {
    liveEnvironmentCount: await countLiveEnvironments(sql, clientId),
    scenarioAttachmentCount: await countScenariosOfClient(sql, clientId),
    activeLegacyJourneyCount: 0,
  };
}
