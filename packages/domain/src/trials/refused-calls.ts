/** Calls that a policy rejected. They never reached a server and so say nothing about servers. */
import * as z from 'zod';

/**
 * `allowWrites`: the tool may change data, and `allowWrites` does not name it. `toolPolicy`: the
 * suite's policy forbids the call. `approval`: the client requires a person's approval, which
 * nobody can give during a run.
 */
export const refusedBy = ['allowWrites', 'toolPolicy', 'approval'] as const;
export type RefusedBy = (typeof refusedBy)[number];

export const RefusedCall = z
  .object({
    serverName: z.string(),
    toolName: z.string(),
    by: z.enum(refusedBy).meta({
      description:
        'allowWrites: the tool is held for writing, and allowWrites does not name it. toolPolicy: the tool policy of the suite. approval: the client asks a person before a call, and a run has no person to ask.',
    }),
  })
  .meta({ id: 'EvalRefusedCall' });
export type RefusedCall = z.infer<typeof RefusedCall>;

const Count = z.number().int().min(1);

export const RefusedTool = RefusedCall.extend({
  calls: Count,
  trials: Count.meta({ description: 'Trials with such a call.' }),
}).meta({
  id: 'EvalRefusedTool',
  description: 'A tool with calls that a policy refused, so that they were not sent to the server.',
});
export type RefusedTool = z.infer<typeof RefusedTool>;

export function tallyRefusedCalls(trials: readonly (readonly RefusedCall[])[]): RefusedTool[] {
  const tools = new Map<string, RefusedTool>();
  for (const calls of trials) {
    const seen = new Set<string>();
    for (const { serverName, toolName, by } of calls) {
      const key = JSON.stringify([serverName, toolName, by]);
      const { calls: made, trials: had } = tools.get(key) ?? { calls: 0, trials: 0 };
      const isFirst = !seen.has(key);
      seen.add(key);
      const counted = { calls: made + 1, trials: had + (isFirst ? 1 : 0) };
      tools.set(key, { serverName, toolName, by, ...counted });
    }
  }
  return inOrder([...tools.values()]);
}

function inOrder(tools: readonly RefusedTool[]): RefusedTool[] {
  const named = (one: RefusedTool) => `${one.toolName}\0${one.serverName}\0${one.by}`;
  return [...tools].sort(
    (one, other) => other.calls - one.calls || (named(one) < named(other) ? -1 : 1),
  );
}
