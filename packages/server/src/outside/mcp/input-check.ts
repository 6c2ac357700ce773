/**
 * Checks the arguments of a call against the tool's schema. The schema comes from the server, so a
 * large one is not read, and a check that would take long is not made. In these cases the result is
 * unknown.
 */
import type { Json, ValueCheck } from '@proofmark/domain';
import { jsonSize } from './json-size.ts';
import { mcpLimits } from './mcp-limits.ts';
import { checkValue } from './schema/check-value.ts';

/** Returns undefined without a tool or a schema. */
export function checkInput(tool: Json | undefined, input: Json): ValueCheck | undefined {
  const schema = tool?.['inputSchema'];
  if (schema === undefined || schema === null) return undefined;
  const { maxSchemaBytes } = mcpLimits;
  if (jsonSize(schema, maxSchemaBytes) > maxSchemaBytes) {
    return { state: 'notValidated', message: 'The schema is too large to be checked.' };
  }
  return checkValue(schema, input);
}
