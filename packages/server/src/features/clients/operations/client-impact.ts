import type { ClientEditImpact } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { countLiveEnvironments, countScenariosOfClient } from '../../environments/index.ts';

/** What an edit of the client changes with it. Only environments can point to a client. */
export async function clientImpact(sql: Sql, clientId: string): Promise<ClientEditImpact> {
  return {
    liveEnvironmentCount: await countLiveEnvironments(sql, clientId),
    scenarioAttachmentCount: await countScenariosOfClient(sql, clientId),
    activeLegacyJourneyCount: 0,
  };
}
