import { isRecord } from '../kernel/json.ts';
import { assertionKind, holds, observationSchema, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, ofScope, showCallIn } from './call-scope.ts';
import { everyCall } from './combine-call-answers.ts';
import { notCapturedIn, resultValue } from './result-content.ts';
import type { ToolCall } from './transcript.ts';

/**
 * A heuristic against partial lists that look complete. If a call requests a number of items and
 * its result contains exactly that many, the result must also indicate whether more exist, by a
 * cursor, a flag or a total. Otherwise a model takes the page for the whole list.
 */
export const fullPageHasContinuation = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: observationSchema('fullPageHasContinuation', scopeFields),
  evaluate({ toolName, serverName }, { toolCalls }) {
    const scope = { toolName, serverName };
    const asking = callsMadeIn(toolCalls, scope).filter((call) => pageSizeOf(call) !== undefined);
    return everyCall(
      asking,
      (call) => {
        const shown = showCallIn(call, scope);
        const page = pageSizeOf(call);
        const read = resultValue(call);
        if (read.state === 'notCaptured') {
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        }
        const parts = read.state === 'value' ? partsOf(read.value) : [];
        const isFull = parts.some((part) => Array.isArray(part) && part.length === page?.size);
        if (page === undefined || !isFull || parts.some(saysMore))
          return { state: 'yes', sentence: '' };
        const sentence = `A result of ${shown} has ${page.size} items, as ${page.name} requested, but does not say whether there are more.`;
        return { state: 'no', sentence };
      },
      {
        none: holds(`No call${ofScope(scope)} requested a number of items.`),
        held: `Every full page${ofScope(scope)} says whether there is more.`,
      },
    );
  },
});

function pageSizeOf({ arguments: given }: ToolCall) {
  for (const [name, value] of Object.entries(given)) {
    const size = Number(value);
    if (pageSizeNames.has(plain(name)) && Number.isInteger(size) && size >= 1)
      return { name, size };
  }
  return undefined;
}

function saysMore(part: unknown): boolean {
  return isRecord(part) && Object.keys(part).some((name) => continuationNames.has(plain(name)));
}

/**
 * Returns the value and its nested values, a few levels deep. Items of a list are omitted, because
 * they do not describe the list.
 */
function partsOf(value: unknown, depth = 0): unknown[] {
  if (!isRecord(value) || depth >= deepest) return [value];
  return [value, ...Object.values(value).flatMap((one) => partsOf(one, depth + 1))];
}

const deepest = 4;

/** Makes pageSize, page_size and page-size equal. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

const pageSizeNames: ReadonlySet<string> = new Set([
  ...['limit', 'pagesize', 'perpage', 'first', 'top', 'count', 'maxresults', 'maxitems'],
  ...['pagelimit', 'maxcount', 'take', 'size'],
]);

const continuationNames: ReadonlySet<string> = new Set([
  ...['next', 'nextcursor', 'nextpage', 'nextpagetoken', 'nexttoken', 'nextlink', 'nextoffset'],
  ...['cursor', 'endcursor', 'continuation', 'continuationtoken', 'pageinfo', 'pagination'],
  ...['more', 'hasmore', 'hasnext', 'hasnextpage', 'ismore', 'islast', 'truncated', 'istruncated'],
  ...['total', 'totalcount', 'totalitems', 'totalresults', 'totalpages', 'pages', 'odatanextlink'],
]);
