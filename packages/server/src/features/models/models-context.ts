/** What operations need that ask language models. */
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { SpendingParts } from '../../platform/spending/spending-parts.ts';
import type { PartModels } from './part-models.ts';

export interface ModelsParts extends SpendingParts {
  /** The models that can be run here. */
  readonly models: ModelGateway;
  readonly partModels: PartModels;
  /** Whether the service may call this address at all; what a name stands for is checked at the call. */
  mayReach(url: string): boolean;
}

export type ModelsContext = ActionContext & ModelsParts;
export type ModelsProject = ProjectContext & ModelsParts;
