/**
 * Returns the canonical text of a client config, from which the config's id is derived: two configs
 * have the same id exactly if their canonical texts are equal.
 *
 * - Sets of ids have no order and no repetition.
 * - A field whose value means the same as its absence is left out: no built-in tools, all visible
 *   skills, no computer.
 * - Everything else is kept as sent. An absent field differs from an explicit false or an empty
 *   object, and lists keep their order.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { ClientConfig } from './client-config.ts';

export interface CanonicalClientConfig {
  readonly config: ClientConfig;
  /** The text whose hash is the config's id. */
  readonly text: string;
}

export function canonicalClientConfig(config: ClientConfig): CanonicalClientConfig {
  const normalised = normalise(config);
  const members = fieldOrder.flatMap((field) => {
    const value = normalised[field];
    return value === undefined ? [] : [`${JSON.stringify(field)}:${canonicalJson(value)}`];
  });
  const text = `{${['"schemaVersion":2', ...members].join(',')}}`;
  const { schemaVersion: _version, ...spelled } = JSON.parse(text) as ClientConfig & {
    schemaVersion: 2;
  };
  return { config: spelled, text };
}

export function configIdOf(text: string, sha256Hex: (text: string) => string): string {
  return `cfg_${sha256Hex(text)}`;
}

/**
 * The fields in the order of the schema. Moving a field in the schema changes the id of every
 * config.
 */
const fieldOrder = Object.keys(ClientConfig.shape) as (keyof ClientConfig)[];

function normalise(config: ClientConfig): ClientConfig {
  const { builtInToolIds, computer, skillSelection, ...rest } = config;
  const tools = idSet(builtInToolIds);
  return {
    ...rest,
    serverIds: idSet(config.serverIds),
    optionalServerIds: idSet(config.optionalServerIds),
    ...(tools.length > 0 ? { builtInToolIds: tools } : {}),
    ...(computer ? { computer } : {}),
    ...(skillSelection?.mode === 'explicit'
      ? { skillSelection: { mode: 'explicit', skillIds: idSet(skillSelection.skillIds) } }
      : {}),
  };
}

/** Sorts ids by UTF-16 units, so that the order is the same on every machine. */
function idSet(ids: readonly string[] = []): string[] {
  return [...new Set(ids)].sort();
}
