import { type KeepRule, keepsAll, parseKeepRule, parseQuota } from '@proofmark/domain';

export interface Setting<Value> {
  readonly flag?: string;
  readonly environment: readonly string[];
  /** The name of the setting in proofmark.config.json. Undefined if it is not allowed there. */
  readonly config: string | undefined;
  readonly parse: (given: unknown, where: string) => Value;
  readonly fallback: Value;
  readonly secret?: boolean;
}

export class BadSetting extends Error {}

export function setting<Value>(row: Setting<Value>): Setting<Value> {
  return row;
}

export function text(given: unknown, where: string): string {
  if (typeof given === 'string' && given.trim() !== '') return given.trim();
  throw new BadSetting(`${where} must be a text that is not empty.`);
}

export function onOff(given: unknown, where: string): boolean {
  if (given === true || given === 'on' || given === 'true') return true;
  if (given === false || given === 'off' || given === 'false') return false;
  throw new BadSetting(`${where} must be on or off.`);
}

export function port(given: unknown, where: string): number {
  const digits = typeof given === 'number' ? String(given) : text(given, where);
  if (/^\d{1,5}$/.test(digits) && Number(digits) <= 65_535) return Number(digits);
  throw new BadSetting(`${where} must be a port from 0 to 65535.`);
}

export function count(least: number, most: number) {
  return (given: unknown, where: string): number => {
    const digits = typeof given === 'number' ? String(given) : text(given, where);
    const value = Number(digits);
    if (/^\d{1,9}$/.test(digits) && value >= least && value <= most) return value;
    throw new BadSetting(`${where} must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses a quota. The result is null for the word that means no quota. */
export function quota(given: unknown, where: string): number | null {
  const allowed = parseQuota(typeof given === 'number' ? String(given) : text(given, where));
  if (allowed !== undefined) return allowed;
  throw new BadSetting(`${where} must be a whole number of at least 0, or none.`);
}

export function keepRule(given: unknown, where: string): KeepRule {
  const rule = parseKeepRule(typeof given === 'number' ? String(given) : text(given, where));
  if (rule !== undefined) return rule;
  throw new BadSetting(
    `${where} must be a rule such as 90d, 50 or 90d/50 (the newest 50 of 90 days), or none.`,
  );
}

export function textList(given: unknown, where: string): readonly string[] {
  const list = typeof given === 'string' ? given.split(',') : given;
  if (!Array.isArray(list)) throw new BadSetting(`${where} must be a list of texts.`);
  return list.map((entry) => text(entry, where));
}

export function httpUrl(given: unknown, where: string): string {
  const url = text(given, where);
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new BadSetting(`${where} must be an http or https URL.`);
}

/**
 * Parses a URL without a path. The service's pages and links start at the root, so a URL with a
 * path cannot work.
 */
export function httpOrigin(given: unknown, where: string): string {
  const url = httpUrl(given, where);
  if (new URL(url).origin === url) return url;
  throw new BadSetting(`${where} must be an address without path, like https://proofmark.example.`);
}

export function postgresUrl(given: unknown, where: string): string {
  const url = text(given, where);
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new BadSetting(`${where} must be a postgres:// URL.`);
}

export function smtpUrl(given: unknown, where: string): string {
  const url = text(given, where);
  if (/^smtps?:\/\/[^/]/.test(url) && URL.canParse(url)) return url;
  throw new BadSetting(`${where} must be an smtp:// or smtps:// URL.`);
}

export function oneOf<Name extends string>(names: readonly Name[]) {
  return (given: unknown, where: string): Name => {
    if (names.includes(given as Name)) return given as Name;
    throw new BadSetting(`${where} must be one of ${names.join(', ')}.`);
  };
}

export function optional<Value>(
  name: string,
  config: string | undefined,
  parse: Setting<Value>['parse'],
): Setting<Value | undefined> {
  return { environment: [name], config, parse, fallback: undefined };
}

export function counted(
  name: string,
  config: string,
  least: number,
  most: number,
  fallback: number,
): Setting<number> {
  return { environment: [name], config, parse: count(least, most), fallback };
}

export function bounded(name: string, config: string) {
  return setting({ environment: [name], config, parse: quota, fallback: null });
}

export function kept(name: string, config: string) {
  return setting({ environment: [name], config, parse: keepRule, fallback: keepsAll });
}
