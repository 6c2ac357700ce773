import { assertionKind, fails, holds, observationSchema } from './assertion-kind.ts';
import { showValue } from './redact.ts';

/**
 * The final text must not end with a question, even if closing quotes, brackets or emphasis follow
 * the question mark.
 */
export const noEndingQuestion = assertionKind({
  stage: 'userValue',
  schema: observationSchema('noEndingQuestion', {}),
  evaluate(_, { finalAssistantMessage: text }) {
    if (text === undefined) return holds('There is no final assistant text.');
    const end = lastSigns(text);
    if (!questionMarks.has(end.at(-1) ?? '')) {
      return holds('The response does not end with a question.');
    }
    const shown = showValue(end.join('').slice(-shownLength));
    return fails(`The response ends with a question: ${shown}.`);
  },
});

const questionMarks: ReadonlySet<string> = new Set(['?', '？', '؟', '⁇', '⁈', '\u037e', '՞', '፧']);
const shownLength = 120;
/**
 * Characters that may follow the last sentence: closing quotes and brackets, emphasis, symbols,
 * white space.
 */
const closing = /[\s\p{Pe}\p{Pf}\p{Pi}\p{So}\p{Sk}\p{Cf}\p{Mn}"'*_~`]/u;

function lastSigns(text: string): string[] {
  const signs = Array.from(text.slice(-lookedAt));
  let last = signs.length;
  while (last > 0 && closing.test(signs[last - 1] ?? '')) last -= 1;
  return signs.slice(0, last);
}

const lookedAt = 1000;
