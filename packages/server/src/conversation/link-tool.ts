/**
 * The tool with which a model reads resources that results link to. It is offered only if the
 * client's profile includes it.
 */
import type { RunPlan } from '@proofmark/domain';
import type { ModelTool } from '../outside/model/model-gateway.ts';

export const linkModelTool: ModelTool = {
  name: 'readResourceLink',
  description: 'Reads the text of a resource that a result of a tool links to.',
  inputSchema: {
    type: 'object',
    properties: {
      uri: { type: 'string', description: 'The URI, as the result spells it.' },
      serverName: {
        type: 'string',
        description: 'The server whose result it was, where several link to the same URI.',
      },
    },
    required: ['uri'],
    additionalProperties: false,
  },
};

export function readsLinks({ client }: Pick<RunPlan, 'client'>): boolean {
  return client.config.mcpProfile?.resourceLinks === 'read';
}
