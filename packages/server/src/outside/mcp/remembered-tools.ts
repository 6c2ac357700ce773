/**
 * The stored parts of listed tools: the schemas that later calls need, and nothing else, since many
 * sessions are kept for a while. A schema that is too large to read, or that no longer fits, is not
 * stored; its existence is.
 */
import type { Json } from '@proofmark/domain';
import { jsonSize } from './json-size.ts';
import type { McpLimits } from './mcp-limits.ts';

/** The placeholder of an output schema that was not stored. */
export const schemaNotRemembered = Symbol('a schema that was not kept');

export function rememberedTools(
  tools: readonly Json[],
  limits: Pick<McpLimits, 'maxSchemaBytes' | 'maxKeptBytes'>,
): ReadonlyMap<string, Json> {
  let left = limits.maxKeptBytes;
  const fits = (schema: unknown): boolean => {
    const most = Math.min(limits.maxSchemaBytes, left);
    const bytes = jsonSize(schema, most);
    if (bytes > most) return false;
    left -= bytes;
    return true;
  };
  const kept = new Map<string, Json>();
  for (const { name, inputSchema, outputSchema, execution } of tools) {
    const hasOutput = outputSchema !== undefined && outputSchema !== null;
    // A name counts too. If it does not fit, its tool stays unknown, as if it had not been listed.
    if (!fits(name)) continue;
    kept.set(String(name), {
      name,
      ...(inputSchema !== undefined && fits(inputSchema) && { inputSchema }),
      ...(isTaskOnly(execution) && { execution: { taskSupport: 'required' } }),
      ...(hasOutput && { outputSchema: fits(outputSchema) ? outputSchema : schemaNotRemembered }),
    });
  }
  return kept;
}

function isTaskOnly(execution: unknown): boolean {
  return (execution as Json | null | undefined)?.['taskSupport'] === 'required';
}
