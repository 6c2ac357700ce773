import { useWholeList } from '../../../kit/data/operations.ts';
import { together } from '../../../kit/data/together.ts';

export function useJourneyChoices(projectId: string) {
  return together({
    personas: useWholeList('listPersonas', { projectId }),
    swarms: useWholeList('listSwarms', { projectId }),
    environments: useWholeList('listEnvironments', { projectId }),
    clients: useWholeList('listClients', { projectId }),
  });
}
