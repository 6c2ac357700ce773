import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { AccountsParts } from '../accounts/index.ts';
import type { EvalsParts } from '../evals/index.ts';

/** The agent calls operations of other features, and hands on what they need. */
export interface AgentParts extends AccountsParts, EvalsParts {
  /** How long a turn of the agent may take. */
  readonly agentTurnMs: number;
}

export type AgentContext = ActionContext & AgentParts;
export type AgentProject = ProjectContext & AgentParts;
