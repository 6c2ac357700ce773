import { defineOperation } from '../operation.ts';
import { AgentTurnRequest, AgentTurnResponse } from './shapes.ts';

export const runAgentTurn = defineOperation({
  operationId: 'runAgentTurn',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/agent',
  tag: 'Agent',
  summary: 'Send the agent a message and read its answer',
  description:
    'The agent reads servers, suites and runs of the project and can create suites; it starts no run. The conversation is not stored. After an error, details.createdResources lists the suites that were created before the error.',
  access: 'member',
  outbound: true,
  body: AgentTurnRequest,
  status: 200,
  output: AgentTurnResponse,
  refusals: ['FEATURE_NOT_SUPPORTED', 'TIMEOUT'],
});
