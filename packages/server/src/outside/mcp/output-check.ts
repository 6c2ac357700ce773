/**
 * Checks the structured content of a result against the tool's schema. The schema comes from the
 * server, so a large one is not read, and a check that would take long is not made.
 */
import type { Json } from '@proofmark/domain';
import { jsonSize } from './json-size.ts';
import { McpFailure } from './mcp-failure.ts';
import type { ToolOutcome } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';
import { schemaNotRemembered } from './remembered-tools.ts';
import { checkValue } from './schema/check-value.ts';

type OutputCheck = NonNullable<ToolOutcome['outputCheck']>;

/** Returns undefined if the tool has no output schema. An error may lack structured content. */
export async function checkOutput(
  result: Json,
  findTool: () => Promise<Json | undefined>,
  limits: McpLimits,
): Promise<OutputCheck | undefined> {
  let tool: Json | undefined;
  try {
    tool = await findTool();
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    return { state: 'notValidated', message: 'The list of tools could not be read.' };
  }
  const schema = tool?.['outputSchema'];
  if (schema === undefined || schema === null || result['isError'] === true) return undefined;
  const content = result['structuredContent'];
  if (content === undefined) {
    return {
      state: 'invalid',
      message: 'The tool has an output schema but sent no structured content.',
    };
  }
  if (
    schema === schemaNotRemembered ||
    jsonSize(schema, limits.maxSchemaBytes) > limits.maxSchemaBytes
  ) {
    return { state: 'notValidated', message: 'The schema is too large to be checked.' };
  }
  return checkValue(schema, content);
}
