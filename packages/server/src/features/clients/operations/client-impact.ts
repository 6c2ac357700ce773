import type { ClientEditImpact } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { countLiveEnvironments, countScenariosOfClient } from '../../environments/index.ts';

/** Returns what else an edit of the client affects. Only environments can reference a client. */
export async function clientImpact(sql: Sql, clientId: string): Promise<ClientEditImpact> {
  return {
    liveEnvironmentCount: await countLiveEnvironments(sql, clientId),
    scenarioAttachmentCount: await countScenariosOfClient(sql, clientId),
    activeLegacyJourneyCount: 0,
  };
}
