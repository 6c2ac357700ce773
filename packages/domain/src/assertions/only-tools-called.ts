import * as z from 'zod';
import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { showItems } from './redact.ts';

/** Every call is to one of the named tools; an empty list allows no call at all. */
export const onlyToolsCalled = assertionKind({
  schema: assertionSchema('onlyToolsCalled', { toolNames: z.array(toolNameField) }),
  evaluate({ toolNames }, { toolCalls }) {
    const allowed = new Set(toolNames);
    const called = new Set(toolCalls.map((call) => call.toolName));
    const others = [...called].filter((name) => !allowed.has(name));
    if (others.length === 0) return { passed: true, reason: 'No other tool was called.' };
    return { passed: false, reason: `Other tools were called: ${showItems(others)}.` };
  },
});
