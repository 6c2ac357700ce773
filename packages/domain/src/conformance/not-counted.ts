/** The sentences of scenarios that do not count, by which they are known in stored trials. */
import type { DecidedScenario } from './scenario-outcome.ts';

const notScored = 'The requirement set of the revision does not score this scenario.';

export const leftOut =
  'This scenario is about servers on the same machine without TLS, and this server is another one.';

export const nothingChecked =
  'The suite checked nothing in this scenario: every check was skipped.';

export function notScoredSentence({ reasons }: Pick<DecidedScenario, 'reasons'>): string {
  const how = reasons.length === 0 ? 'It passed.' : `It failed: ${reasons.join(' ')}`;
  return `${notScored} ${how}`;
}

export function saysNotCounted(failure: string): boolean {
  return failure.startsWith(notScored) || failure === leftOut || failure === nothingChecked;
}
