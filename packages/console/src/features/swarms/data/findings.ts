import type { OutputOf } from '@proofmark/contract';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useSeveral } from '../../../kit/data/operations.ts';

export type SwarmFinding = OutputOf<'listSwarmFindings'>['items'][number];

export function useDismissFinding({ projectId, id: findingId }: { projectId: string; id: string }) {
  return useSeveral(
    (dismiss: boolean) =>
      dismiss
        ? client.dismissSwarmFinding({ projectId, findingId })
        : client.undismissSwarmFinding({ projectId, findingId }),
    [keyOf('listSwarmFindings', { projectId })],
  );
}
