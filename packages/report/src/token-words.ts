import { count, grouped, type SurfaceTokens, type TokenCount } from '@proofmark/domain';

/** How many tools are named in a sentence and shown in a collapsed table. */
export const largestTools = 3;

/** Empty if no tool is known. */
export function tokenSentences(tokens: SurfaceTokens): string[] {
  const tools = toolsByTokens(tokens);
  if (tools.length === 0) return [];
  const named = tools
    .slice(0, largestTools)
    .map(({ toolName, total }) => `${toolName} (${grouped(total.o200k_base)})`);
  return [
    `${count(tools.length, 'tool')} ${tools.length === 1 ? 'takes' : 'take'} ${sizeWords(tokens.total)}, ${shareWords(tokens)}.`,
    ...(tools.length === 1 ? [] : [`The largest: ${named.join(', ')}.`]),
  ];
}

/** Empty if the tools of a run are unknown. */
export function comparedTokenSentences({
  base,
  compare,
}: {
  readonly base: SurfaceTokens;
  readonly compare: SurfaceTokens;
}): string[] {
  if (base.servers.length === 0 || compare.servers.length === 0) return [];
  const [was, is] = [base.total.o200k_base, compare.total.o200k_base];
  const more = is - was;
  const difference =
    more === 0
      ? 'as many as before'
      : `${grouped(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than before`;
  return [`The tools take ${sizeWords(compare.total)}, ${difference}.`];
}

export function toolsByTokens({ servers }: SurfaceTokens) {
  return servers
    .flatMap(({ serverName, tools }) => tools.map((tool) => ({ serverName, ...tool })))
    .sort((one, other) => other.total.o200k_base - one.total.o200k_base);
}

function sizeWords({ o200k_base, approx }: TokenCount): string {
  return `${count(o200k_base, 'token')} of o200k_base (about ${grouped(approx)} of others)`;
}

function shareWords({ share, contextWindow }: SurfaceTokens): string {
  const percent = share > 0 && share < 0.001 ? 'less than 0.1' : (share * 100).toFixed(1);
  return `${percent} % of a context of ${grouped(contextWindow)}`;
}
