/**
 * The tokens that the tools of servers take from a model's context in every request. The name, the
 * description and the input schema as canonical JSON are counted, so that a listing that was stored
 * has the same count as the live one, whatever the order of its keys. The caller supplies the
 * tokenizer, because it is large.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord, type Json } from '../kernel/json.ts';

/** The context window, in tokens, to which shares refer. */
export const contextWindow = 200_000;

/** Returns the number of o200k_base tokens of a text. */
export type CountTokens = (text: string) => number;

export interface TokenCount {
  readonly o200k_base: number;
  /** A quarter of the UTF-8 bytes, rounded up: an estimate for every other tokenizer. */
  readonly approx: number;
}

export interface TokensOfTool {
  readonly toolName: string;
  readonly name: TokenCount;
  readonly description: TokenCount;
  readonly schema: TokenCount;
  readonly total: TokenCount;
}

export interface TokensOfServer {
  readonly serverName: string | null;
  readonly total: TokenCount;
  readonly tools: readonly TokensOfTool[];
}

export interface SurfaceTokens {
  readonly contextWindow: number;
  /** The o200k_base total as a share of the context window. Above 1, the tools do not fit. */
  readonly share: number;
  readonly total: TokenCount;
  readonly servers: readonly TokensOfServer[];
}

export function surfaceTokens(
  servers: readonly { readonly name: string | null; readonly tools: readonly Json[] }[],
  count: CountTokens,
): SurfaceTokens {
  const counted = servers.map(({ name, tools }): TokensOfServer => {
    const each = tools.map((tool) => tokensOfTool(tool, count));
    return { serverName: name, total: sum(each.map(({ total }) => total)), tools: each };
  });
  return tokensOfServers(counted);
}

export function joinedTokens(parts: readonly SurfaceTokens[]): SurfaceTokens {
  return tokensOfServers(parts.flatMap(({ servers }) => servers));
}

function tokensOfServers(servers: readonly TokensOfServer[]): SurfaceTokens {
  const total = sum(servers.map((server) => server.total));
  return { contextWindow, share: total.o200k_base / contextWindow, total, servers };
}

function tokensOfTool(tool: Json, count: CountTokens): TokensOfTool {
  const { name, description, inputSchema } = tool;
  const parts = {
    name: tokensOf(String(name), count),
    description: tokensOf(typeof description === 'string' ? description : '', count),
    schema: tokensOf(isRecord(inputSchema) ? textOfSchema(inputSchema) : '', count),
  };
  return { toolName: String(name), ...parts, total: sum(Object.values(parts)) };
}

function textOfSchema(schema: Json): string {
  // A number of a server may be too large to be finite, which `canonicalJson` would refuse.
  return canonicalJson(JSON.parse(JSON.stringify(schema)));
}

export function tokensOf(text: string, count: CountTokens): TokenCount {
  return {
    o200k_base: count(text),
    approx: Math.ceil(new TextEncoder().encode(text).length / 4),
  };
}

function sum(counts: readonly TokenCount[]): TokenCount {
  return {
    o200k_base: counts.reduce((all, one) => all + one.o200k_base, 0),
    approx: counts.reduce((all, one) => all + one.approx, 0),
  };
}
