import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { observationsInScope } from './observations-in-scope.ts';
import { showItems } from './redact.ts';

export const widgetRendered = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('widgetRendered', { toolName: toolNameField.optional() }),
  evaluate({ toolName }, transcript) {
    const scope = observationsInScope(transcript, toolName);
    if (scope.length === 0) {
      const subject = toolName === undefined ? 'a tool that names one' : JSON.stringify(toolName);
      const reason = `No widget was observed: ${subject} was not called, or returned no usable result.`;
      return { passed: false, reason };
    }
    const statuses = scope.map((observation) => observation.status);
    return {
      passed: statuses.includes('rendered'),
      reason: `Widgets observed: ${scope.length} (${showItems(statuses)}).`,
    };
  },
});
