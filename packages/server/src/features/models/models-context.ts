import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { SpendingParts } from '../../platform/spending/spending-parts.ts';
import type { PartModels } from './part-models.ts';

export interface ModelsParts extends SpendingParts {
  readonly models: ModelGateway;
  readonly partModels: PartModels;
  /**
   * Returns whether the service may call this address at all. The IP address behind a host name is
   * checked at the call.
   */
  mayReach(url: string): boolean;
}

export type ModelsContext = ActionContext & ModelsParts;
export type ModelsProject = ProjectContext & ModelsParts;
