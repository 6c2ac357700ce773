/**
 * Which model a part of the service asks: one that is hosted here, the built-in one, or `off` where the part can be
 * switched off.
 */
export interface PartModels {
  readonly insights: string;
  readonly agent: string;
  readonly generation: string;
}

export const defaultPartModels: PartModels = {
  insights: 'proofmark/narrator-1',
  agent: 'proofmark/lexical-agent-1',
  generation: 'proofmark/drafter-1',
};
