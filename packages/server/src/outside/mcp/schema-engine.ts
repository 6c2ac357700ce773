/** Schemas of assertions and of listed tools, checked within the bounds that a server's schemas have anyhow. */
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

/** Why no value could ever be checked against the whole of a schema; nothing where every part of it can be. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one search through a schema that returns the first reason it finds.
export function whyNeverChecked(schema: unknown): string | undefined {
  const tried = boundedSchemas.check(schema, null);
  if (tried.state === 'notChecked') return tried.problem;
  for (const { schema: part } of subschemasOf(schema)) {
    if (!isRecord(part)) continue;
    const unchecked = uncheckedKeywords.find((name) => Object.hasOwn(part, name));
    if (unchecked !== undefined) return `The schema uses ${unchecked}.`;
    if (part !== schema && typeof part['$id'] === 'string') return 'The schema holds another one.';
    const { $ref, pattern, patternProperties } = part;
    const patterns = [
      pattern,
      ...Object.keys(isRecord(patternProperties) ? patternProperties : {}),
    ];
    const alone = [
      ...patterns.filter((one) => one !== undefined).map((one) => ({ pattern: one })),
      // It leads out of the document, or is looked up in the whole.
      ...(typeof $ref === 'string' && !$ref.startsWith('#/') && $ref !== '#' ? [{ $ref }] : []),
    ];
    for (const one of alone) {
      const checked = boundedSchemas.check(one, '');
      if (checked.state === 'notChecked') return checked.problem;
    }
  }
  return undefined;
}
