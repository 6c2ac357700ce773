/** Schemas of assertions and of listed tools, checked within the bounds that a server's schemas have anyhow. */
import type { SchemaEngine } from '@proofmark/domain';
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
