import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { observationsInScope } from './observations-in-scope.ts';
import { showItems } from './redact.ts';

/**
 * Holds if no widget (of `toolName`, or of any tool) wrote an error to its console. Fails if no
 * widget was observed, or if the console of a widget was not recorded.
 */
export const widgetNoConsoleErrors = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('widgetNoConsoleErrors', { toolName: toolNameField.optional() }),
  evaluate({ toolName }, transcript) {
    const scope = observationsInScope(transcript, toolName);
    if (scope.length === 0) return { passed: false, reason: 'No widget was observed.' };
    if (!scope.every((observation) => Array.isArray(observation.consoleErrors))) {
      return { passed: false, reason: 'The console of a widget was not recorded.' };
    }
    const errors = scope.flatMap((observation) => observation.consoleErrors ?? []);
    if (errors.length === 0) return { passed: true, reason: 'No console errors.' };
    return { passed: false, reason: `Console errors: ${errors.length} (${showItems(errors)}).` };
  },
});
