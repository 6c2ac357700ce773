/**
 * A pin: a file beside a suite with the tools of its servers, so that a change of the tools is
 * reviewed like a change of code. The hash of each server shows whether the file was edited by
 * hand.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { type ServerDifference, surfaceDifference } from '../servers/surface-difference.ts';
import { canonicalToolSurface } from '../servers/tool-surface.ts';
import type { SurfaceTokens, TokenCount } from './surface-tokens.ts';

export interface ServerInPin {
  readonly name: string;
  /** The SHA-256 of the canonical JSON of the tools, sorted by name. */
  readonly hash: string;
  readonly tools: readonly Json[];
}

export interface ReadServerInPin extends ServerInPin {
  /** As counted when the pin was written; absent if the file does not state it. */
  readonly tokens?: TokenCount;
}

export interface SurfacePin {
  readonly format: 'proofmark-surface';
  readonly version: 1;
  readonly servers: readonly ServerInPin[];
  readonly tokens: SurfaceTokens;
}

export interface ServerToPin {
  readonly name: string;
  readonly tools: readonly Json[];
}

type Sha256Hex = (text: string) => string;

export function pinSurface(
  servers: readonly ServerToPin[],
  tokens: SurfaceTokens,
  sha256Hex: Sha256Hex,
): SurfacePin {
  return {
    format: 'proofmark-surface',
    version: 1,
    servers: servers.map(({ name, tools }) => ({
      name,
      hash: hashOfTools(tools, sha256Hex),
      tools: [...tools].sort((one, other) => byName(one, other)),
    })),
    tokens,
  };
}

function byName(one: Json, other: Json): number {
  const [first, second] = [String(one['name']), String(other['name'])];
  return first < second ? -1 : Number(first > second);
}

function hashOfTools(tools: readonly Json[], sha256Hex: Sha256Hex): string {
  return sha256Hex(canonicalToolSurface(tools));
}

/** Returns undefined for content that is not a pin. */
export function readSurfacePin(content: unknown): readonly ReadServerInPin[] | undefined {
  if (!isRecord(content) || content['format'] !== 'proofmark-surface') return undefined;
  if (content['version'] !== 1 || !Array.isArray(content['servers'])) return undefined;
  const servers = content['servers'].map((server) => serverInPin(server, content['tokens']));
  return servers.every((one) => one !== undefined) ? servers : undefined;
}

function serverInPin(value: unknown, tokens: unknown): ReadServerInPin | undefined {
  if (!isRecord(value)) return undefined;
  const { name, hash, tools } = value;
  if (typeof name !== 'string' || typeof hash !== 'string') return undefined;
  if (!Array.isArray(tools) || !tools.every(isRecord)) return undefined;
  const counted = tokensIn(tokens, name);
  return { name, hash, tools, ...(counted && { tokens: counted }) };
}

function tokensIn(tokens: unknown, serverName: string): TokenCount | undefined {
  const servers: unknown = isRecord(tokens) ? tokens['servers'] : undefined;
  const found = Array.isArray(servers)
    ? servers.filter(isRecord).find((one) => one['serverName'] === serverName)
    : undefined;
  const { o200k_base, approx } = isRecord(found?.['total']) ? found['total'] : {};
  if (typeof o200k_base !== 'number' || typeof approx !== 'number') return undefined;
  return { o200k_base, approx };
}

/** Returns whether the pin's tools no longer match its hash. */
export function isAltered({ hash, tools }: ServerInPin, sha256Hex: Sha256Hex): boolean {
  return hash !== hashOfTools(tools, sha256Hex);
}

/** Servers are paired by name. */
export function differenceFromPin(
  pinned: readonly ServerToPin[],
  listed: readonly ServerToPin[],
): ServerDifference[] {
  const named = (servers: readonly ServerToPin[]) =>
    servers.map(({ name, tools }) => ({ id: name, name, tools }));
  return surfaceDifference(named(pinned), named(listed));
}
