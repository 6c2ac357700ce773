/** Observations about tools that say of themselves that they are deprecated: called, and listed at all. */
import { assertionKind, fails, holds, observationSchema, unanswered } from './assertion-kind.ts';
import { listedFor, listingNotCaptured, showListed } from './listed-tool.ts';
import { showItems } from './redact.ts';
import { saysDeprecated } from './says-deprecated.ts';
import type { ListedTool } from './transcript.ts';

export const noDeprecatedToolCalled = assertionKind({
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
      return fails(`Tools whose description says they are deprecated were called: ${names}.`);
    }
    const open = candidates.find((tools) =>
      tools.some((tool) => isDeprecated(tool) || isOpen(tool)),
    );
    return open === undefined
      ? holds('No called tool says it is deprecated.')
      : unanswered(`Whether ${showItems([open[0]?.name])} says it is deprecated is not known.`);
  },
});

export const noDeprecatedToolExposed = assertionKind({
  schema: observationSchema('noDeprecatedToolExposed', {}),
  evaluate(_, { listedTools }) {
    if (listedTools === undefined) return unanswered(listingNotCaptured);
    const listed = listedTools.filter(isDeprecated).map(showListed);
    if (listed.length > 0) {
      return fails(`Listed tools say they are deprecated: ${listed.slice(0, 3).join(', ')}.`);
    }
    const open = listedTools.find(isOpen);
    return open === undefined
      ? holds('No listed tool says it is deprecated.')
      : unanswered(`The description of ${showListed(open)} was not kept.`);
  },
});

function isDeprecated({ description }: ListedTool): boolean {
  return description !== undefined && saysDeprecated(description);
}

function isOpen({ description, isCut }: ListedTool): boolean {
  return description === undefined && isCut === true;
}
