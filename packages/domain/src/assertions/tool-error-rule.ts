/**
 * The rule that no tool may fail, unless the case sets `failOnToolError` to false. A broken rule
 * fails a trial even if all assertions hold. The rationale of the trial's overall score ends with a
 * sentence about the broken rule; `brokenRuleIn` reads it there.
 */
import type { ToolError } from './transcript.ts';

const rule = 'No tool may fail';
const namedTools = 3;

export function brokenRuleSentence(errors: readonly ToolError[]): string {
  const descriptions = [...new Set(errors.map(whatHappened))];
  const unnamed = descriptions.length - namedTools;
  const more = unnamed > 0 ? ` and ${unnamed} more` : '';
  return `${rule}: ${descriptions.slice(0, namedTools).join(', ')}${more}.`;
}

/** Returns undefined if the rationale does not contain the rule. */
export function brokenRuleIn(rationale: string | undefined): string | undefined {
  const at = rationale?.indexOf(`${rule}: `) ?? -1;
  return at < 0 ? undefined : rationale?.slice(at);
}

function whatHappened({ toolName = 'a tool', kind, resultProblem }: ToolError): string {
  if (resultProblem !== undefined)
    return `${toolName} returned a result that breaks its own output schema`;
  return kind === 'content-error'
    ? `${toolName} returned an error`
    : `a call of ${toolName} got no result`;
}
