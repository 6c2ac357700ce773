import { assertionKind, assertionSchema } from './assertion-kind.ts';

export const finalAssistantMessageNonEmpty = assertionKind({
  stage: 'userValue',
  schema: assertionSchema('finalAssistantMessageNonEmpty', {}),
  evaluate(_, { finalAssistantMessage }) {
    const length = finalAssistantMessage?.trim().length ?? 0;
    return { passed: length > 0, reason: `The final assistant text has ${length} characters.` };
  },
});
