/**
 * Checks values against the schemas in assertions and of listed tools. Both have the limits that
 * apply to schemas of servers.
 */
import { isRecord, type SchemaEngine, subschemasOf, uncheckedKeywords } from '@proofmark/domain';
import { jsonSize } from './json-size.ts';
import { mcpLimits } from './mcp-limits.ts';
import { checkValue } from './schema/check-value.ts';

export const boundedSchemas: SchemaEngine = {
  check(schema, value) {
    const { maxSchemaBytes, maxMessageBytes } = mcpLimits;
    if (jsonSize(schema, maxSchemaBytes) > maxSchemaBytes) {
      return { state: 'notChecked', problem: 'The schema is too large to be checked.' };
    }
    if (jsonSize(value, maxMessageBytes) > maxMessageBytes) {
      return { state: 'notChecked', problem: 'The value is too large to be checked.' };
    }
    const checked = checkValue(schema, value);
    switch (checked.state) {
      case 'valid':
        return checked;
      case 'invalid':
        return { state: 'invalid', problem: checked.message };
      case 'notValidated':
        return { state: 'notChecked', problem: checked.message };
    }
  },
};

/**
 * Returns why a schema has a part that can never be checked, for any value. Returns undefined if
 * there is no such part.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one search through a schema that returns the first reason it finds.
export function whyNeverChecked(schema: unknown): string | undefined {
  const tried = boundedSchemas.check(schema, null);
  if (tried.state === 'notChecked') return tried.problem;
  for (const { schema: part } of subschemasOf(schema)) {
    if (!isRecord(part)) continue;
    const unchecked = uncheckedKeywords.find((name) => Object.hasOwn(part, name));
    if (unchecked !== undefined)
      return `The schema uses ${unchecked}, which Proofmark does not check.`;
    if (part !== schema && typeof part['$id'] === 'string')
      return 'The schema contains another schema with its own $id.';
    const { $ref, pattern, patternProperties } = part;
    const patterns = [
      pattern,
      ...Object.keys(isRecord(patternProperties) ? patternProperties : {}),
    ];
    const alone = [
      ...patterns.filter((one) => one !== undefined).map((one) => ({ pattern: one })),
      // The check above may never reach a reference to another document or an anchor, so the
      // reference is also checked alone.
      ...(typeof $ref === 'string' && !$ref.startsWith('#/') && $ref !== '#' ? [{ $ref }] : []),
    ];
    for (const one of alone) {
      const checked = boundedSchemas.check(one, '');
      if (checked.state === 'notChecked') return checked.problem;
    }
  }
  return undefined;
}
