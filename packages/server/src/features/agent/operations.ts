import type { Operations } from '../../platform/operations/action.ts';
import type { AgentParts } from './agent-context.ts';
import { runAgentTurn } from './operations/run-agent-turn.ts';

export const agentOperations = {
  runAgentTurn,
} satisfies Operations<AgentParts>;
