import { maxMatchedTextLength, type PatternEngine } from './pattern-engine.ts';
import { showError, showValue } from './redact.ts';

/**
 * Returns whether the pattern is found, or the reason why this cannot be decided. `what` names the
 * searched text in that reason.
 */
export function tryPattern(
  patterns: PatternEngine,
  pattern: string,
  text: string,
  what: string,
): boolean | { readonly problem: string } {
  if (text.length > maxMatchedTextLength) {
    return notRun(pattern, `${what} is longer than ${maxMatchedTextLength} characters`);
  }
  const found = run(patterns, pattern, text);
  return typeof found === 'boolean' ? found : notRun(pattern, showError(found.problem));
}

function run(patterns: PatternEngine, pattern: string, text: string) {
  try {
    return patterns.test(pattern, text);
  } catch (error) {
    return { problem: showError(error) };
  }
}

function notRun(pattern: string, why: string) {
  return { problem: `The pattern ${showValue(pattern)} was not run: ${why}.` };
}
