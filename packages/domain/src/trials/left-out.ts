/**
 * Parts that a run left out on purpose, about which a verdict says nothing: disabled cases, and
 * tools that may change data and that `allowWrites` does not name. Names in `allowWrites` that no
 * server lists are reported too, since they are usually misspelled.
 */
import * as z from 'zod';
import { isForWidgetsAlone } from '../clients/visible-tools.ts';
import { isRecord } from '../kernel/json.ts';
import { unlistedNames } from '../suites/listed-tools.ts';
import { whyHeldForWriting } from '../surfaces/held-for-writing.ts';

const mostNamed = 20;
const Total = z.number().int().min(1);

export const LeftOut = z
  .object({
    cases: z
      .object({ total: Total, titles: z.array(z.string()).max(mostNamed) })
      .exactOptional()
      .meta({ description: 'Cases that are switched off.' }),
    tools: z
      .object({
        total: Total,
        items: z
          .array(z.object({ serverName: z.string(), toolName: z.string(), reason: z.string() }))
          .max(mostNamed),
      })
      .exactOptional()
      .meta({
        description:
          'Tools that are held for writing and not named in allowWrites, each with the reason.',
      }),
    unlisted: z
      .object({ total: Total, toolNames: z.array(z.string()).max(mostNamed) })
      .exactOptional()
      .meta({
        description:
          'Names in allowWrites that no server listed at the beginning of the first trial, so they allowed nothing.',
      }),
  })
  .meta({
    id: 'EvalLeftOut',
    description:
      'The cases and tools that a run left out on purpose; its verdict says nothing about them.',
  });
export type LeftOut = z.infer<typeof LeftOut>;

export interface ServerWithTools {
  readonly name: string;
  /** The tools as the server lists them; undefined if no listing is known. */
  readonly tools: readonly unknown[] | undefined;
}

/**
 * Returns undefined if nothing was left out. Without `allowWrites`, every tool may be called, so no
 * tool is left out.
 */
export function leftOutOf(run: {
  readonly switchedOff: LeftOut['cases'];
  readonly allowWrites: readonly string[] | undefined;
  readonly servers: readonly ServerWithTools[];
}): LeftOut | undefined {
  const { switchedOff, allowWrites, servers } = run;
  const tools = allowWrites === undefined ? [] : servers.flatMap((it) => heldOf(it, allowWrites));
  const unlisted = unlistedNames(allowWrites ?? [], servers.map(namesOf));
  if (switchedOff === undefined && tools.length + unlisted.length === 0) return undefined;
  return {
    ...(switchedOff && { cases: switchedOff }),
    ...(tools.length > 0 && { tools: { total: tools.length, items: tools.slice(0, mostNamed) } }),
    ...(unlisted.length > 0 && {
      unlisted: { total: unlisted.length, toolNames: unlisted.slice(0, mostNamed) },
    }),
  };
}

/** Returns undefined if no case is disabled. */
export function switchedOffOf(titles: readonly string[]): LeftOut['cases'] {
  if (titles.length === 0) return undefined;
  return { total: titles.length, titles: titles.slice(0, mostNamed) };
}

function namesOf({ name, tools }: ServerWithTools) {
  const names = tools?.flatMap((tool) =>
    isRecord(tool) && typeof tool['name'] === 'string' ? [tool['name']] : [],
  );
  return { name, tools: names && new Set(names) };
}

function heldOf({ name: serverName, tools = [] }: ServerWithTools, allowWrites: readonly string[]) {
  return tools.flatMap((tool) => {
    const toolName = isRecord(tool) ? tool['name'] : undefined;
    if (!isRecord(tool) || typeof toolName !== 'string' || allowWrites.includes(toolName))
      return [];
    // A tool that only widgets may call is never offered to a model, so naming it in `allowWrites`
    // would not help.
    if (isForWidgetsAlone(tool)) return [];
    const reason = whyHeldForWriting({ ...tool, name: toolName });
    return reason === undefined ? [] : [{ serverName, toolName, reason }];
  });
}
