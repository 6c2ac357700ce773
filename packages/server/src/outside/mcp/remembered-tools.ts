/**
 * The parts of listed tools that later calls need. Nothing else is stored, since many sessions are
 * open at a time. Of an input schema, only the parameters that are also sent as headers are needed.
 * A schema that is too large, or for which no room is left, is not stored; for an output schema a
 * placeholder is stored instead.
 */
import { headerPartOf, type Json } from '@proofmark/domain';
import { jsonSize } from './json-size.ts';
import type { McpLimits } from './mcp-limits.ts';

/** The placeholder for an output schema that exists but was too large to store. */
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
    // Names count towards the limit too. A tool whose name does not fit stays unknown, as if the
    // server had not listed it.
    if (!fits(name)) continue;
    const headers = headerPartOf(inputSchema);
    kept.set(String(name), {
      name,
      ...(headers !== undefined && fits(headers) && { inputSchema: headers }),
      ...(isTaskOnly(execution) && { execution: { taskSupport: 'required' } }),
      ...(hasOutput && { outputSchema: fits(outputSchema) ? outputSchema : schemaNotRemembered }),
    });
  }
  return kept;
}

function isTaskOnly(execution: unknown): boolean {
  return (execution as Json | null | undefined)?.['taskSupport'] === 'required';
}
