/**
 * Validates the arguments and the result of a call against the tool's schemas. If a schema itself
 * is unusable, no problem is reported.
 */
import { holdsMarkText, isRecord, type Json, trialSentence } from '@proofmark/domain';
import { checkInput } from '../outside/mcp/input-check.ts';
import type { ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import { mcpLimits } from '../outside/mcp/mcp-limits.ts';
import { checkOutput } from '../outside/mcp/output-check.ts';

export function argumentProblemOf(
  toolName: string,
  tool: Json | undefined,
  input: Json,
): string | undefined {
  const check = checkInput(tool, input);
  if (check?.state !== 'invalid') return undefined;
  const name = JSON.stringify(toolName);
  return trialSentence(`The arguments of ${name} break its input schema: ${check.message}.`);
}

/**
 * Validates arguments that contain redaction marks. Redacted arguments are left out, because their
 * original values may have been valid.
 */
export function argumentProblemBesideMarks(
  toolName: string,
  tool: Json | undefined,
  input: Json,
): string | undefined {
  const others = besideMarks(tool?.['inputSchema'], input);
  if (others === undefined) return argumentProblemOf(toolName, tool, input);
  return argumentProblemOf(toolName, { ...tool, inputSchema: others.schema }, others.value);
}

/** Removes redacted properties from schema and value. Undefined if none is redacted. */
function besideMarks(
  schema: unknown,
  value: unknown,
): { readonly schema: Json; readonly value: Json } | undefined {
  if (!isRecord(schema) || !isRecord(value)) return undefined;
  const marked = Object.keys(value).filter((name) => holdsMarkText(value[name]));
  if (marked.length === 0) return undefined;
  const { required, properties } = schema;
  return {
    schema: {
      ...schema,
      ...(Array.isArray(required) && {
        required: required.filter((name) => !marked.includes(name)),
      }),
      ...(isRecord(properties) && { properties: without(properties, marked) }),
    },
    value: without(value, marked),
  };
}

function without(record: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/**
 * Returns how a result violates the tool's output schema. A check by the session (`outputCheck`)
 * takes precedence, because the session may know a newer tool list.
 */
export async function resultProblemOf(
  toolName: string,
  tool: Json | undefined,
  { result, outputCheck }: ToolOutcome,
): Promise<string | undefined> {
  const others = besideMarks(tool?.['outputSchema'], result['structuredContent']);
  const [known, shown] =
    others === undefined
      ? [tool, result]
      : [
          { ...tool, outputSchema: others.schema },
          { ...result, structuredContent: others.value },
        ];
  const check = outputCheck ?? (await checkOutput(shown, async () => known, mcpLimits));
  if (check?.state !== 'invalid') return undefined;
  const problem = (check.message ?? 'It is not valid').replace(/\.$/, '');
  const name = JSON.stringify(toolName);
  return trialSentence(`The result of ${name} breaks its output schema: ${problem}.`);
}
