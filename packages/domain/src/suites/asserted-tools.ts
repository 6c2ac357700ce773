/** The tools in the assertions of a case, each with the location of its assertion. */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import type { NamedTool } from '../assertions/transcript.ts';
import type { Step } from './step.ts';
import type { WidgetAssertion } from './widget.ts';

export interface AssertingCase {
  readonly steps: readonly Step[];
  /** The assertions of the whole case, from every source. */
  readonly assertions: readonly Assertion[];
}

export interface LocatedAssertion {
  readonly assertion: Assertion | WidgetAssertion;
  /** Its step, or its index among the assertions of the whole case. */
  readonly location: { readonly step: number } | { readonly ofCase: number };
}

export function locatedAssertions({ steps, assertions }: AssertingCase): LocatedAssertion[] {
  return [
    ...steps.flatMap((step, index): LocatedAssertion[] =>
      step.kind === 'assert' ? [{ assertion: step.assertion, location: { step: index } }] : [],
    ),
    ...assertions.map((assertion, index) => ({ assertion, location: { ofCase: index } })),
  ];
}

export function gatingAssertions(one: AssertingCase): LocatedAssertion[] {
  return locatedAssertions(one).filter(({ assertion }) => !isAdvisory(assertion));
}

export function namedTools(assertion: Assertion | WidgetAssertion): readonly NamedTool[] {
  if ('toolNames' in assertion) return assertion.toolNames.map((toolName) => ({ toolName }));
  if (!('toolName' in assertion) || assertion.toolName === undefined) return [];
  const { toolName } = assertion;
  const serverName = 'serverName' in assertion ? assertion.serverName : undefined;
  const named = [{ toolName, serverName }];
  if (!('beforeToolName' in assertion)) return named;
  const { beforeToolName, beforeServerName } = assertion;
  return [...named, { toolName: beforeToolName, serverName: beforeServerName }];
}

/** Returns the servers in assertions, each once. */
export function assertedServers(one: AssertingCase): readonly string[] {
  const named = locatedAssertions(one).flatMap(({ assertion }) => [
    // Includes assertions about any tool of a server.
    ...('serverName' in assertion ? [assertion] : []),
    ...namedTools(assertion),
  ]);
  return [...new Set(named.flatMap(({ serverName }) => serverName ?? []))];
}
