/**
 * How the arguments of a call stand to the schema that the tool states for them. The schema is the server's own: a large
 * one is never looked into, and a check that would take long is not made; neither proves anything.
 */
import type { Json, ValueCheck } from '@proofmark/domain';
import { jsonSize } from './json-size.ts';
import { mcpLimits } from './mcp-limits.ts';
import { checkValue } from './schema/check-value.ts';

/** Nothing where the tool is not known or states no schema. */
export function checkInput(tool: Json | undefined, input: Json): ValueCheck | undefined {
  const schema = tool?.['inputSchema'];
  if (schema === undefined || schema === null) return undefined;
  const { maxSchemaBytes } = mcpLimits;
  if (jsonSize(schema, maxSchemaBytes) > maxSchemaBytes) {
    return { state: 'notValidated', message: 'The schema is too large to be checked.' };
  }
  return checkValue(schema, input);
}
