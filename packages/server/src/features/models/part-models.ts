/**
 * The model that each part of the service calls: a hosted model, the built-in one, or `off` for
 * parts that can be switched off.
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
