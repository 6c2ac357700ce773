/**
 * What a run left out on purpose: cases that are switched off, and tools of its servers that are held for writing and that
 * `allowWrites` does not name. A verdict says nothing about either.
 */
import * as z from 'zod';
import { isForWidgetsAlone } from '../clients/visible-tools.ts';
import { isRecord } from '../kernel/json.ts';
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
          'Tools that are held for writing and not named in allowWrites, with what they are held by.',
      }),
  })
  .meta({
    id: 'EvalLeftOut',
    description: 'What a run left out on purpose; its verdict says nothing about it.',
  });
export type LeftOut = z.infer<typeof LeftOut>;

export interface ServerWithTools {
  readonly name: string;
  /** As the server lists them. */
  readonly tools: readonly unknown[];
}

/** Without `allowWrites` no tool is left out, since every tool may be called. */
export function leftOutOf(run: {
  readonly switchedOff: LeftOut['cases'];
  readonly allowWrites: readonly string[] | undefined;
  readonly servers: readonly ServerWithTools[];
}): LeftOut | undefined {
  const { switchedOff, allowWrites, servers } = run;
  const tools = allowWrites === undefined ? [] : servers.flatMap((it) => heldOf(it, allowWrites));
  if (switchedOff === undefined && tools.length === 0) return undefined;
  return {
    ...(switchedOff && { cases: switchedOff }),
    ...(tools.length > 0 && { tools: { total: tools.length, items: tools.slice(0, mostNamed) } }),
  };
}

/** Nothing where no case is switched off. */
export function switchedOffOf(titles: readonly string[]): LeftOut['cases'] {
  if (titles.length === 0) return undefined;
  return { total: titles.length, titles: titles.slice(0, mostNamed) };
}

function heldOf({ name: serverName, tools }: ServerWithTools, allowWrites: readonly string[]) {
  return tools.flatMap((tool) => {
    const toolName = isRecord(tool) ? tool['name'] : undefined;
    if (!isRecord(tool) || typeof toolName !== 'string' || allowWrites.includes(toolName))
      return [];
    // No model is shown it, so no list of names lets one call it.
    if (isForWidgetsAlone(tool)) return [];
    const reason = whyHeldForWriting({ ...tool, name: toolName });
    return reason === undefined ? [] : [{ serverName, toolName, reason }];
  });
}
