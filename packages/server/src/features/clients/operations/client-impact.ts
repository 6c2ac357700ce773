import type { ClientEditImpact } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { countLiveEnvironments, countScenariosOfClient } from '../../environments/index.ts';

export async function clientImpact(sql: Sql, clientId: string): Promise<ClientEditImpact> {
  return {
    liveEnvironmentCount: await countLiveEnvironments(sql, clientId),
    scenarioAttachmentCount: await countScenariosOfClient(sql, clientId),
    activeLegacyJourneyCount: 0,
  };
}
