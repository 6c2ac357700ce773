/**
 * Offers API operations as tools to a model: one tool for each operation, with all parameters of
 * path, query and body in one object.
 */
import { type Operation, operations, pathParameters } from '@proofmark/contract';
import { type AgentOperation, agentOperations, type Json } from '@proofmark/domain';
import * as z from 'zod';
import type { ModelTool } from '../../../outside/model/model-gateway.ts';

export const projectParameter = 'projectId';

function schemaOf(row: Operation): Json {
  const inPath = pathParameters(row.path).filter((name) => name !== projectParameter);
  const parts = [row.query, row.body].flatMap((shape) =>
    shape === undefined ? [] : [plain(shape)],
  );
  const properties = Object.assign(
    Object.fromEntries(inPath.map((name) => [name, { type: 'string' }])),
    row.page === undefined ? {} : { limit: { type: 'integer', minimum: 1, maximum: 200 } },
    ...parts.map((part) => part['properties'] ?? {}),
  );
  const required = [...inPath, ...parts.flatMap((part) => (part['required'] as string[]) ?? [])];
  return { type: 'object', properties, required };
}

function plain(shape: z.ZodType): Json {
  return z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Json;
}

/**
 * Short schemas for operations whose complete schema is too long for a model. Calls are still
 * validated against the complete schema.
 */
const shortSchemas: Readonly<Partial<Record<AgentOperation, Json>>> = {
  createEvalSuite: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      description: { type: 'string' },
      serverIds: { type: 'array', items: { type: 'string' }, minItems: 1 },
      model: { type: 'string', description: 'For every test, such as proofmark/lexical-1.' },
      tests: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            isNegative: { type: 'boolean', description: 'No tool may be called.' },
            steps: {
              type: 'array',
              items: { type: 'object' },
              description:
                'In order: {"id", "kind": "prompt", "prompt"} for what the user says, and {"id", "kind": "assert", "assertion": {"type": "toolCalledWith", "toolName", "args": {"args": {…}}}} for a call it should lead to.',
            },
          },
          required: ['title', 'steps'],
        },
      },
    },
    required: ['name', 'serverIds', 'model', 'tests'],
  },
};

export const offeredTools: readonly ModelTool[] = agentOperations.map((operation) => {
  const row: Operation = operations[operation];
  return {
    name: operation,
    description: `${row.summary}. ${row.description}`,
    inputSchema: shortSchemas[operation] ?? schemaOf(row),
  };
});
