import type { AgentOperation, PagePosition, PageRequest } from '@proofmark/domain';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { ModelsParts } from '../models/index.ts';

/**
 * An operation that the agent may call. Its row in the contract defines its types, and each call is
 * validated against that row.
 */
export type OfferedAction = (
  context: AgentProject,
  input: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: unknown;
    readonly body: unknown;
    readonly page: PageRequest;
    cursorFor(position: PagePosition): string;
  },
) => Promise<unknown>;

export interface AgentParts extends ModelsParts {
  readonly offeredActions: Readonly<Record<AgentOperation, OfferedAction>>;
  readonly agentTurnMs: number;
}

export type AgentContext = ActionContext & AgentParts;
export type AgentProject = ProjectContext & AgentParts;
