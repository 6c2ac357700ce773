/**
 * Heuristics about tools whose description calls them deprecated. One forbids calls of such tools,
 * the other forbids listing them.
 */
import { assertionKind, fails, holds, observationSchema, unanswered } from './assertion-kind.ts';
import { listedFor, listingNotCaptured, showListed } from './listed-tool.ts';
import { showItems, showValue } from './redact.ts';
import { saysDeprecated } from './says-deprecated.ts';
import type { ListedTool } from './transcript.ts';

export const noDeprecatedToolCalled = assertionKind({
  stage: 'selection',
  inTurn: 'callsOfTurn',
  isChoiceOfModel: true,
  schema: observationSchema('noDeprecatedToolCalled', {}),
  evaluate(_, { toolCalls, listedTools }) {
    if (toolCalls.length === 0) return holds('No tool was called.');
    if (listedTools === undefined) return unanswered(listingNotCaptured);
    const candidates = toolCalls.map((call) => listedFor(call, listedTools));
    const called = candidates.flatMap((tools) =>
      tools.length > 0 && tools.every(isDeprecated) ? [tools[0]?.name] : [],
    );
    if (called.length > 0) {
      const names = showItems([...new Set(called)]);
      return fails(`Tools with a description that says they are deprecated were called: ${names}.`);
    }
    const open = candidates.find((tools) => tools.some(isDeprecated));
    return open === undefined
      ? holds('No called tool says it is deprecated.')
      : unanswered(`A call of ${showValue(open[0]?.name)} was recorded without its server.`);
  },
});

export const noDeprecatedToolExposed = assertionKind({
  stage: 'discovery',
  inTurn: 'never',
  schema: observationSchema('noDeprecatedToolExposed', {}),
  evaluate(_, { listedTools }) {
    if (listedTools === undefined) return unanswered(listingNotCaptured);
    const listed = listedTools.filter(isDeprecated).map(showListed);
    if (listed.length > 0) {
      return fails(`Listed tools say they are deprecated: ${listed.slice(0, 3).join(', ')}.`);
    }
    return holds('No listed tool says it is deprecated.');
  },
});

function isDeprecated({ description }: ListedTool): boolean {
  return description !== undefined && saysDeprecated(description);
}
