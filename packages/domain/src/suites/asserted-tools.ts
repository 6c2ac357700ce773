import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import type { NamedTool } from '../assertions/transcript.ts';
import type { Step } from './step.ts';
import type { WidgetAssertion } from './widget.ts';

export interface AssertingCase {
  readonly steps: readonly Step[];
  readonly assertions: readonly Assertion[];
}

export interface LocatedAssertion {
  readonly assertion: Assertion | WidgetAssertion;
  /** The assertion's step, or its index among the assertions about the whole case. */
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

export function assertedServers(one: AssertingCase): readonly string[] {
  const named = locatedAssertions(one).flatMap(({ assertion }) => [
    // An assertion may name a server without a tool.
    ...('serverName' in assertion ? [assertion] : []),
    ...namedTools(assertion),
  ]);
  return [...new Set(named.flatMap(({ serverName }) => serverName ?? []))];
}
