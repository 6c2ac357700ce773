/**
 * Creates everything that simulated users of one server need, in dependency order: client,
 * environment, swarm, personas, journeys. The journeys are then run as one wave.
 */
import { usualNumbers } from '@proofmark/domain';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useSeveral } from '../../../kit/data/operations.ts';
import type { ServerIds } from '../../../kit/data/server-lists.ts';
import { environmentFor } from '../../environments/index.ts';
import { journeyOfDraft } from '../bodies.ts';
import { newWaveId } from './launch-wave.ts';

const drafted = { personaCount: 2, journeyCount: 2 } as const;

/** `leave` opens the wave before the lists are reloaded, because reloading removes the button. */
export function useTryWithUsers(
  ids: ServerIds,
  serverName: string,
  leave: (waveId: string) => Promise<void>,
) {
  const { projectId } = ids;
  return useSeveral(
    async () => {
      const environmentId = await environmentFor(ids, serverName);
      const { personas = [] } = await client.generatePersonas({
        projectId,
        body: { environmentId, ...drafted },
      });
      if (personas.every(({ journeys }) => journeys.length === 0)) {
        throw new Error(
          'No journey could be drafted, because no tool that only reads accepts sample values. Write a journey yourself.',
        );
      }
      const swarmBody = { name: serverName, environmentIds: [environmentId], ...usualNumbers };
      const { id: swarmId } = await client.createSwarm({ projectId, body: swarmBody });
      const waveId = newWaveId();
      for (const { persona, journeys } of personas) {
        const { id: personaId } = await client.createPersona({ projectId, body: persona });
        for (const draft of journeys) {
          const body = journeyOfDraft(draft, personaId, { environmentId, swarmId });
          const { id: journeyId } = await client.createJourney({ projectId, body });
          await client.launchJourneyRun({ projectId, journeyId, body: { waveId } });
        }
      }
      await leave(waveId);
    },
    [
      allBelow('listJourneys', { projectId }),
      allBelow('listPersonas', { projectId }),
      allBelow('listSwarms', { projectId }),
      allBelow('listEnvironments', { projectId }),
      allBelow('listClients', { projectId }),
    ],
    { isPartly: true },
  );
}
