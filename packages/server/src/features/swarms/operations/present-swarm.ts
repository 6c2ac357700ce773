import type { Swarm } from '@proofmark/contract';
import type { SavedSwarm } from '@proofmark/domain';

export function presentSwarm(swarm: SavedSwarm): Swarm {
  return {
    ...swarm,
    environmentIds: [...swarm.environmentIds],
    createdAt: swarm.createdAt.getTime(),
    updatedAt: swarm.updatedAt.getTime(),
  };
}
