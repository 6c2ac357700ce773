import { together } from '../../../kit/data/together.ts';
import { useClients } from '../../environments/data/clients.ts';
import { useEnvironments } from '../../environments/data/environments.ts';
import { usePersonas, useSwarms } from './swarms.ts';

/** Everything a journey can name, read together: its form needs all of it. */
export function useJourneyChoices(projectId: string) {
  return together({
    personas: usePersonas(projectId),
    swarms: useSwarms(projectId),
    environments: useEnvironments(projectId),
    clients: useClients(projectId),
  });
}
