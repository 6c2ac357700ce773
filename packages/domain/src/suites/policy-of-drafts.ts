/**
 * The write policy of a suite that gets drafted cases. A tool held for writing (it may change data)
 * is called only if the suite's author allowed it by name. An existing policy stays. Without a
 * policy, the tools that existing cases call or expect are allowed, since the author named them.
 */
import type { Assertion } from '../assertions/assertion.ts';
import { locatedAssertions, namedTools } from './asserted-tools.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import type { SuiteSettings } from './suite-definition.ts';

interface Calls
  extends Partial<Pick<EvalCaseDefinition, 'steps' | 'before' | 'after' | 'disabled'>> {
  readonly checks?: { readonly list?: readonly Assertion[] | undefined } | undefined;
}

/**
 * Returns the tools that the suite allows, derived from its cases before the drafted cases are
 * added.
 */
export function allowWritesWithDrafts(
  settings: SuiteSettings,
  cases: readonly Calls[],
): readonly string[] {
  if (settings.allowWrites !== undefined) return settings.allowWrites;
  const { before = [], after = [], checks = [] } = settings;
  const named = [{ before, after, checks: { list: checks } }, ...cases].flatMap(toolsNamedBy);
  return [...new Set(named)].filter((name) => name.length <= longestName).slice(0, mostNames);
}

/** The limits of `allowWrites`: the number of names, and the characters of one name. */
const mostNames = 500;
const longestName = 256;

function toolsNamedBy({ steps = [], before = [], after = [], checks, disabled }: Calls): string[] {
  if (disabled === true) return [];
  const calls = [...before, ...steps, ...after].flatMap((step) =>
    step.kind === 'toolCall' ? [step.toolName] : [],
  );
  const asserted = locatedAssertions({ steps, assertions: checks?.list ?? [] });
  const expected = asserted.flatMap(({ assertion }) =>
    'type' in assertion && forbids(assertion) ? [] : namedTools(assertion),
  );
  return [...calls, ...expected.map(({ toolName }) => toolName)];
}

function forbids(assertion: Assertion): boolean {
  return (
    assertion.type === 'toolNeverCalled' ||
    (assertion.type === 'toolCallCountUnder' && assertion.count === 1)
  );
}
