/**
 * Checks values against the schemas of assertions and listed tools, within the limits for the
 * schemas of servers.
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
 * Returns the reason why no value could ever be fully checked against a schema; undefined if every
 * part can be checked.
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
      // A reference to another document, or to an anchor in this one, is checked on its own.
      ...(typeof $ref === 'string' && !$ref.startsWith('#/') && $ref !== '#' ? [{ $ref }] : []),
    ];
    for (const one of alone) {
      const checked = boundedSchemas.check(one, '');
      if (checked.state === 'notChecked') return checked.problem;
    }
  }
  return undefined;
}
