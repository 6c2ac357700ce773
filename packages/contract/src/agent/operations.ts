import { defineOperation } from '../operation.ts';
import { AgentTurnRequest, AgentTurnResponse } from './shapes.ts';

export const runAgentTurn = defineOperation({
  operationId: 'runAgentTurn',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/agent',
  tag: 'Agent',
  summary: 'Ask the agent for one turn',
  description:
    'It reads servers, suites and runs of the project and can create suites; it starts no run. Nothing of the conversation is stored. After an error, details.createdResources lists what was made before it.',
  access: 'member',
  outbound: true,
  body: AgentTurnRequest,
  status: 200,
  output: AgentTurnResponse,
  refusals: ['FEATURE_NOT_SUPPORTED', 'TIMEOUT'],
});
